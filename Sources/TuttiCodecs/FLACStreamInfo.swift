/// The STREAMINFO block of a FLAC stream (RFC 9639, section 8.2): what a frame alone may leave out.
struct FLACStreamInfo: Equatable {
    /// Frames in the smallest block; at least 16.
    let minimumBlockSize: Int
    /// Frames in the largest block; at most 65 535.
    let maximumBlockSize: Int
    /// Frames a second.
    let sampleRate: Int
    /// Channels, 1 … 8.
    let channelCount: Int
    /// Bits of a sample, 4 … 32.
    let bitDepth: Int

    /// Bytes of the block.
    static let byteCount = 34

    /// Reads the block's 34 bytes.
    init(parsing bytes: [UInt8]) throws(CodecError) {
        guard bytes.count == Self.byteCount else {
            throw .invalidFormat("a FLAC magic cookie is \(Self.byteCount) bytes long, not \(bytes.count)")
        }
        minimumBlockSize = Int(bytes[0]) << 8 | Int(bytes[1])
        maximumBlockSize = Int(bytes[2]) << 8 | Int(bytes[3])
        sampleRate = Int(bytes[10]) << 12 | Int(bytes[11]) << 4 | Int(bytes[12]) >> 4
        channelCount = (Int(bytes[12]) >> 1 & 7) + 1
        bitDepth = (Int(bytes[12] & 1) << 4 | Int(bytes[13]) >> 4) + 1
        guard minimumBlockSize >= 16, maximumBlockSize >= minimumBlockSize else {
            throw .invalidFormat("FLAC block sizes \(minimumBlockSize) to \(maximumBlockSize)")
        }
    }
}
