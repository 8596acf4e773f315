/// What the bytes of a `VideoSampleBuffer` are: the coding, the picture's size and what a decoder must know beforehand.
public struct VideoFormat: Sendable, Hashable {
    /// How pictures are coded. The raw values are the names used in `--json` output.
    public enum Codec: String, Sendable, Hashable, CaseIterable, Codable {
        /// H.264 (AVC); the magic cookie is an AVCDecoderConfigurationRecord, or for a stream with start codes its
        /// parameter sets with such, or empty.
        case h264
        /// H.265 (HEVC); the magic cookie is an HEVCDecoderConfigurationRecord, or for a stream with start codes its
        /// parameter sets with such, or empty.
        case hevc
        case vp8
        case vp9
        /// AV1; the magic cookie is an AV1CodecConfigurationRecord or empty.
        case av1
        case mpeg1
        case mpeg2
        /// MPEG-4 part 2; the magic cookie holds its headers.
        case mpeg4
        /// A JPEG image for each picture.
        case mjpeg
        /// Theora; the magic cookie holds the three headers, as Matroska has them.
        case theora
    }

    /// The limits that every part of the system holds formats to.
    public enum Limits {
        /// Pixels of a side.
        public static let sides = 1...16_384
        /// Pixels of a picture: 8K and some.
        public static let pixels = 1...64 << 20
        /// Bytes of a magic cookie.
        public static let magicCookieBytes = 1 << 20
    }

    /// The coding.
    public let codec: Codec
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int
    /// The shape of a pixel.
    public let pixelAspectRatio: PixelAspectRatio
    /// Decoder configuration; its meaning depends on the codec.
    public let magicCookie: [UInt8]

    /// A format, or nil when a field is outside `Limits`.
    public init?(
        codec: Codec, width: Int, height: Int, pixelAspectRatio: PixelAspectRatio = .square, magicCookie: [UInt8] = []
    ) {
        guard Limits.sides.contains(width), Limits.sides.contains(height), Limits.pixels.contains(width * height),
            magicCookie.count <= Limits.magicCookieBytes
        else { return nil }
        self.codec = codec
        self.width = width
        self.height = height
        self.pixelAspectRatio = pixelAspectRatio
        self.magicCookie = magicCookie
    }
}
