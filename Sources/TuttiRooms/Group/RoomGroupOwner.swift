package import TuttiCore
package import TuttiSchema

/// Whoever plays a timeline in a `RoomGroup`. Told what happens on the group's event loop, in the midst of things: what
/// the group has to do next on its own account is done already.
package protocol RoomGroupOwner: AnyObject {
    /// Something has happened.
    func take(_ news: RoomGroupEvent)
}

/// What happens in a group of rooms.
package enum RoomGroupEvent: Sendable {
    /// A room came, went, changed its state or has something to say: for people.
    case room(name: String, RoomEvent, message: String)
    /// Rooms stand otherwise than before: what waits for them may go on.
    case changed
    /// Rooms have been sent the timeline up to here, or need it from here on.
    case sent(upTo: MediaTime)
    /// A room lacks what is not in the log, since the other rooms have it.
    case lacking
    /// Messages to rooms wait for `release`, until what they are about is written down.
    case heldBack
    /// The last room has gone for good.
    case abandoned(SenderError)
}
