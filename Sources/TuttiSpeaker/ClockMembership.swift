package import TuttiCore
package import TuttiDiscovery
package import TuttiTiming
package import TuttiWire

/// The clock that the speaker has been told to share, and by whom.
package struct ClockMembership: Sendable {
    /// What becomes of a clock that a sender brings.
    package enum Reception: Sendable, Equatable {
        /// It is followed.
        case follow
        /// It is followed, and overlays are sent away: they are on the clock before, and find the new one when they
        /// come again.
        case followAndDismissOverlays
        /// It is the one that is followed, or nothing to an overlay.
        case ignore
        /// The overlay that brings it is sent away: the room has another one.
        case dismiss
    }

    /// The members in the order in which they are asked, as last announced.
    package private(set) var announcement: ClockAnnouncement?
    /// The overlay that the clock came from, while it is here.
    private var giver: Slot?
    /// Where this host stood in its group clock when it was last looked at.
    private var standing: GroupClock.Standing?
    /// What the network was told last.
    private var published: SpeakerClock?

    /// No clock is known.
    package init() {}

    /// A sender brings a clock.
    ///
    /// - Parameters:
    ///   - isAlone: whether nobody else is here.
    ///   - hasClock: whether the room knows a clock.
    package mutating func receive(
        _ announcement: ClockAnnouncement, from slot: Slot, isAlone: Bool, hasClock: Bool
    ) -> Reception {
        let isOther = announcement.timescale != self.announcement?.timescale
        guard slot != .owner else {
            giver = nil
            return isOther ? .followAndDismissOverlays : .follow
        }
        guard isAlone, !hasClock || giver == slot else { return isOther ? .dismiss : .ignore }
        giver = slot
        return .follow
    }

    /// An overlay is gone.
    package mutating func left(_ slot: Slot) {
        if giver == slot { giver = nil }
    }

    /// Takes the clock's members.
    ///
    /// - Returns: whether the clock is another than before.
    package mutating func follow(_ announcement: ClockAnnouncement) -> Bool {
        defer { self.announcement = announcement }
        return announcement.timescale != self.announcement?.timescale
    }

    /// Who began a clock, as far as it was announced.
    package func origin(of timescale: TimescaleID) -> String? {
        announcement.flatMap { $0.timescale == timescale ? $0.origin : nil }
    }

    /// Takes note of where this host stands.
    ///
    /// - Returns: whether it stood elsewhere before, and whether another member than before is asked for the same time.
    package mutating func note(_ standing: GroupClock.Standing?) -> (isNew: Bool, asksAnother: Bool) {
        defer { self.standing = standing }
        guard let standing, let before = self.standing, before.timescale == standing.timescale else {
            return (standing != self.standing, false)
        }
        return (standing != before, standing.parent != before.parent)
    }

    /// Whether the network has been told something else, which it is told now.
    package mutating func publish(_ clock: SpeakerClock) -> Bool {
        defer { published = clock }
        return clock != published
    }
}
