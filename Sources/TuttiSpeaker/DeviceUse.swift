package import TuttiCore

/// When the output device is open.
///
/// While it is closed, other programs can have it, and an amplifier that looks for a signal switches itself off.
package struct DeviceUse: Sendable {
    /// When a device that nobody needs any more is let go.
    package enum Release: Sendable, Equatable {
        /// Soon after the last sender has left, for the next one to start quickly. While a sender is connected the device
        /// is open, also in a pause.
        case afterSenders
        /// So many nanoseconds after nothing plays any more, whether a sender is connected or not.
        case after(Int64)
        /// Never: it is open from the speaker's start on.
        case never
    }

    /// Nanoseconds for which a device that was needed counts as in use.
    private static let linger: Int64 = 3_000_000_000
    /// Nanoseconds within which a device that was let go plays in step: until it is open, and its clock known.
    package static let openingTime: Int64 = 300_000_000

    /// When it is let go.
    package let release: Release
    private var neededAt: HostTime?

    /// Nobody has needed it.
    package init(_ release: Release) { self.release = release }

    /// It is needed now.
    package mutating func note(now: HostTime) { neededAt = now }

    /// Whether it is needed now.
    ///
    /// - Parameters:
    ///   - isOccupied: whether a sender is here.
    ///   - isSounding: whether there is sound, or will be at an instant that is known.
    package func isNeeded(isOccupied: Bool, isSounding: Bool) -> Bool {
        switch release {
        case .afterSenders: isOccupied || isSounding
        case .after, .never: isSounding
        }
    }

    /// Whether it was needed a moment ago.
    package func isInUse(now: HostTime) -> Bool { wasNeeded(within: Self.linger, of: now) }

    /// Whether it is to be open.
    package func isOpen(now: HostTime) -> Bool {
        switch release {
        case .afterSenders: isInUse(now: now)
        case .after(let duration): wasNeeded(within: duration, of: now)
        case .never: true
        }
    }

    private func wasNeeded(within duration: Int64, of now: HostTime) -> Bool {
        neededAt.map { now.nanoseconds(since: $0) < duration } ?? false
    }
}
