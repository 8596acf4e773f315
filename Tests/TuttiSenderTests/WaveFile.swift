import Foundation

/// A folder of its own for one test, with sound files in it.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tutti-sender-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A stereo 16-bit WAV file of `frames` frames of a rising ramp that begins at `first`.
    func wave(_ name: String, frames: Int, rate: Int, first: Int = 0) throws -> String {
        try wave(name, rate: rate, samples: (0..<frames).map { Int16(truncatingIfNeeded: first &+ $0 &* 7) })
    }

    /// A 16-bit WAV file with these samples on both sides.
    func wave(_ name: String, rate: Int, samples: [Int16]) throws -> String {
        let frames = samples.count
        var data = Data()
        func append(_ text: String) { data.append(contentsOf: text.utf8) }
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        append("RIFF")
        append(UInt32(36 + frames * 4))
        append("WAVEfmt ")
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(2))
        append(UInt32(rate))
        append(UInt32(rate * 4))
        append(UInt16(4))
        append(UInt16(16))
        append("data")
        append(UInt32(frames * 4))
        for sample in samples {
            append(sample)
            append(sample)
        }
        return try file(name, data)
    }

    /// A file of these bytes.
    func file(_ name: String, _ data: Data) throws -> String {
        let file = path + "/" + name
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }
}
