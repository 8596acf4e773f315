package import TuttiCore
package import TuttiSchema

/// Whoever plays a timeline in a `RoomGroup`. Told what happens on the group's event loop, in the midst of things: what
/// the group has to do next on its own account is done already.
package protocol RoomGroupOwner: AnyObject {
    /// Something has happened.
    func take(_ event: RoomGroupEvent)
}

/// What happens in a group of rooms.
package enum RoomGroupEvent: Sendable {
    /// A room came, went, changed its state or has a message for people.
    case room(name: String, RoomEvent, message: String)
    /// The state of rooms has changed: what waits for them may proceed.
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
