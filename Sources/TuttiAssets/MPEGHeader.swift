#if FFmpeg
/// The header of an MPEG audio frame (ISO 11172-3, section 2.4.2.3), as far as its length in frames goes.
enum MPEGHeader {
    private static let sampleRates = [44_100, 48_000, 32_000]

    /// What a packet of layer III is for a medium of `sampleRate`.
    static func judge(_ packet: [UInt8], sampleRate: Int) -> PacketLength.Verdict {
        // Tags at the end of a file come as packets too and have no sound.
        if packet.starts(with: "TAG".utf8) { return .frames(0) }
        guard let (version, rateIndex) = read(packet.drop { $0 == 0 }) else { return .damaged }
        let shift = version == 3 ? 0 : version == 2 ? 1 : 2
        guard sampleRates[rateIndex] >> shift == sampleRate else { return .otherRate }
        return .frames(version == 3 ? 1_152 : 576)
    }

    /// The version, as it is encoded, and the sample rate's index of a frame of layer III; nil for what begins with
    /// none.
    static func read(_ bytes: ArraySlice<UInt8>) -> (version: UInt8, rateIndex: Int)? {
        let header = Array(bytes.prefix(4))
        guard header.count == 4, header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
        let (version, layer) = (header[1] >> 3 & 3, header[1] >> 1 & 3)
        let (rateIndex, bitrateIndex) = (Int(header[2] >> 2 & 3), header[2] >> 4)
        guard version != 1, layer == 1, rateIndex < 3, bitrateIndex != 15 else { return nil }
        return (version, rateIndex)
    }
}
#endif
