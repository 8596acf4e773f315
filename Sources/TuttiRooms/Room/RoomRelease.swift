/// How far a room that was taken out of the group has been told so.
package struct RoomRelease {
    /// Whether goodbye was said on this connection.
    private(set) var isTold = false
    /// Whether the connection was made for that alone.
    private(set) var isCalledAgain = false
    /// Whether the room has confirmed it.
    private(set) var isConfirmed = false

    package init() {}

    /// Goodbye is said now.
    package mutating func tell() { isTold = true }

    /// The room is called once more.
    package mutating func callAgain() { (isTold, isCalledAgain) = (false, true) }

    /// The room confirms that it has read it.
    package mutating func confirm() { isConfirmed = true }

    /// Whether nothing is left to be told once a connection is over. Programs from before only hang up when they have
    /// read the goodbye, which another connection may make them do as well; so they are called once more.
    ///
    /// - Parameter holdsNothing: whether the room has reported that it has nothing of the timeline.
    package func isOver(holdsNothing: Bool) -> Bool { isConfirmed || isTold && isCalledAgain && holdsNothing }
}
