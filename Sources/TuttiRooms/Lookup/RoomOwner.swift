package import TuttiHost
package import TuttiTrust
import TuttiWire

/// Whom a room's speaker belongs to, as one sender sees it.
package enum RoomOwner: String, Sendable, CaseIterable {
    /// Nobody: the first household that plays there claims it.
    case nobody
    /// The sender's own household.
    case household
    /// A household that this sender is not in, or that has revoked it.
    case other
    /// Another speaker answers for the room than this sender has met, or one that cannot show that it has the room's
    /// token.
    case mismatch
    /// Everybody may play there, also in the clear.
    case open
    /// It does not answer.
    case unreachable

    /// Looks at a room, without disturbing who plays there; blocks for three seconds at most.
    ///
    /// - Parameter trust: the household of whoever looks; nil to look in the clear.
    package init(of found: FoundRoom, as trust: Membership?, clock: HostClock) {
        let room = found.room
        let pin = trust?.pin(of: room.name)
        if let pin, !found.id.isEmpty, pin != found.id {
            self = .mismatch
            return
        }
        // Whatever the speaker calls itself: names that are taken get a number on the network.
        let place = RoomAddress(name: "", host: room.host, port: room.port)
        func isOpen() -> Bool { (try? RoomLook(at: place, as: nil, clock: clock)) != nil }
        do throws(SenderError) {
            let owner = try RoomLook(at: place, as: trust, clock: clock).welcome.household
            switch owner {
            case nil: self = trust == nil || isOpen() ? .open : .nobody
            case trust?.household: self = .household
            default: self = .other
            }
        } catch .roomRefused {
            // A speaker that is nobody's refuses a sender only in the clear.
            self = found.isClaimed ? .other : trust == nil ? .nobody : .mismatch
        } catch {
            self = trust != nil && isOpen() ? .open : .unreachable
        }
    }
}
