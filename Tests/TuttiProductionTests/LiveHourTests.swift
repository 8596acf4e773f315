import Foundation
import Testing
import TuttiClock
import TuttiCore
import TuttiProduction

@Suite("An hour of live sound, in virtual time")
struct LiveHourTests {
    /// A line-in whose crystal is fast, and warms up and cools down; read every 10 ms by a program that is late now and
    /// then.
    private struct LineIn {
        let ppm: Double
        /// How much the rate swings.
        let swing = 3e-6
        /// In how many seconds.
        let period = 1_200.0

        /// Frames that have been captured by an instant, in seconds.
        func frames(at time: Double) -> Double {
            let angle = 2 * Double.pi * time / period
            return 48_000 * (time * (1 + ppm * 1e-6) + swing * period / (2 * .pi) * (1 - cos(angle)))
        }

        /// When a frame was captured, in seconds.
        func instant(of frame: Double) -> Double {
            var time = frame / 48_000
            for _ in 0..<4 { time -= (frames(at: time) - frame) / (48_000 * (1 + ppm * 1e-6)) }
            return time
        }
    }

    private static let latency = 0.2

    @Test(
        "200 ppm fast or slow: no gap, nothing late, and the latency stays what was asked for",
        arguments: [200.0, -200])
    func hour(ppm: Double) throws {
        let (card, timescale) = (LineIn(ppm: ppm), TimescaleID(rawValue: 1))
        func host(_ seconds: Double) -> HostTime {
            HostTime(nanoseconds: Int64((seconds * 1e9).rounded()) + 1_000_000_000)
        }
        func group(_ seconds: Double) -> GroupTime {
            GroupTime(nanoseconds: host(seconds).nanoseconds, timescale: timescale)
        }
        var random = SplitMix64(seed: 21)
        var model = DACModel(nominalRate: 48_000, kind: .unknown)
        var timeline = LiveTimeline(sampleRate: 48_000, latency: Int64(Self.latency * 1e9))
        var line = ReferenceLine()
        line.setLed(.capture)
        _ = timeline.begin()
        var taken: Int64 = 0
        // Playback begins at 3 s; what is captured so much before belongs to its beginning.
        let begin = 3.0
        var origin: Int64 = 0
        var (worst, least, silence) = (0.0, Int64.max, 0)
        for step in 1...360_000 {
            // Now and then the program stands still.
            if (1...3).contains(step % 977) { continue }
            let time = Double(step) * 0.01 + 0.002 * random.unit()
            if step % 2 == 0 {
                let noise = 20e-6 * (random.unit() - 0.5)
                model.observe(hostTime: host(time + noise), playedFrames: Int64(card.frames(at: time)))
            }
            guard let estimate = model.estimate else { continue }
            if !timeline.isAnchored, time > begin - 1 {
                origin = group(begin).nanoseconds
                _ = timeline.anchor(at: host(begin - Self.latency), estimate)
            }
            let captured = Int64(card.frames(at: time) / 240) * 240
            let count = Int(captured - taken)
            let pieces =
                timeline.take(
                    [Float](repeating: 1, count: 2 * count), first: taken, isAnew: taken == 0, estimate)
                + timeline.wait(until: host(time), estimate)
            taken = captured
            guard timeline.isAnchored, time > begin + 1 else { continue }
            for case .silence(let frames) in pieces { silence += frames }
            // What the player does ten times a second.
            guard step % 10 == 0, let instant = timeline.capture(of: timeline.position, estimate) else { continue }
            let place = timeline.position * 1_000_000_000 / 48_000
            let now = group(time)
            let played = line.playbackTime(at: now).nanoseconds - origin
            let plays = time + Double(place - played) * 1e-9 / (1 + (line.fit?.slope ?? 0))
            let latency = plays - (Double(instant.nanoseconds) - 1e9) * 1e-9
            let error = Int64(((latency - Self.latency) * 1e9).rounded())
            let fit = ReferenceFit(
                group: now, offset: line.playbackTime(at: now).nanoseconds - now.nanoseconds + error,
                slope: estimate.ppm * 1e-6)
            _ = line.take(fit, now: now, isSounding: true)
            least = min(least, place - played)
            // From the truth: the last frame of the timeline is the one that was captured last.
            let truth = plays - card.instant(of: Double(captured))
            if time > 20 { worst = max(worst, abs(truth - Self.latency)) }
        }
        #expect(timeline.missing == 0 && timeline.late == 0 && silence == 0)
        #expect(worst < 0.000_5, "off by up to \(worst * 1e3) ms")
        #expect(least > 100_000_000, "only \(least) ns were ahead")
        #expect(abs((model.estimate?.ppm ?? 0) - ppm) < 10)
    }
}
