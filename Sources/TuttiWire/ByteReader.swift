import TuttiCore

/// Reads big-endian integers from the front of a body whose length the caller has checked.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The next integer.
    ///
    /// - Precondition: the bytes are there.
    mutating func read<Integer: FixedWidthInteger & UnsignedInteger>(_: Integer.Type = Integer.self) -> Integer {
        let end = index + Integer.bitWidth / 8
        var value: Integer = 0
        for byte in bytes[index..<end] { value = value << 8 | Integer(byte) }
        index = end
        return value
    }

    /// The next time: its value as i64, its timescale as u32.
    ///
    /// - Precondition: the bytes are there.
    /// - Throws: `malformedPacket` for one that is out of range.
    mutating func readTime() throws(WireError) -> MediaTime {
        let value = Int64(bitPattern: read())
        let timescale = Int32(exactly: read(UInt32.self)) ?? 0
        guard let time = MediaTime(value: value, timescale: timescale) else {
            throw .malformedPacket("the presentation time \(value)/\(timescale) is out of range")
        }
        return time
    }

    /// The next bytes.
    ///
    /// - Precondition: they are there.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { index += count }
        return bytes[index..<index + count]
    }

    /// Everything not read yet.
    var rest: ArraySlice<UInt8> { bytes[index...] }
}

extension [UInt8] {
    /// Appends an integer in big-endian order.
    mutating func appendBigEndian<Integer: FixedWidthInteger>(_ value: Integer) {
        var shift = Integer.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
            shift -= 8
        }
    }

    /// Appends a time as `ByteReader.readTime` reads it.
    mutating func appendBigEndian(_ time: MediaTime) {
        appendBigEndian(time.value)
        appendBigEndian(UInt32(time.timescale))
    }
}
