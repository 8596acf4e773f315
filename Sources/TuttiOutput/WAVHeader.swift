/// The first 80 bytes of a recording: RIFF/WAVE with a `JUNK` chunk that becomes the `ds64` of an RF64 file (EBU Tech 3306)
/// once the sound is longer than 32 bits count.
package struct WAVHeader: Sendable, Equatable {
    /// Bytes before the first frame.
    package static let byteCount = 80

    var sampleRate: Int
    var channelCount: Int
    var sampleType: OutputSampleType

    /// A header for sound of the given form.
    package init(sampleRate: Int, channelCount: Int, sampleType: OutputSampleType) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleType = sampleType
    }

    /// Writes the header of a file with `dataBytes` bytes of sound into `target`, which holds `byteCount` bytes.
    package func write(into target: UnsafeMutableRawBufferPointer, dataBytes: UInt64) {
        let padded = dataBytes + dataBytes % 2
        let riffBytes = padded + UInt64(Self.byteCount) - 8
        let isLong = riffBytes > UInt64(UInt32.max)
        let frameBytes = channelCount * sampleType.bytesPerSample
        var writer = Writer(target: target)
        writer.tag(isLong ? "RF64" : "RIFF")
        writer.number(UInt32(clamping: isLong ? .max : riffBytes))
        writer.tag("WAVE")
        writer.tag(isLong ? "ds64" : "JUNK")
        writer.number(UInt32(28))
        writer.number(isLong ? riffBytes : 0)
        writer.number(isLong ? dataBytes : 0)
        writer.number(isLong ? dataBytes / UInt64(max(frameBytes, 1)) : 0)
        writer.number(UInt32(0))
        writer.tag("fmt ")
        writer.number(UInt32(16))
        writer.number(UInt16(sampleType == .float32 ? 3 : 1))
        writer.number(UInt16(truncatingIfNeeded: channelCount))
        writer.number(UInt32(truncatingIfNeeded: sampleRate))
        writer.number(UInt32(truncatingIfNeeded: sampleRate * frameBytes))
        writer.number(UInt16(truncatingIfNeeded: frameBytes))
        writer.number(UInt16(truncatingIfNeeded: sampleType.bytesPerSample * 8))
        writer.tag("data")
        writer.number(UInt32(clamping: isLong ? .max : dataBytes))
    }

    private struct Writer {
        let target: UnsafeMutableRawBufferPointer
        var offset = 0

        mutating func tag(_ text: StaticString) {
            target.baseAddress?.advanced(by: offset).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
            offset += text.utf8CodeUnitCount
        }

        mutating func number(_ value: some FixedWidthInteger) {
            target.storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value))
            offset += value.bitWidth / 8
        }
    }
}
