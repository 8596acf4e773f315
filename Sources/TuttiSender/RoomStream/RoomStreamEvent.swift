package import TuttiRooms
package import TuttiSchema

/// What a stream to rooms tells of its own accord; on its event loop.
package enum RoomStreamEvent: Sendable {
    /// A room came, went, changed its state or has a message for people.
    case room(name: String, RoomEvent, message: String)
    /// No room has been there for a while, or ever.
    case lost(SenderError)
    /// After `lost`, a room is there again.
    case restored
    /// How long before an instant the rooms have to hear of what changes then, in ns, and whether those there are could
    /// start at once.
    case leads(command: Int64, isReady: Bool)
}
