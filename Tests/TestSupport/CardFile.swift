import Foundation
import TuttiCore

/// What the file output recorded as 32-bit floats in stereo, and when.
package struct CardFile {
    /// The left channel.
    package let left: [Float]
    /// When its first frame was heard, in ns of CLOCK_MONOTONIC_RAW.
    package let began: Int64

    private struct Run: Decodable {
        let t0_raw_ns: Int64
    }

    /// Reads a file; nil when the card ran dry meanwhile, as it does where this process is kept waiting.
    package init?(path: String) throws {
        let log = try String(contentsOfFile: path + ".timing.json", encoding: .utf8).split(separator: "\n")
        guard log.count == 1, let line = log.first else { return nil }
        began = try JSONDecoder().decode(Run.self, from: Data(line.utf8)).t0_raw_ns
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // A card that still runs has more than its header says.
        left = bytes[try WAVHeader.parse(bytes).data.lowerBound...].withUnsafeBytes { raw in
            (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Float.self) }
        }
    }
}
