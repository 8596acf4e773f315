package import TuttiCore
package import TuttiWire

/// What a sender wants to hear of at once when it changes.
package struct StatusDigest: Sendable, Equatable {
    package var state: SpeakerStatus.State
    package var (stalls, xruns): (Int, Int)
    package var loudness: VolumeCommand
    package var isAnnouncing: Bool
    /// In milliseconds.
    package var outputDelay: Double
    /// What the room is called.
    package var name: String

    package init(
        state: SpeakerStatus.State, stalls: Int = 0, xruns: Int = 0,
        loudness: VolumeCommand = VolumeCommand(percent: 0),
        isAnnouncing: Bool = false, outputDelay: Double = 0, name: String = ""
    ) {
        (self.state, self.stalls, self.xruns, self.loudness) = (state, stalls, xruns, loudness)
        (self.isAnnouncing, self.outputDelay, self.name) = (isAnnouncing, outputDelay, name)
    }
}

/// What was last reported to whom, and when there is something to report again.
///
/// A status is sent when the state or a count has changed, and from time to time: once a second by a room that plays
/// and holds plenty, or that has nothing to do; four times a second by others.
package struct StatusReports: Sendable {
    /// Whether a status is to be sent.
    package enum Need: Sendable, Equatable {
        case none
        /// If the room is calm by now, which it was not.
        case ifCalm
        case now
    }

    private struct Report {
        let digest: StatusDigest
        let isCalm: Bool
        let at: HostTime
        /// When there is one more at the latest.
        var next: HostTime
    }

    /// Nanoseconds between two statuses, a little less than they are said to be: looks are taken at even times.
    private static let (interval, calmInterval): (Int64, Int64) = (245_000_000, 995_000_000)
    /// The same between two that are sent because of what has come.
    private static let leastInterval: Int64 = 20_000_000
    /// The same between two looks for `RenderHistory.pairDistance` of the last minute, which takes a millisecond to
    /// find.
    private static let distanceInterval: Int64 = 3_000_000_000

    private var last: [Slot: Report] = [:]
    private var hasReportedDamage = false
    private var distance: (at: HostTime, value: Double)?

    /// Nothing was reported.
    package init() {}

    /// Whether `slot` is to be told that this is how the speaker does.
    package func need(of digest: StatusDigest, for slot: Slot, now: HostTime) -> Need {
        guard let report = last[slot], report.digest == digest, now < report.next else { return .now }
        // That it holds plenty again is what an edit is waited for.
        return report.isCalm ? .none : .ifCalm
    }

    /// `slot` has been told.
    ///
    /// - Parameter isCalm: whether that will be so for a while.
    package mutating func told(_ slot: Slot, _ digest: StatusDigest, isCalm: Bool, now: HostTime) {
        let next = now.advanced(byNanoseconds: isCalm ? Self.calmInterval : Self.interval)
        last[slot] = Report(digest: digest, isCalm: isCalm, at: now, next: next)
    }

    /// `slot` is told with the next look, where it has only just been told something.
    ///
    /// - Returns: whether it has been: otherwise it is to be told now.
    package mutating func postpone(for slot: Slot, now: HostTime) -> Bool {
        guard let report = last[slot], now.nanoseconds(since: report.at) < Self.leastInterval else { return false }
        last[slot]?.next = now
        return true
    }

    /// `slot` is told with the next look, whatever it was told.
    package mutating func expire(_ slot: Slot) { last[slot] = nil }

    /// Whether one of those waits for its stream to begin, as far as they have been told.
    package func isStartAwaited(in slots: [Slot]) -> Bool { slots.contains { last[$0]?.digest.state != .playing } }

    /// Whether what `slot` was told will be so for a while.
    package func isCalm(_ slot: Slot) -> Bool { last[slot]?.isCalm == true }

    /// Whether there are damaged packets and nobody has been told, who counts as told then: once in a stream.
    package mutating func isDamageNew(count: Int) -> Bool {
        defer { hasReportedDamage = count > 0 }
        return count > 0 && !hasReportedDamage
    }

    /// What `find` finds, which takes a while: no more often than every three seconds.
    package mutating func distance(now: HostTime, _ find: () -> Double?) -> Double? {
        if let distance, now.nanoseconds(since: distance.at) < Self.distanceInterval { return distance.value }
        let value = find()
        distance = value.map { (now, $0) }
        return value
    }

    /// What was measured is another stream's.
    package mutating func forgetDistance() { distance = nil }
}
