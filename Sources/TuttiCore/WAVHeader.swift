/// What stands before the sound in a RIFF/WAVE file.
package struct WAVHeader: Sendable, Equatable {
    /// Bytes before the first frame, in a file that is written at once.
    package static let byteCount = 44
    /// Bytes before the first frame, in a recording whose length nobody knows yet.
    package static let growingByteCount = 80

    /// Frames a second.
    package var sampleRate: Int
    package var channelCount: Int
    package var layout: SampleLayout

    /// A header for sound of the given form.
    package init(sampleRate: Int, channelCount: Int, layout: SampleLayout) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.layout = layout
    }

    /// Bytes of one frame.
    package var frameBytes: Int { channelCount * layout.bytesPerSample }

    // MARK: Writing

    /// The header of a file with `dataBytes` bytes of sound, of which the format counts no more than 4 GiB.
    package func bytes(dataBytes: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            var writer = Writer(target: UnsafeMutableRawBufferPointer(buffer))
            let size = UInt32(clamping: dataBytes)
            writer.tag("RIFF")
            writer.number(size.addingReportingOverflow(36).partialValue)
            writer.tag("WAVE")
            writeFormat(&writer)
            writer.tag("data")
            writer.number(size)
            count = writer.offset
        }
    }

    /// A whole file of 16-bit samples, those of one frame beside each other.
    package static func file(_ samples: [Int16], sampleRate: Int, channelCount: Int) -> [UInt8] {
        let header = WAVHeader(sampleRate: sampleRate, channelCount: channelCount, layout: .int16)
        var bytes = header.bytes(dataBytes: 2 * samples.count)
        bytes.reserveCapacity(bytes.count + 2 * samples.count)
        for sample in samples {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }

    /// Writes the header of a recording that has `dataBytes` bytes of sound by now into `target`, which holds
    /// `growingByteCount` bytes. It has a `JUNK` chunk that becomes the `ds64` of an RF64 file (EBU Tech 3306) once the
    /// sound is longer than 32 bits count. Allocates nothing.
    ///
    /// - Parameter trailingBytes: those of chunks after the sound.
    package func writeGrowing(
        into target: UnsafeMutableRawBufferPointer, dataBytes: UInt64, trailingBytes: UInt64 = 0
    ) {
        let padded = dataBytes + dataBytes % 2
        let riffBytes = padded + trailingBytes + UInt64(Self.growingByteCount) - 8
        let isLong = riffBytes > UInt64(UInt32.max)
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
        writeFormat(&writer)
        writer.tag("data")
        writer.number(UInt32(clamping: isLong ? .max : dataBytes))
    }

    private func writeFormat(_ writer: inout Writer) {
        writer.tag("fmt ")
        writer.number(UInt32(16))
        writer.number(UInt16(layout == .float32 ? Self.floats : Self.integers))
        writer.number(UInt16(truncatingIfNeeded: channelCount))
        writer.number(UInt32(truncatingIfNeeded: sampleRate))
        writer.number(UInt32(truncatingIfNeeded: sampleRate * frameBytes))
        writer.number(UInt16(truncatingIfNeeded: frameBytes))
        writer.number(UInt16(truncatingIfNeeded: layout.bytesPerSample * 8))
    }

    /// The kinds of samples, as the format counts them.
    static let (integers, floats, extended) = (1, 3, 0xFFFE)

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
