package import TuttiRooms

/// Something worth a line that a player tells besides.
package enum PlayerNotice: Sendable, Equatable {
    /// This room is not to be had when it begins; the others play, and it is tried again.
    case roomMissing(room: String, SenderError)
    /// This room is not ready in time for the start; it joins.
    case roomLate(room: String)
    /// So many tracks in a row cannot be played that those behind them are not tried.
    case givenUp(failures: Int)
    /// What an earlier process read from its standard input.
    case standardInputLost
    /// The rooms had played all that they held when this process found them.
    case roomsRanOut
    /// What another one has to say: the service, or a player in another process.
    case said(String)
}

extension PlayerNotice: CustomStringConvertible {
    /// One line for people.
    package var description: String {
        switch self {
        case .roomMissing(_, let error): "goes on without \(error)"
        case .roomLate(let room): "starts without \(room), which is not ready; it will join"
        case .givenUp(let failures): SenderError.givenUp(failures: failures).description
        case .standardInputLost:
            "standard input cannot be gone on with: what has been read of it is played to its end"
        case .roomsRanOut: "the rooms had run out of sound; they go on where they ended"
        case .said(let text): text
        }
    }
}
