/// How to encode; each codec reads what concerns it.
package struct EncoderOptions: Sendable, Hashable {
    /// Bits of a sample on the wire for PCM and FLAC, 16 or 24; nil takes the least that holds the source.
    package var wireBitDepth: Int?
    /// Opus: bits a second, within `opusBitrates`.
    package var opusBitrate: Int
    /// Opus: effort, 0 … 10.
    package var opusComplexity: Int
    /// FLAC: effort, 0 … 8. More than 4 costs half as much time again, or twice, for about 2 % fewer bytes.
    package var flacLevel: Int
    /// PCM: milliseconds of sound in a packet, 1 … 20.
    package var packetMilliseconds = 20
    /// Seed of the dither that is laid under samples when the source is deeper than the wire.
    package var ditherSeed: UInt64

    /// The bit rates that Opus is used at.
    package static let opusBitrates = 64_000...320_000

    /// Options with the defaults of the project.
    package init(
        wireBitDepth: Int? = nil, opusBitrate: Int = 160_000, opusComplexity: Int = 9, flacLevel: Int = 4,
        ditherSeed: UInt64 = 0x9E37_79B9_7F4A_7C15
    ) {
        self.wireBitDepth = wireBitDepth
        self.opusBitrate = opusBitrate
        self.opusComplexity = opusComplexity
        self.flacLevel = flacLevel
        self.ditherSeed = ditherSeed
    }
}
