package import TuttiRooms

/// Other things of a player that are worth a line.
package enum PlayerNotice: Sendable, Equatable {
    /// This room is missing at the start; the others play, and it is tried again.
    case roomMissing(room: String, SenderError)
    /// This room is not ready in time for the start; it joins.
    case roomLate(room: String)
    /// So many tracks in a row cannot be played that the queue stops.
    case givenUp(failures: Int)
    /// An earlier process played its standard input, which this one cannot read.
    case standardInputLost
    /// The rooms had played all their audio when this process found them.
    case roomsRanOut
    /// A track's pictures cannot be shown, or not to the end; its sound plays.
    case pictures(String)
    /// A film lacks the audio track that was chosen; another one plays.
    case tracks(String)
    /// A line of the service, or of a player in another process.
    case said(String)
}

extension PlayerNotice: CustomStringConvertible {
    /// One line for people.
    package var description: String {
        switch self {
        case .roomMissing(_, let error): "playing without \(error)"
        case .roomLate(let room): "starting without \(room), which is not ready; it joins later"
        case .givenUp(let failures): SenderError.givenUp(failures: failures).description
        case .standardInputLost:
            "standard input is lost: only what was read before still plays"
        case .roomsRanOut: "the rooms ran out of audio; they continue where they stopped"
        case .pictures(let reason), .tracks(let reason), .said(let reason): reason
        }
    }
}
