import Foundation
import TuttiCore

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
        let sides = samples.flatMap { [$0, $0] }
        return try file(name, Data(WAVHeader.file(sides, sampleRate: rate, channelCount: 2)))
    }

    /// A file of these bytes.
    func file(_ name: String, _ data: Data) throws -> String {
        let file = path + "/" + name
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }
}
