package import TuttiCodecs
package import TuttiCore
package import TuttiRooms

/// How the timeline travels.
package struct EncodingOptions: Sendable {
    /// FLAC, Opus or PCM. Where originals are kept: what the others travel in.
    package var codec: AudioFormat.Codec
    /// Whether tracks travel in the packets that they lie in, as far as speakers can decode those.
    package var keepsOriginals = false
    /// What the codec is told.
    package var encoder: EncoderOptions
    /// What samples are multiplied with before they are encoded; beyond full scale they are cut.
    package var gain: Float = 1

    /// The codecs that can be asked for.
    package static let codecs: [AudioFormat.Codec] = [.flac, .opus, .pcm]

    /// The name of the choice that keeps originals.
    package static let originalName = "original"

    /// Tracks as they are; FLAC for those that cannot travel so, and for speakers that cannot decode them.
    package static var original: EncodingOptions {
        get throws(SenderError) {
            var options = try EncodingOptions()
            options.keepsOriginals = true
            return options
        }
    }

    /// - Throws: `SenderError.badOption` for a codec that speakers do not all have, or a bit rate that Opus does not
    ///   keep to.
    package init(codec: AudioFormat.Codec = .flac, bitrate: Int? = nil) throws(SenderError) {
        guard Self.codecs.contains(codec) else {
            throw .badOption("\(codec.rawValue): no such codec; use flac, opus, pcm or original")
        }
        var encoder = EncoderOptions()
        if let bitrate {
            guard codec == .opus else { throw .badOption("only the codec opus takes a bit rate") }
            guard EncoderOptions.opusBitrates.contains(bitrate) else {
                throw .badOption("\(bitrate / 1000) kb/s: the bit rate of Opus is 64 to 320 kb/s")
            }
            encoder.opusBitrate = bitrate
        }
        self.codec = codec
        self.encoder = encoder
    }

    /// Bits of samples that were multiplied, at least: they are finer than those of the source.
    static let scaledBitDepth = 24

    /// Bits of the samples of a source of `depth` bits.
    func bitDepth(ofSource depth: Int) -> Int { gain == 1 ? depth : max(depth, Self.scaledBitDepth) }

    /// Samples with the gain.
    func scaled(_ samples: [Float]) -> [Float] { gain == 1 ? samples : samples.map { $0 * gain } }
}
