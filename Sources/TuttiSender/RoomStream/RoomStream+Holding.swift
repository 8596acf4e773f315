import NIOCore
package import TuttiCore
import TuttiPlayback
import TuttiWire

/// What is held: buffers come, are taken back, and are replaced by others.
extension RoomStream {
    /// Somebody who waits to hear whether a flush has come in time.
    struct AwaitedFlush {
        let time: MediaTime
        let completion: @Sendable (Bool) -> Void
    }

    /// Nanoseconds beyond the lead of a command in which rooms can still have something else than they have: until they
    /// have dropped it, and have decoded what takes its place.
    private static let revisionTime: Int64 = 300_000_000
    /// Nanoseconds for which changes are gathered: buffers that come in no order are not each a change.
    private static let gatheringTime: Int64 = 5_000_000

    /// Takes a buffer in; what overlaps takes the place of what was there, but for what is heard too soon.
    package nonisolated func insert(_ buffer: SampleBuffer) { perform { $0.take(buffer) } }

    /// Drops the audio from `time` on, or all of it.
    ///
    /// - Parameter completion: told whether all rooms have dropped it before it was heard; called once, on the event loop.
    package nonisolated func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        perform { stream in
            if let time { stream.drop(from: time, completion) } else { stream.dropAll(completion) }
        }
    }

    /// Nothing follows behind `time`, until more is inserted.
    package nonisolated func setEnd(_ time: MediaTime) {
        perform { stream in
            stream.end = time
            if stream.group.programmeEnd != time { stream.group.end(at: time) }
        }
    }

    private func take(_ buffer: SampleBuffer) {
        trim()
        switch held.insert(buffer) {
        case .inserted, .replaced: break
        case .ignored, .full: return
        }
        var change = buffer.presentationTime < made ? buffer.presentationTime : nil
        if let end, buffer.timeRange.end > end {
            // The rooms have to forget it.
            change = min(change ?? end, end)
            self.end = nil
        }
        if let change { revise(from: change) } else { make() }
    }

    private func drop(from time: MediaTime, _ completion: @escaping @Sendable (Bool) -> Void) {
        guard isOpen(time) else { return completion(false) }
        held.remove(from: time)
        if let known = end, known > time { end = nil }
        remake(from: time)
        awaitedFlushes.append(AwaitedFlush(time: time, completion: completion))
        answerFlushes()
    }

    private func dropAll(_ completion: @escaping @Sendable (Bool) -> Void) {
        held.removeAll()
        (made, appended, end, outdatedFrom) = (.zero, .zero, nil, nil)
        (edition, isMaking) = (edition + 1, false)
        group.programmeEnd = nil
        _ = group.cutLogs()
        group.refill(from: group.playhead.media)
        leads = nil
        completion(true)
    }

    // MARK: In time

    /// Tells those who wait what has become of their flushes.
    func answerFlushes() {
        guard !awaitedFlushes.isEmpty else { return }
        let isDone = group.rooms.allSatisfy { !$0.isUp || !$0.session.isFlushing }
        awaitedFlushes.removeAll { flush in
            let isInTime = group.playhead.rate == 0 || nanoseconds(until: flush.time) > 0
            guard isDone || !isInTime else { return false }
            flush.completion(isInTime)
            return true
        }
    }

    /// Whether rooms can still be given something else at `time` than they have.
    private func isOpen(_ time: MediaTime) -> Bool {
        group.playhead.rate == 0 || nanoseconds(until: time) > group.commandLead + Self.revisionTime
    }

    private func nanoseconds(until time: MediaTime) -> Int64 {
        group.playhead.instant(of: time).nanoseconds &- group.groupNow.nanoseconds
    }

    /// The first place at which rooms can be given something else than they have.
    private var firstOpen: MediaTime {
        let margin = MediaTime(frame: group.commandLead + Self.revisionTime, sampleRate: 1_000_000_000)
        return group.playhead.media(at: group.groupNow) + margin
    }

    // MARK: Anew

    /// Makes everything from `time` on anew, in a moment.
    private func revise(from time: MediaTime) {
        let isDue = outdatedFrom != nil
        outdatedFrom = min(outdatedFrom ?? time, time)
        guard !isDue else { return }
        loop.scheduleTask(in: .nanoseconds(Self.gatheringTime)) {
            self.assumeIsolated { stream in
                guard let time = stream.outdatedFrom, !stream.isClosed else { return }
                stream.remake(from: stream.isOpen(time) ? time : max(time, stream.firstOpen))
            }
        }
    }

    /// Makes everything from `time` on anew; rooms that have it drop it.
    private func remake(from time: MediaTime) {
        outdatedFrom = nil
        // A packet that reaches over the place is made anew as a whole, if it is not heard yet.
        let packet = group.log[group.log.index(at: time)]?.buffer.presentationTime ?? time
        let start = min(appended, time, isOpen(packet) ? packet : time)
        (made, appended) = (start, start)
        (edition, isMaking) = (edition + 1, false)
        let wasEndKnown = group.programmeEnd != nil
        group.programmeEnd = nil
        let first = group.cutLogs(from: start)
        group.flush(from: start, unlessBefore: wasEndKnown ? nil : first)
        if let end { group.end(at: end) }
        make()
    }
}
