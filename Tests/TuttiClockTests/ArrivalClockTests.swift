import Testing
import TuttiClock
import TuttiCore

@Suite("A clock from arrivals")
struct ArrivalClockTests {
    /// Feeds chunks of `frames` that a source with this rate sends, each late by something random.
    private func fed(
        ppm: Double, seconds: Double, chunk: Int64 = 960, jitter: Double = 2e6, seed: UInt64 = 1,
        _ clock: inout ArrivalClock, from begin: Double = 0, after frames: Int64 = 0
    ) -> (time: Double, frames: Int64) {
        var random = SplitMix64(seed: seed)
        var frames = frames
        var time = begin
        let length = Double(chunk) / 48_000 * 1e9 / (1 + ppm * 1e-6)
        while time < begin + seconds * 1e9 {
            time += length
            frames += chunk
            let late = Double(random.next() % 1_000) / 1_000 * jitter
            clock.observe(hostTime: HostTime(nanoseconds: Int64(time + late)), frames: frames)
        }
        return (time, frames)
    }

    @Test(
        "The rate of a source that is off by 200 ppm is known to 5 ppm after half a minute",
        arguments: [200.0, -200, 0])
    func findsTheRate(ppm: Double) throws {
        var clock = ArrivalClock(sampleRate: 48_000)
        _ = fed(ppm: ppm, seconds: 30, &clock)
        let line = try #require(clock.estimate)
        #expect(abs(line.ppm - ppm) < 5, "\(line.ppm)")
        #expect(line.ppmSigma < 10)
    }

    @Test("What was captured is placed right to a fifth of a millisecond, though arrivals are up to 2 ms late")
    func placesFrames() throws {
        var clock = ArrivalClock(sampleRate: 48_000)
        let end = fed(ppm: 50, seconds: 20, &clock)
        let line = try #require(clock.estimate)
        let placed = line.hostTime(ofFrame: end.frames)
        #expect(abs(Double(placed.nanoseconds) - end.time) < 200_000)
    }

    @Test("After a pause the rate is still known, and the place is that of the new arrivals")
    func restarts() throws {
        var clock = ArrivalClock(sampleRate: 48_000)
        let end = fed(ppm: 150, seconds: 30, &clock)
        clock.restart()
        #expect(clock.estimate == nil)
        let begin = end.time + 5e9
        let after = fed(ppm: 150, seconds: 1, &clock, from: begin, after: end.frames)
        let line = try #require(clock.estimate)
        #expect(abs(line.ppm - 150) < 8)
        #expect(abs(Double(line.hostTime(ofFrame: after.frames).nanoseconds) - after.time) < 1_000_000)
    }

    @Test("Nothing is known before anything arrived, and no counts trap")
    func extremes() {
        var clock = ArrivalClock(sampleRate: 1)
        #expect(clock.estimate == nil)
        clock.observe(hostTime: HostTime(nanoseconds: .min / 4), frames: 0)
        clock.observe(hostTime: HostTime(nanoseconds: .max / 4), frames: .max / 4)
        _ = clock.estimate
    }
}
