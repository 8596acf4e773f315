package import TuttiHost
package import TuttiTrust
package import TuttiWire

/// Whom a room's speaker belongs to, and by what the sender that looks knows that.
package struct RoomClaim: Sendable {
    /// Whom it belongs to.
    package var owner: RoomOwner
    /// The household's id, as the speaker tells its members; nil for a speaker that tells this sender nothing.
    package var household: String?
    /// The sender that has claimed it.
    package var claimant: Welcome.Claimant?
    /// The fingerprint of the speaker's key that this sender remembers under the room's name; nil for a room that it
    /// has not met.
    package var pin: String?

    /// Looks at a room, without disturbing who plays there; blocks for three seconds at most.
    ///
    /// - Parameter trust: the household of whoever looks; nil to look in the clear.
    package init(of found: FoundRoom, as trust: Membership?, clock: HostClock) {
        let room = found.room
        pin = trust?.pin(of: room.name)
        if let pin, !found.id.isEmpty, pin != found.id {
            owner = .mismatch
            return
        }
        // Whatever the speaker calls itself: names that are taken get a number on the network.
        let place = RoomAddress(name: "", host: room.host, port: room.port)
        func isOpen() -> Bool { (try? RoomLook(at: place, as: nil, clock: clock)) != nil }
        do throws(SenderError) {
            let welcome = try RoomLook(at: place, as: trust, clock: clock).welcome
            (household, claimant) = (welcome.household, welcome.claimant)
            switch welcome.household {
            case nil: owner = trust == nil || isOpen() ? .open : .nobody
            case trust?.household: owner = .household
            default: owner = .other
            }
        } catch .roomRefused {
            // A speaker that is nobody's refuses a sender only in the clear.
            owner = found.isClaimed ? .other : trust == nil ? .nobody : .mismatch
        } catch {
            owner = trust != nil && isOpen() ? .open : .unreachable
        }
    }
}
