/// A piece of music, as far as the house can tell one from another.
package struct Song: Sendable, Equatable, Codable {
    /// How a song travels.
    package enum Codec: String, Sendable, Codable, CaseIterable {
        case flac, opus, pcm
        /// As it lies in its file.
        case original
    }

    package var name: String
    /// In nanoseconds.
    package var length: Int64
    /// Frames a second.
    package var sampleRate: Int
    package var codec: Codec
    /// What it takes on the wire, in bits a second.
    package var bitsPerSecond: Int64

    /// A song.
    package init(
        name: String, length: Int64, sampleRate: Int = 48_000, codec: Codec = .flac, bitsPerSecond: Int64 = 900_000
    ) {
        self.name = name
        self.length = length
        self.sampleRate = sampleRate
        self.codec = codec
        self.bitsPerSecond = bitsPerSecond
    }
}
