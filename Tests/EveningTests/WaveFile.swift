import Foundation

/// Sound files for an evening.
enum WaveFile {
    /// A tone in mono, 16 bit at 8 kHz.
    static func write(seconds: Int, to path: String) throws {
        let rate = 8_000
        var data = Data()
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        let bytes = seconds * rate * 2
        data.append(contentsOf: "RIFF".utf8)
        append(UInt32(36 + bytes))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(rate))
        append(UInt32(rate * 2))
        append(UInt16(2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(bytes))
        var second = Data()
        for frame in 0..<rate {
            let sample = Int16(8_000 * sin(2 * Double.pi * 440 * Double(frame) / Double(rate)))
            withUnsafeBytes(of: sample.littleEndian) { second.append(contentsOf: $0) }
        }
        for _ in 0..<seconds { data.append(second) }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
