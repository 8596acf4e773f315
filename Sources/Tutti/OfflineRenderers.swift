import Synchronization
import TuttiCore
import TuttiEffects
import TuttiPlayback
import TuttiRealtime

/// The renderers of an offline output: their decks, on a clock that moves by the frames that are made.
final class OfflineRenderers: Sendable {
    /// Frames that are made at a time.
    static let periodFrames = 480

    private struct State {
        var ports: [OfflinePort] = []
        var sampleTime: Int64 = 0
        /// Interleaved stereo of one call.
        var samples: [Float]
    }

    let sampleRate: Int
    let clock: PlaybackClock
    private let state: Mutex<State>

    /// - Parameter maximumFrames: the most frames of one call.
    init(sampleRate: Int, clock: PlaybackClock, maximumFrames: Int) {
        self.sampleRate = sampleRate
        self.clock = clock
        state = Mutex(State(samples: [Float](repeating: 0, count: 2 * maximumFrames)))
    }

    /// Frames made so far.
    var sampleTime: Int64 { state.withLock { $0.sampleTime } }

    /// The host time of a frame, rounded down to a nanosecond.
    func hostTime(ofFrame frame: Int64) -> HostTime {
        HostTime(nanoseconds: Int64(Int128(frame) * 1_000_000_000 / Int128(sampleRate)))
    }

    func add(_ port: OfflinePort) { state.withLock { $0.ports.append(port) } }

    func remove(_ port: OfflinePort) {
        state.withLock { state in state.ports.removeAll { $0 === port } }
    }

    /// Makes the next frames; what is due by the clock happens at its frame.
    func render(_ frameCount: Int, into planes: Planes) {
        var samples = state.withLock { state in
            var samples: [Float] = []
            swap(&samples, &state.samples)
            return samples
        }
        for index in 0..<2 * frameCount { samples[index] = 0 }
        var made = 0
        while made < frameCount {
            clock.advance(to: hostTime(ofFrame: sampleTime))
            let count = min(frameCount - made, framesUntilNextCall())
            renderPeriod(count, into: &samples, at: made)
            made += count
        }
        clock.advance(to: hostTime(ofFrame: sampleTime))
        samples.withUnsafeBufferPointer { samples in
            guard let from = samples.baseAddress else { return }
            planes.take(stereo: from, frames: frameCount)
        }
        state.withLock { $0.samples = samples }
    }

    /// Frames up to the one at which something is due, at most a period's.
    func framesUntilNextCall() -> Int {
        guard let due = clock.deadline else { return Self.periodFrames }
        let frame = (Int128(due.nanoseconds) * Int128(sampleRate) + 999_999_999) / 1_000_000_000
        return Int(min(max(frame - Int128(sampleTime), 1), Int128(Self.periodFrames)))
    }

    private func renderPeriod(_ count: Int, into samples: inout [Float], at offset: Int) {
        let (ports, start) = state.withLock { ($0.ports, $0.sampleTime) }
        let scaled = Int128(start) * 1_000_000_000
        let rest = Double(Int64(scaled % Int128(sampleRate))) / Double(sampleRate)
        let period = RenderPeriod(
            frameCount: count, groupNanoseconds: Int64(scaled / Int128(sampleRate)), groupFraction: rest,
            groupNanosecondsPerFrame: 1e9 / Double(sampleRate))
        for port in ports { port.add(period, to: &samples, at: offset) }
        state.withLock { $0.sampleTime += Int64(count) }
    }
}
