package import TuttiCore
package import TuttiHost

/// The other speakers on the network, and when it is seen whether the clock is shared with them.
package struct NeighbourReview: Sendable {
    /// Nanoseconds between two looks at who is there.
    private static let interval: Int64 = 1_000_000_000
    /// Nanoseconds after which what is known of the clock is written down, though nothing has been played: disks are to
    /// be spared.
    private static let saveInterval: Int64 = 900_000_000_000

    private let circle: ClockCircle
    private var neighbours: [ClockNeighbour] = []
    /// Since when all that were there at the start are known.
    private var completeSince: HostTime?
    private var (next, saveDue): (HostTime?, HostTime?) = (nil, nil)

    /// Whether this speaker's host is on the network by radio.
    package var isWireless: Bool { circle.isWireless }

    /// Nobody is known. The speaker is one of `circle`.
    package init(_ circle: ClockCircle) { self.circle = circle }

    /// The other speakers, as they are seen now.
    ///
    /// - Parameter isComplete: whether all that are there have been told.
    package mutating func note(_ speakers: [ClockNeighbour], isComplete: Bool, now: HostTime) {
        neighbours = speakers
        if isComplete, completeSince == nil { completeSince = now }
    }

    /// What is to be done about the clock, while nobody says; nil where it is not time to look.
    ///
    /// - Parameters:
    ///   - part: the clock that this speaker knows.
    ///   - known: where the members are that it can ask already.
    package mutating func decision(
        part: @autoclosure () -> ClockNeighbour.Part?, known: @autoclosure () -> [SocketAddress], now: HostTime
    ) -> ClockCircle.Decision? {
        guard let completeSince, next.map({ $0 <= now }) ?? true else { return nil }
        next = now.advanced(byNanoseconds: Self.interval)
        return circle.decision(
            part: part(), known: Set(known()), neighbours: neighbours, waited: now.nanoseconds(since: completeSince))
    }

    /// Whether a neighbour shares the clock.
    package func isShared(_ part: ClockNeighbour.Part) -> Bool {
        neighbours.contains { $0.part?.timescale == part.timescale }
    }

    /// Whether what is known of the clock is to be written down.
    package mutating func isSaveDue(now: HostTime) -> Bool {
        let isDue = saveDue.map { $0 <= now } ?? false
        if isDue || saveDue == nil { saveDue = now.advanced(byNanoseconds: Self.saveInterval) }
        return isDue
    }
}
