import NIOCore
package import TuttiCore
import TuttiPlayback
import TuttiRooms
import TuttiWire

/// The buffers that are kept: they come, are taken back, and are replaced by others.
extension RoomStream {
    /// Somebody who waits to hear whether a flush has come in time.
    struct AwaitedFlush {
        let time: MediaTime
        /// What was held from there on, and where it ended: the rooms get it again if one of them does not answer.
        let buffers: [SampleBuffer]
        let end: MediaTime?
        let deadline: HostTime
        let completion: @Sendable (Bool) -> Void
    }

    /// Nanoseconds beyond the lead of a command in which rooms can still have something else than they have: until they
    /// have dropped it, and have decoded what takes its place.
    private static let revisionTime: Int64 = 300_000_000
    /// The same for rooms that get again what they have just dropped.
    private static let restoringTime: Int64 = 150_000_000
    /// Nanoseconds for which rooms are waited for.
    private static let answerTime: Int64 = 2_000_000_000
    /// Nanoseconds after which a silent room is not asked: each reports once a second.
    private static let silence: Int64 = 2_500_000_000
    /// Nanoseconds for which changes are gathered: buffers that come in no order are not each a change.
    private static let gatheringTime: Int64 = 5_000_000

    /// Takes a buffer in; what overlaps takes the place of what was there, but for what plays too soon.
    package nonisolated func insert(_ buffer: SampleBuffer) { perform { $0.take(buffer) } }

    /// Drops the audio from `time` on, or all of it.
    ///
    /// - Parameter completion: told whether all rooms have dropped it in time; called once, on the event loop. If one
    ///   of them has not, all of them keep it.
    package nonisolated func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        perform { stream in
            if let time { stream.drop(from: time, completion) } else { stream.dropAll(completion) }
        }
    }

    /// Nothing follows after `time`, until more is inserted.
    package nonisolated func setEnd(_ time: MediaTime) {
        perform { stream in
            stream.end = time
            if stream.group.timelineEnd != time { stream.group.end(at: time) }
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
        let isEachThere = group.members.allSatisfy {
            !$0.isUp || group.now.nanoseconds(since: $0.lastHeard) < Self.silence
        }
        guard isOpen(time), isEachThere else { return completion(false) }
        awaitedFlushes.append(
            AwaitedFlush(
                time: time, buffers: held.packets(from: time), end: end,
                deadline: group.now.advanced(byNanoseconds: Self.answerTime), completion: completion))
        held.remove(from: time)
        if let known = end, known > time { end = nil }
        remake(from: time)
        answerFlushes()
    }

    private func dropAll(_ completion: @escaping @Sendable (Bool) -> Void) {
        held.removeAll()
        (made, appended, end, outdatedFrom) = (.zero, .zero, nil, nil)
        (edition, isMaking) = (edition + 1, false)
        group.timelineEnd = nil
        _ = group.cutLogs()
        group.refill(from: group.playhead.media)
        leads = nil
        completion(true)
    }

    // MARK: In time

    /// Tells those who wait what has become of their flushes.
    func answerFlushes() {
        guard !awaitedFlushes.isEmpty else { return }
        let flushes = awaitedFlushes
        if group.members.allSatisfy({ !$0.isUp || !$0.isFlushing }),
            flushes.allSatisfy({ isAhead($0.time, by: 0) })
        {
            awaitedFlushes = []
            for flush in flushes { flush.completion(true) }
        } else if !flushes.allSatisfy({ group.now < $0.deadline && isAhead($0.time, by: restoringLead) }) {
            awaitedFlushes = []
            for flush in flushes.reversed() { restore(flush) }
            for flush in flushes { flush.completion(false) }
        }
    }

    /// Until then rooms can get again what they have dropped.
    private var restoringLead: Int64 { group.commandLead + Self.restoringTime }

    /// One room could not drop it: all get it again.
    private func restore(_ flush: AwaitedFlush) {
        held.restore(flush.buffers, from: flush.time)
        if end == nil { end = flush.end }
        remake(from: isAhead(flush.time, by: restoringLead) ? flush.time : max(flush.time, firstOpen))
    }

    private func isAhead(_ time: MediaTime, by lead: Int64) -> Bool {
        group.playhead.rate == 0 || nanoseconds(until: time) > lead
    }

    /// Whether rooms can still be given something else at `time` than they have.
    private func isOpen(_ time: MediaTime) -> Bool {
        isAhead(time, by: group.commandLead + Self.revisionTime)
    }

    private func nanoseconds(until time: MediaTime) -> Int64 {
        group.playhead.instant(of: time).nanoseconds &- group.groupNow.nanoseconds
    }

    /// The first place at which rooms can be given something else than they have.
    private var firstOpen: MediaTime {
        let margin = MediaTime(frame: group.commandLead + Self.revisionTime, sampleRate: 1_000_000_000)
        return group.playhead.media(at: group.groupNow) + margin
    }

    // MARK: Again

    /// Makes everything from `time` on again, in a moment.
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

    /// Makes everything from `time` on again; rooms that have it drop it.
    private func remake(from time: MediaTime) {
        outdatedFrom = nil
        // A packet that reaches over the place is made again as a whole, if it has not played yet.
        let packet = group.log[group.log.index(at: time)]?.buffer.presentationTime ?? time
        let start = min(appended, time, isOpen(packet) ? packet : time)
        (made, appended) = (start, start)
        (edition, isMaking) = (edition + 1, false)
        let wasEndKnown = group.timelineEnd != nil
        group.timelineEnd = nil
        let first = group.cutLogs(from: start)
        group.flush(from: start, unlessBefore: wasEndKnown ? nil : first)
        if let end { group.end(at: end) }
        make()
    }
}
