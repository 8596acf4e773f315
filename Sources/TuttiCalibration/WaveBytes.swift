/// A WAV file of one channel of 16 bits, for programmes that are made and not read.
package enum WaveBytes {
    /// The bytes of the file.
    ///
    /// - Parameter samples: full scale at ±1; beyond that they are clipped.
    package static func encode(_ samples: [Float], sampleRate: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + 2 * samples.count)
        func append(_ value: some FixedWidthInteger) {
            for shift in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        let size = UInt32(clamping: 2 * samples.count)
        bytes += "RIFF".utf8
        append(size.addingReportingOverflow(36).partialValue)
        bytes += "WAVEfmt ".utf8
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(clamping: sampleRate))
        append(UInt32(clamping: 2 * sampleRate))
        append(UInt16(2))
        append(UInt16(16))
        bytes += "data".utf8
        append(size)
        for sample in samples { append(Int16((min(max(sample, -1), 1) * 32_767).rounded())) }
        return bytes
    }
}
