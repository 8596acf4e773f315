import TuttiCore
import TuttiPlayback
import TuttiSchema
import TuttiProduction
import TuttiRooms

/// Players that stay in their rooms when nothing is left to play, for what is added later.
extension Player {
    /// Whether nothing is left to play.
    var isResting: Bool {
        guard configuration.staysAtEnd, phase == .paused, let programmeEnd else { return false }
        return playhead.media >= programmeEnd
    }

    /// Whether nothing is left to play before anything was.
    var isOverBeforeItBegan: Bool { configuration.staysAtEnd && awaitsFirstPacket && programmeEnd != nil }

    /// Holds the rooms where the programme is over, or where its last entry was taken out.
    func rest() {
        if queue.consumes, let last = queue.current { queue.remove([last]) }
        let place = position
        group.hold(at: place)
        if programmeEnd.map({ place < $0 }) ?? true { drop(from: place) }
        group.programmeEnd = place
        // The rooms come first.
        guard phase != .connecting else { return }
        phase = .paused
        emit(.state(.ended))
        releaseStarters()
    }

    private func drop(from place: MediaTime) {
        producer?.rest()
        awaitsFirstPacket = true
        if let heard = programme.index(at: place) { programme.cut(from: heard + 1) }
        _ = group.cutLogs()
        group.refill(from: place)
    }

    /// Waits until it is first heard, or held at its beginning, or nothing is left to play, or all is over.
    ///
    /// - Returns: how it ended, if it has.
    package func started() async -> PlayerOutcome? {
        if outcome == nil, !group.hasStarted, !isResting {
            await withCheckedContinuation { starters.append($0) }
        }
        return outcome
    }

    /// Whether none of what is in the queue can be played.
    package var isUnplayable: Bool { isResting && !queue.isEmpty && queue.ids.allSatisfy { queue[$0]?.info == nil } }

    /// Lets those go on who wait for the start.
    func releaseStarters() {
        for starter in starters { starter.resume() }
        starters = []
    }
}
