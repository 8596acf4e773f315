package import TuttiCore

/// For a moment more may be sent than usual, since a room is to have something else at once.
///
/// Somebody waits, and the rooms know their clock: what is late for so short a time tells them nothing wrong.
package struct LinkHaste: Sendable {
    /// Bytes a second at first, on a link that has carried all that was sent: half a minute of FLAC in a fifth of a
    /// second.
    package static let opening = 16e6
    /// Bytes a second from which on a link that was found to carry no more than it had to is tried in haste all the
    /// same: half a minute of FLAC in a second.
    package static let worthwhile = 3e6
    /// By how much more is tried at once.
    package static let climb = 1.5
    /// Nanoseconds of a queue that are borne meanwhile.
    package static let queue = 1e7
    /// Bytes a second at most.
    private static let most = 40e6
    /// Nanoseconds that it lasts.
    private static let time: Int64 = 300_000_000

    private var end: HostTime?
    /// Bytes a second that are sent at most: less once the link was full meanwhile.
    package private(set) var most = Self.most

    package init() {}

    /// Whether its time is not over yet.
    package var isOn: Bool { end != nil }

    package mutating func begin(now: HostTime) { (end, most) = (now.advanced(byNanoseconds: Self.time), Self.most) }

    /// The link is full: no more than this is sent from now on.
    package mutating func limit(to rate: Double) {
        precondition(isOn, "a haste that is over has no limit")
        most = rate
    }

    /// Ends it when its time is over.
    ///
    /// - Returns: whether that is now.
    package mutating func endIfDue(now: HostTime) -> Bool {
        guard let end, end <= now else { return false }
        self.end = nil
        return true
    }
}
