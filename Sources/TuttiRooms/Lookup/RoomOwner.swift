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
}
