package import TuttiCore
package import TuttiWire

/// How loud a room is, and what it was told of that and has not confirmed.
package struct RoomLoudness: Sendable {
    /// The volume that it was told, or reports; stays when its status is forgotten.
    package private(set) var level = VolumeCommand(percent: 100)
    /// Whether `level` is more than what is assumed of a room that has reported nothing yet.
    package private(set) var isKnown = false
    /// The volumes that it can be set to, as it reports them.
    package private(set) var range = 0.0...100.0
    /// How loud it would be if the scale had no ends: changes of all rooms keep the balance between them.
    package var balance: Double?
    /// The volume that it was told, until it confirms that.
    package private(set) var unconfirmed: VolumeCommand?
    /// Whether it was told that twice.
    private var isToldTwice = false
    /// Until when its reports may be from before it was told another volume.
    private var settlesAt = HostTime(nanoseconds: 0)

    /// Nanoseconds for which its reports are not believed after a change.
    private static let settlingTimeout: Int64 = 500_000_000
    /// Percent by which a confirmed volume may differ from the one that was told.
    private static let tolerance = 0.01

    package init() {}

    /// A room as it was written down, which may not know of `unconfirmed`.
    package init(balance: Double?, unconfirmed: VolumeCommand?) {
        self.balance = balance.flatMap { (-100...200).contains($0) ? $0 : nil }
        self.unconfirmed = unconfirmed.flatMap { (0...100).contains($0.percent) ? $0 : nil }
    }

    /// The room is told this volume now, or what is nearest to it of those that it can be set to.
    ///
    /// - Returns: what to tell it.
    @discardableResult
    package mutating func set(_ level: VolumeCommand, now: HostTime) -> VolumeCommand {
        precondition((0...100).contains(level.percent), "a volume is from 0 to 100")
        let level = level.held(to: range)
        (self.level, isKnown, unconfirmed, isToldTwice) = (level, true, level, false)
        settlesAt = now.advanced(byNanoseconds: Self.settlingTimeout)
        return level
    }

    /// Takes what the room reports. A room that does not report what it was told is told once more; what it reports
    /// after that, somebody else has set.
    ///
    /// - Parameter range: the volumes that it can be set to.
    /// - Returns: what to tell it again; nil for nothing.
    package mutating func take(
        _ reported: VolumeCommand, range: ClosedRange<Double> = 0...100, now: HostTime
    ) -> VolumeCommand? {
        self.range = range
        let again = repetition(after: reported, now: now)
        if settlesAt <= now { (level, isKnown) = (reported, true) }
        return again
    }

    private mutating func repetition(after reported: VolumeCommand, now: HostTime) -> VolumeCommand? {
        guard let wanted = unconfirmed?.held(to: range) else { return nil }
        let isConfirmed =
            abs(reported.percent - wanted.percent) < Self.tolerance && reported.isMuted == wanted.isMuted
        if isConfirmed || isToldTwice && settlesAt <= now {
            (unconfirmed, isToldTwice) = (nil, false)
        } else if settlesAt <= now {
            set(wanted, now: now)
            isToldTwice = true
            return wanted
        }
        return nil
    }

    /// Where a change of all rooms begins: beyond the ends of what the room can be set to, unless its volume has been
    /// set alone since.
    package var balancedPercent: Double {
        guard let balance, abs(balance.held(to: range) - level.percent) < Self.tolerance else { return level.percent }
        return balance
    }
}
