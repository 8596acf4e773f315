/// The identification header of an Opus stream (RFC 7845, section 5.1), as far as a decoder of one or two channels
/// needs it.
struct OpusHead: Equatable {
    /// Channels, 1 or 2.
    let channelCount: Int
    /// Gain to apply to the output, in 1/256 dB.
    let outputGain: Int16

    /// Reads a header; mapping family 0 only.
    init(parsing bytes: [UInt8]) throws(CodecError) {
        guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8), bytes[8] >> 4 == 0 else {
            throw .invalidFormat("the Opus magic cookie is not an OpusHead")
        }
        guard bytes[18] == 0, (1...2).contains(bytes[9]) else {
            throw .unsupported("Opus with \(bytes[9]) channels in mapping family \(bytes[18])")
        }
        channelCount = Int(bytes[9])
        outputGain = Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8)
    }
}
