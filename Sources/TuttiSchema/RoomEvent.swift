/// What happened to a room.
package enum RoomEvent: Sendable, Hashable {
    /// It does something else than before, or cannot be reached.
    case state(RoomStatus.State)
    /// It is connected.
    case connected
    /// The connection is lost; it is tried again.
    case lost
    /// It is no longer one of the rooms.
    case removed
    /// Its link carries less than the music needs, so it gets Opus.
    case thinner
    /// It gets the full quality again.
    case whole
    /// Its link is slow, and there is nothing thinner for it.
    case slow
    /// Its link loses large packets.
    case narrow
    /// It has another address.
    case moved
    /// Its speaker is too old to follow a reference room.
    case reference
    /// The speaker's own word for something else.
    case told(String)
}

extension RoomEvent: CustomStringConvertible {
    /// Those with a word of their own.
    private static let named: [(event: RoomEvent, word: String)] = [
        (.connected, "connected"), (.lost, "lost"), (.removed, "removed"), (.thinner, "thinner"), (.whole, "whole"),
        (.slow, "slow"), (.narrow, "narrow"), (.moved, "moved"), (.reference, "reference"),
    ]

    /// The words that are no state of a room.
    package static var words: [String] { named.map(\.word) }

    /// The event that a word of `docs/json.md` means.
    package init(word: String) {
        if let state = RoomStatus.State(rawValue: word) {
            self = .state(state)
        } else {
            self = Self.named.first { $0.word == word }?.event ?? .told(word)
        }
    }

    /// Whether its sound is gone, or breaks off, though nothing more is said of it.
    package var isTrouble: Bool { [.lost, .state(.lostDevice), .state(.stalled)].contains(self) }

    /// The word of `docs/json.md`.
    package var description: String {
        switch self {
        case .state(let state): state.rawValue
        case .told(let word): word
        default: Self.named.first { $0.event == self }?.word ?? ""
        }
    }
}

extension RoomEvent: Codable {
    /// Reads a word.
    package init(from decoder: any Decoder) throws {
        self.init(word: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
