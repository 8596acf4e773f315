import Testing
import TuttiClock
import TuttiCore
import TuttiProduction

@Suite("Live sound on the timeline")
struct LiveTimelineTests {
    private let second: Int64 = 1_000_000_000
    /// Frame 0 is captured at 10 s, 48 000 a second.
    private let line = DACEstimate(
        referenceHostNanoseconds: 10_000_000_000, referenceFrame: 0, referenceFrameFraction: 0,
        framesPerNanosecond: 48_000e-9, positionSigma: 0, ppm: 0, ppmSigma: 0)

    private func sound(_ frames: Int, _ value: Float = 1) -> [Float] { [Float](repeating: value, count: 2 * frames) }

    private func instant(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private func frames(_ pieces: [LiveTimeline.Piece]) -> [Int] {
        pieces.map {
            switch $0 {
            case .silence(let frames): -frames
            case .sound(let samples): samples.count / 2
            }
        }
    }

    @Test("It begins with half a second of silence, and frames lie where they were captured")
    func places() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: second / 5)
        #expect(timeline.begin() == .silence(frames: 24_000))
        // The beginning is what was captured at 9.9 s: frame 0 lies at 0.1 s, in the silence.
        #expect(timeline.anchor(at: instant(9.9), line).isEmpty)
        #expect(timeline.take(sound(9_600), first: 0, isAnew: true, line).isEmpty)
        let pieces = timeline.take(sound(19_200), first: 9_600, isAnew: false, line)
        #expect(frames(pieces) == [9_600])
        #expect(timeline.position == 33_600)
        #expect(timeline.capture(of: 33_600, line) == instant(10.6))
        #expect(timeline.late == 0)
    }

    @Test("What was captured before there was an anchor plays, as far as it is wanted")
    func keeps() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: 2 * second)
        _ = timeline.begin()
        for block in 0..<10 {
            #expect(timeline.take(sound(4_800), first: Int64(block) * 4_800, isAnew: block == 0, line).isEmpty)
        }
        // Frame 0 lies 1.2 s behind the beginning: silence, and then all of it.
        #expect(frames(timeline.anchor(at: instant(8.8), line)) == [-33_600] + [Int](repeating: 4_800, count: 10))
    }

    @Test("What does not come within half the latency is silence, and what comes then is left out")
    func fills() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: second / 5)
        _ = timeline.begin()
        _ = timeline.anchor(at: instant(9.5), line)
        #expect(frames(timeline.take(sound(480), first: 0, isAnew: true, line)) == [480])
        #expect(timeline.wait(until: instant(10.105), line).isEmpty)
        #expect(frames(timeline.wait(until: instant(10.2), line)) == [-4_320])
        #expect(timeline.missing == 0)
        #expect(frames(timeline.take(sound(4_800), first: 480, isAnew: false, line)) == [480])
        #expect(timeline.missing == 4_320)
        #expect(timeline.late == 4_320)
    }

    @Test("What nobody sent for a while is not missing")
    func pauses() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: second / 5)
        _ = timeline.begin()
        _ = timeline.anchor(at: instant(9.5), line)
        _ = timeline.take(sound(480), first: 0, isAnew: true, line)
        _ = timeline.wait(until: instant(13), line)
        var later = line
        later.referenceHostNanoseconds += 4_000_000_000
        #expect(!timeline.take(sound(480), first: 480, isAnew: true, later).isEmpty)
        #expect(timeline.missing == 0)
    }

    @Test("A source that goes on after a pause lies where it was captured")
    func goesOn() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: second)
        _ = timeline.begin()
        _ = timeline.anchor(at: instant(9.5), line)
        _ = timeline.take(sound(480), first: 0, isAnew: true, line)
        // Its next frame is captured 0.3 s after the last one.
        var later = line
        later.referenceHostNanoseconds += 300_000_000
        #expect(frames(timeline.take(sound(480), first: 480, isAnew: true, later)) == [-14_400, 480])
    }

    @Test("A gap of hours makes the sound later instead of hours of silence")
    func bounds() {
        var timeline = LiveTimeline(sampleRate: 48_000, latency: second)
        _ = timeline.begin()
        _ = timeline.anchor(at: instant(9.5), line)
        var later = line
        later.referenceHostNanoseconds += 10_000 * second
        #expect(frames(timeline.take(sound(480), first: 0, isAnew: true, later)) == [-60 * 48_000, 480])
        #expect(frames(timeline.take(sound(480), first: 480, isAnew: false, later)) == [480])
    }
}
