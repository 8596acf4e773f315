package import Foundation
import TuttiSchema

/// What the speakers say themselves about how far off they are, beside the lab's truth.
package struct SelfReport: Sendable, Codable, Equatable {
    /// What each room last said while it played: the 99th percentile of its own error over a minute, µs.
    package var p99Microseconds: [String: Double]
    /// The largest of them divided by the 99th percentile of |pair offset| that the lab found over the same time.
    package var ratio: Double?

    /// - Parameters:
    ///   - status: lines of `tutti status --json`, in the order of time.
    ///   - truth: the lab's own 99th percentile, µs.
    package init(status lines: some Sequence<Data>, truth: Double?) {
        p99Microseconds = [:]
        let decoder = JSONDecoder()
        for line in lines {
            guard let status = try? decoder.decode(PlayerStatus.self, from: line) else { continue }
            for room in status.rooms where room.state == .playing {
                if let value = room.syncErrorP99Us { p99Microseconds[room.name] = value }
            }
        }
        if let largest = p99Microseconds.values.max(), let truth, truth > 0 { ratio = largest / truth }
    }
}
