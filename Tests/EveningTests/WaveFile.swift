import Foundation
import TuttiCore

/// Sound files for an evening.
enum WaveFile {
    /// A tone in mono, 16 bit at 8 kHz.
    static func write(seconds: Int, to path: String) throws {
        let rate = 8_000
        let second = (0..<rate).map { frame in
            Int16(8_000 * sin(2 * Double.pi * 440 * Double(frame) / Double(rate)))
        }
        let samples = Array(repeatElement(second, count: seconds).joined())
        let file = WAVHeader.file(samples, sampleRate: rate, channelCount: 1)
        try Data(file).write(to: URL(fileURLWithPath: path))
    }
}
