import TuttiCore

/// Names of services on the network.
package enum ServiceName {
    /// The type under which speakers are published.
    package static let type = "_tutti-speaker._tcp"
    /// The most bytes of UTF-8 that DNS-SD lets an instance's name have (RFC 6763, section 4.1.1).
    package static let maximumBytes = 63

    /// The instance name for a speaker's name: without control characters, cut between characters, never empty.
    package static func instance(for name: String) -> String {
        let clean = fitting(name, maximumBytes: maximumBytes)
        return clean.isEmpty ? "Tutti" : clean
    }

    /// What a speaker is called on the network that keeps its name to its household: its id says nothing of the room.
    package static func withoutName(id: String) -> String { "Tutti \(id.prefix(8))" }

    /// As much of `text`, without its control characters, as `maximumBytes` bytes of UTF-8 hold.
    package static func fitting(_ text: String, maximumBytes: Int) -> String {
        var result = ""
        var bytes = 0
        for character in PeerText.shown(text) {
            bytes += character.utf8.count
            guard bytes <= maximumBytes else { break }
            result.append(character)
        }
        return result
    }
}
