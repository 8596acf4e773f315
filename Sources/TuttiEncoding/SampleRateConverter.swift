import Glibc
import TuttiCore

/// Converts stereo to another rate with a windowed-sinc filter at exact rational steps: for Opus, which knows 48 000 Hz
/// only, and for a crossfade tail that is mixed into a track of another rate.
///
/// Swresample is not in its place: a build without the trait `FFmpeg` sends Opus, too, and a converter that begins
/// inside a sound (`lead`) has to give there, frame by frame, what one that has run all along gives.
///
/// Output frame k stands for the source's instant k · source / target, with no delay: n frames in give
/// ⌈n · target / source⌉ frames out.
package struct SampleRateConverter {
    private let up: Int
    private let down: Int
    private let halfTaps: Int
    /// `up` filters of `2 · halfTaps` coefficients.
    private let filters: [Float]
    private var history: [Float]
    /// Source frame of `history[0]`.
    private var historyStart: Int
    private var framesIn = 0
    private var framesOut = 0

    /// A converter between rates in frames a second, both positive.
    package init(sourceRate: Int, targetRate: Int) {
        precondition(sourceRate > 0 && targetRate > 0, "a sample rate is positive")
        var (a, b) = (sourceRate, targetRate)
        while b != 0 { (a, b) = (b, a % b) }
        up = targetRate / a
        down = sourceRate / a
        let cutoff = min(1, Double(targetRate) / Double(sourceRate)) * 0.97
        halfTaps = Int((32 / cutoff).rounded(.up))
        filters = Self.design(phases: up, halfTaps: halfTaps, cutoff: cutoff)
        history = [Float](repeating: 0, count: 2 * halfTaps)
        historyStart = -halfTaps
    }

    /// Whole steps of a converter that begins inside a sound: after `source` frames that come before the place, the
    /// output frames from number `target` on are what one that has run all along gives there.
    package static func lead(sourceRate: Int, targetRate: Int) -> (source: Int, target: Int) {
        let converter = SampleRateConverter(sourceRate: sourceRate, targetRate: targetRate)
        let steps = (2 * converter.halfTaps + converter.down - 1) / converter.down
        return (steps * converter.down, steps * converter.up)
    }

    /// Takes interleaved stereo and gives what can be computed of it.
    package mutating func process(_ samples: [Float]) -> [Float] {
        precondition(samples.count % 2 == 0, "stereo has two samples a frame")
        history.append(contentsOf: samples)
        framesIn += samples.count / 2
        return drain(until: (framesIn - halfTaps) * up)
    }

    /// Gives the rest.
    package mutating func finish() -> [Float] {
        history.append(contentsOf: repeatElement(0, count: 2 * (halfTaps + 1)))
        return drain(until: framesIn * up)
    }

    /// Output up to the instant `limit`, in units of 1 / `up` source frames.
    private mutating func drain(until limit: Int) -> [Float] {
        var output: [Float] = []
        if limit > framesOut * down { output.reserveCapacity((limit - framesOut * down) / down * 2 + 2) }
        history.withUnsafeBufferPointer { source in
            filters.withUnsafeBufferPointer { filters in
                while framesOut * down < limit {
                    let (frame, phase) = (framesOut * down).quotientAndRemainder(dividingBy: up)
                    let first = (frame - halfTaps + 1 - historyStart) * 2
                    let filter = phase * 2 * halfTaps
                    var sum = SIMD2<Float>.zero
                    for tap in 0..<2 * halfTaps {
                        let index = first + 2 * tap
                        sum += SIMD2(source[index], source[index + 1]) * filters[filter + tap]
                    }
                    output.append(sum.x)
                    output.append(sum.y)
                    framesOut += 1
                }
            }
        }
        let unneeded = min(framesOut * down / up - halfTaps - historyStart, history.count / 2)
        if unneeded > 4096 {
            history.removeFirst(2 * unneeded)
            historyStart += unneeded
        }
        return output
    }

    /// Kaiser-windowed sinc (β = 12: about 118 dB), each phase normalised to unity at 0 Hz.
    private static func design(phases: Int, halfTaps: Int, cutoff: Double) -> [Float] {
        let beta = 12.0
        let norm = KaiserWindow.besselI0(beta)
        var filters: [Float] = []
        filters.reserveCapacity(phases * 2 * halfTaps)
        for phase in 0..<phases {
            let taps = (0..<2 * halfTaps).map { tap -> Double in
                let x = Double(tap - halfTaps + 1) - Double(phase) / Double(phases)
                let edge = x / Double(halfTaps)
                let window = KaiserWindow.besselI0(beta * max(0, 1 - edge * edge).squareRoot()) / norm
                let angle = Double.pi * x * cutoff
                return (x == 0 ? 1 : sin(angle) / angle) * window
            }
            let sum = taps.reduce(0, +)
            filters += taps.map { Float($0 / sum) }
        }
        return filters
    }
}
