/// What has changed, as `idle` reports it.
package struct MPDSubsystems: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let database = Self(rawValue: 1 << 0)
    package static let storedPlaylist = Self(rawValue: 1 << 1)
    package static let playlist = Self(rawValue: 1 << 2)
    package static let player = Self(rawValue: 1 << 3)
    package static let mixer = Self(rawValue: 1 << 4)
    package static let output = Self(rawValue: 1 << 5)
    package static let options = Self(rawValue: 1 << 6)
    package static let sticker = Self(rawValue: 1 << 7)
    package static let update = Self(rawValue: 1 << 8)
    package static let subscription = Self(rawValue: 1 << 9)
    package static let message = Self(rawValue: 1 << 10)
    package static let neighbor = Self(rawValue: 1 << 11)
    package static let mount = Self(rawValue: 1 << 12)
    package static let partition = Self(rawValue: 1 << 13)

    /// By the words of the protocol, in the order that MPD reports them.
    private static let words: [(word: String, subsystem: Self)] = [
        ("database", .database), ("stored_playlist", .storedPlaylist), ("playlist", .playlist), ("player", .player),
        ("mixer", .mixer), ("output", .output), ("options", .options), ("sticker", .sticker), ("update", .update),
        ("subscription", .subscription), ("message", .message), ("neighbor", .neighbor), ("mount", .mount),
        ("partition", .partition),
    ]

    /// All there are.
    package static let all = Self(words.map(\.subsystem))

    /// What concerns one partition alone.
    package static let ofPartition: Self = [.playlist, .player, .mixer, .output, .options]

    /// The subsystem of a word; nil for none.
    package init?(word: String) {
        guard let known = Self.words.first(where: { $0.word == word }) else { return nil }
        self = known.subsystem
    }

    /// The words of those that are in it.
    package var words: [String] { Self.words.filter { contains($0.subsystem) }.map(\.word) }
}
