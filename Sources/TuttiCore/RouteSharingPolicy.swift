/// What a programme is to the room that it plays in.
public enum RouteSharingPolicy: String, Sendable, Hashable {
    /// Music, podcasts, audiobooks: it owns the room, and nobody else plays there meanwhile.
    case longForm
    /// A chime or an announcement: an overlay, mixed into whatever the owner plays.
    case `default`
}
