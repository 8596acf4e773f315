package import TuttiCodecs
package import TuttiCore

/// How the programme travels.
package struct EncodingOptions: Sendable {
    /// FLAC, Opus or PCM.
    package var codec: AudioFormat.Codec
    /// What the codec is told.
    package var encoder: EncoderOptions

    /// The codecs that can be asked for.
    package static let codecs: [AudioFormat.Codec] = [.flac, .opus, .pcm]

    /// - Throws: `SenderError.badOption` for a codec that speakers do not all have, or a bit rate that Opus does not keep to.
    package init(codec: AudioFormat.Codec = .flac, bitrate: Int? = nil) throws(SenderError) {
        guard Self.codecs.contains(codec) else { throw .badOption("\(codec.rawValue): the codec is flac, opus or pcm") }
        var encoder = EncoderOptions()
        if let bitrate {
            guard codec == .opus else { throw .badOption("a bit rate is for --codec opus alone") }
            guard EncoderOptions.opusBitrates.contains(bitrate) else {
                throw .badOption("\(bitrate / 1000) kb/s: Opus is sent at 64 to 320 kb/s")
            }
            encoder.opusBitrate = bitrate
        }
        self.codec = codec
        self.encoder = encoder
    }
}
