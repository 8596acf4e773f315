extension ImpulseResponse {
    /// What the bytes of a response begin with.
    private static let mark = Array("TUTTIIR1".utf8)
    private static let headerBytes = 16

    /// The response as it travels and is kept: the mark `TUTTIIR1`, frames a second (u32), channels (u32), then the
    /// frames as interleaved 32-bit floats; all of it little-endian.
    package var bytes: [UInt8] {
        var result = Self.mark
        func append(_ value: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) { result.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        result.reserveCapacity(Self.headerBytes + 4 * channels.count * (channels.first?.count ?? 0))
        append(UInt32(clamping: sampleRate))
        append(UInt32(clamping: channels.count))
        for frame in 0..<(channels.first?.count ?? 0) {
            for channel in channels { append(channel[frame].bitPattern) }
        }
        return result
    }

    /// Reads what `bytes` gives; nil for anything else, and for a response that is outside the limits.
    package init?(bytes: [UInt8]) {
        guard bytes.count > Self.headerBytes, bytes.count % 4 == 0, bytes.starts(with: Self.mark) else { return nil }
        func word(_ index: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << (8 * UInt32($1)) }
        }
        let (rate, count) = (Int(word(2)), Int(word(3)))
        guard (8_000...384_000).contains(rate), (1...8).contains(count) else { return nil }
        let samples = (bytes.count - Self.headerBytes) / 4
        guard samples % count == 0 else { return nil }
        var channels = [[Float]](repeating: [], count: count)
        for channel in 0..<count {
            channels[channel] = (0..<samples / count).map { Float(bitPattern: word(4 + $0 * count + channel)) }
        }
        self.init(channels: channels, sampleRate: rate)
    }
}
