import Foundation
import TuttiCore
import TuttiPlayback
import TuttiRealtime

/// A stereo signal known at every instant, silent before 0 and risen smoothly by 5 ms, so that it is band-limited.
struct Signal {
    var frequencies: (left: Double, right: Double) = (997, 3011)
    var amplitude = 0.5

    func value(at seconds: Double) -> SIMD2<Float> {
        guard seconds > 0 else { return .zero }
        let rise = seconds < 0.005 ? pow(sin(.pi / 2 * seconds / 0.005), 2) : 1
        return SIMD2(
            Float(amplitude * rise * sin(2 * .pi * frequencies.left * seconds)),
            Float(amplitude * rise * sin(2 * .pi * frequencies.right * seconds)))
    }

    func frames(_ range: Range<Int>, rate: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(2 * range.count)
        for frame in range {
            let value = value(at: Double(frame) / Double(rate))
            result.append(value.x)
            result.append(value.y)
        }
        return result
    }
}

/// A card with its own rate that plays what a kernel renders; the group's clock is known to it exactly, or wrong by
/// what `misjudgement` says.
struct FakeCard {
    let rate = 48_000
    let ppm: Double
    let period: Int
    let origin: Int64
    /// Nanoseconds by which the prediction handed to the kernel is too late.
    var misjudgement = 0.0
    var framesPlayed = 0
    var isDiscontinuity = false
    var isClockValid = true
    var gain: Float = 1

    init(ppm: Double, period: Int = 480, origin: Int64 = 81_250_000_000_123) {
        (self.ppm, self.period, self.origin) = (ppm, period, origin)
    }

    var nanosecondsPerFrame: Double { 1e9 / (Double(rate) * (1 + ppm * 1e-6)) }

    /// The instant of an output frame, in nanoseconds after `origin`.
    func instant(ofFrame frame: Int) -> Double { Double(frame) * nanosecondsPerFrame }

    mutating func render(_ kernel: inout RenderKernel) -> (samples: [Float], report: RenderReport) {
        let predicted = instant(ofFrame: framesPlayed) + misjudgement
        let whole = predicted.rounded(.down)
        let request = RenderPeriod(
            frameCount: period, groupNanoseconds: origin + Int64(whole), groupFraction: predicted - whole,
            groupNanosecondsPerFrame: nanosecondsPerFrame, isClockValid: isClockValid,
            isDiscontinuity: isDiscontinuity, gain: gain)
        isDiscontinuity = false
        framesPlayed += period
        var samples = [Float](repeating: 9, count: 2 * period)
        let report = samples.withUnsafeMutableBufferPointer { buffer -> RenderReport in
            guard let base = buffer.baseAddress else { return RenderReport() }
            return kernel.render(request, into: base)
        }
        return (samples, report)
    }
}

/// A rig of two decks, two more for each overlay, a kernel and a card.
struct Rig: ~Copyable {
    let decks: (Deck, Deck)
    let overlays: [(Deck, Deck)]
    var kernel: RenderKernel
    var card: FakeCard
    var output: [Float] = []
    var reports: [RenderReport] = []

    init(
        ppm: Double, period: Int = 480, ringFrames: Int = 65_536, overlays count: Int = 0, effects: EffectSlot? = nil
    ) {
        decks = (
            Deck(outputRate: 48_000, ringFrames: ringFrames),
            Deck(outputRate: 48_000, ringFrames: ringFrames)
        )
        overlays = (0..<count).map { _ in
            (Deck(outputRate: 48_000, ringFrames: ringFrames), Deck(outputRate: 48_000, ringFrames: ringFrames))
        }
        kernel = RenderKernel(
            decks: decks.0, decks.1, overlays: overlays, maximumPeriodFrames: period, effects: effects)
        card = FakeCard(ppm: ppm, period: period)
    }

    /// A run whose frame 0 sounds `start` nanoseconds after the card's origin.
    func run(rate: Int, at start: Double, fadeIn: Int64 = 0) -> DeckRun {
        let whole = start.rounded(.down)
        return DeckRun(
            sourceRate: rate, anchorFrame: 0, anchorGroupNanoseconds: card.origin + Int64(whole),
            anchorFraction: start - whole, startGroupNanoseconds: card.origin + Int64(whole),
            fadeInNanoseconds: fadeIn)
    }

    mutating func renderPeriods(_ count: Int) {
        for _ in 0..<count {
            let (samples, report) = card.render(&kernel)
            output += samples
            reports.append(report)
        }
    }

    /// The largest difference of the output from `signal` begun `start` nanoseconds after the origin.
    func residual(_ signal: Signal, from start: Double, frames: Range<Int>) -> Float {
        var worst: Float = 0
        for frame in frames {
            let truth = signal.value(at: (card.instant(ofFrame: frame) - start) * 1e-9)
            worst = max(worst, abs(output[2 * frame] - truth.x), abs(output[2 * frame + 1] - truth.y))
        }
        return worst
    }
}

extension Deck {
    /// Writes as much of `samples` as fits.
    @discardableResult
    func write(_ samples: [Float]) -> Int { write(samples.span) }
}
