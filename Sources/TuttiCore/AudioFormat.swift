/// What the bytes of a `SampleBuffer` are: the coding, the sampling and what a decoder must know beforehand.
public struct AudioFormat: Sendable, Hashable {
    /// How samples are coded. The raw values are the names used on the wire and in `--json` output.
    public enum Codec: String, Sendable, Hashable, CaseIterable, Codable {
        /// Little-endian interleaved signed integers of 8, 16, 24 (packed) or 32 bits.
        case pcm
        /// Interleaved 32-bit IEEE floats in native order, full scale ±1: what decoders give.
        case float32
        /// FLAC frames; the magic cookie holds the 34-byte STREAMINFO block.
        case flac
        /// Opus packets (RFC 6716); rate always 48 000 Hz; the magic cookie is empty or an OpusHead (RFC 7845).
        case opus
        /// AAC access units; the magic cookie is an AudioSpecificConfig.
        case aac
        /// MPEG-1/2 layer III frames.
        case mp3
        /// Apple Lossless packets; the magic cookie is the `alac` atom's content.
        case alac
        /// Vorbis packets; the magic cookie holds the three headers, Xiph-laced.
        case vorbis

        /// Whether decoding gives the very samples that were encoded.
        package var isLossless: Bool {
            switch self {
            case .pcm, .float32, .flac, .alac: true
            case .opus, .aac, .mp3, .vorbis: false
            }
        }
    }

    /// The limits that every part of the system holds formats to.
    public enum Limits {
        /// Frames a second.
        public static let sampleRates = 8_000...192_000
        /// Channels.
        public static let channelCounts = 1...8
        /// Significant bits of a sample.
        public static let bitDepths = 8...32
        /// Bytes of a magic cookie.
        public static let magicCookieBytes = 65_536
    }

    /// The coding.
    public let codec: Codec
    /// Frames a second, within `Limits.sampleRates`.
    public let sampleRate: Int
    /// Interleaved channels, within `Limits.channelCounts`.
    public let channelCount: Int
    /// Significant bits of a sample, within `Limits.bitDepths`; 32 for floats; what the source had for lossy codecs.
    public let bitDepth: Int
    /// Decoder configuration; its meaning depends on the codec.
    public let magicCookie: [UInt8]

    /// A format, or nil when a field is outside `Limits`.
    public init?(
        codec: Codec, sampleRate: Int, channelCount: Int, bitDepth: Int, magicCookie: [UInt8] = []
    ) {
        guard Limits.sampleRates.contains(sampleRate), Limits.channelCounts.contains(channelCount),
            Limits.bitDepths.contains(bitDepth), magicCookie.count <= Limits.magicCookieBytes
        else { return nil }
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitDepth = bitDepth
        self.magicCookie = magicCookie
    }

    /// Bytes of one frame for `.pcm` and `.float32`; nil for compressed formats.
    public var bytesPerFrame: Int? {
        switch codec {
        case .pcm: channelCount * ((bitDepth + 7) / 8)
        case .float32: channelCount * 4
        default: nil
        }
    }
}

extension AudioFormat: CustomStringConvertible {
    /// `rate:bits:channels`, as in `48000:24:2`: the notation of `--format` and of `status --json`.
    public var description: String { "\(sampleRate):\(bitDepth):\(channelCount)" }
}
