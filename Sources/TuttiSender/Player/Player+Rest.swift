import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema

/// Players that stay in their rooms when nothing is left to play, for what is added later.
extension Player {
    /// Whether nothing is left to play.
    var isResting: Bool {
        guard configuration.staysAtEnd, phase == .paused, let timelineEnd else { return false }
        return playhead.media >= timelineEnd
    }

    /// Whether nothing is left to play before anything was.
    var isOverBeforeItBegan: Bool { configuration.staysAtEnd && production.awaitsFirstPacket && timelineEnd != nil }

    /// Holds the rooms where the timeline is over, or where its last entry was taken out.
    func rest() {
        if queue.consumes, let last = queue.current { queue.remove([last]) }
        let place = position
        group.hold(at: place)
        if timelineEnd.map({ place < $0 }) ?? true { drop(from: place) }
        group.timelineEnd = place
        // The rooms come first.
        guard phase != .connecting else { return }
        phase = .paused
        emit(.state(.ended))
        completion.started()
    }

    private func drop(from place: MediaTime) {
        production.rest()
        production.awaitsFirstPacket = true
        if let current = timeline.index(at: place) { timeline.cut(from: current + 1) }
        _ = group.cutLogs()
        group.refill(from: place)
    }

    /// Waits until it first plays, or is paused at its beginning, or nothing is left to play, or all is over.
    ///
    /// - Returns: how it ended, if it has.
    package func started() async -> PlayerOutcome? {
        if completion.outcome == nil, !group.hasStarted, !isResting {
            await withCheckedContinuation { completion.awaitStart($0) }
        }
        return completion.outcome
    }

    /// Whether none of what is in the queue can be played.
    package var isUnplayable: Bool { isResting && !queue.isEmpty && queue.ids.allSatisfy { queue[$0]?.info == nil } }
}
