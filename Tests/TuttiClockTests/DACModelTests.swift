import Testing
import TuttiClock
import TuttiCore

struct DACModelTests {
    private func errors(_ all: [VirtualCard.Verdict], after: Double) -> [Double] {
        all.filter { $0.seconds > after }.map { abs($0.error) }
    }

    @Test(arguments: [-200.0, -60, 0, 80, 200]) func exactPointersAreFittedIn200Milliseconds(ppm: Double) {
        var early: [Double] = []
        var settled: [Double] = []
        for seed in 0..<8 as Range<UInt64> {
            var card = VirtualCard(step: 1, ppm: ppm, seed: seed, seconds: 10)
            let all = card.run(until: 8e9)
            early += errors(all, after: 0.2)
            settled += errors(all, after: 3)
            #expect(abs((card.model.estimate?.ppm ?? 0) - ppm) < 0.3)
            #expect(card.model.stepFrames == 1)
        }
        #expect(percentile(early, 0.99) < 5)
        #expect(percentile(settled, 0.99) < 1)
    }

    @Test(arguments: [-200.0, 80]) func pointersInStepsOfAMillisecondAreFittedByTheirEdges(ppm: Double) {
        var settled: [Double] = []
        for seed in 0..<6 as Range<UInt64> {
            var card = VirtualCard(step: 48, ppm: ppm, seed: seed, seconds: 20, kind: .usb, wander: 1e-4)
            settled += errors(card.run(until: 15e9), after: 4)
            #expect(card.model.stepFrames == 48)
        }
        #expect(percentile(settled, 0.99) < 15)
    }

    @Test func stepsOfUnevenFramesAndJitterAreFittedToo() {
        var usb = VirtualCard(step: 44.1, ppm: 50, seed: 3, seconds: 20, kind: .usb)
        #expect(percentile(errors(usb.run(until: 15e9), after: 8), 0.99) < 20)
        var jittery = VirtualCard(step: 1, ppm: -60, seed: 4, seconds: 20)
        jittery.jitter = 1
        #expect(percentile(errors(jittery.run(until: 10e9), after: 3), 0.99) < 2)
    }

    @Test func readingsJustAfterEachStepShowItsEdge() {
        for seed in 0..<4 as Range<UInt64> {
            var card = VirtualCard(step: 48, ppm: 80, seed: seed, seconds: 20, kind: .usb)
            card.reading = .woken
            #expect(percentile(errors(card.run(until: 10e9), after: 2), 0.99) < 80)
        }
    }

    @Test(arguments: [-50.0, -8, 4, 30]) func aRateThatChangesAtOnceIsFollowed(ppm: Double) {
        for seed in 0..<4 as Range<UInt64> {
            var card = VirtualCard(step: 1, ppm: 40, seed: seed, seconds: 70, kind: .hda, turn: (30, ppm))
            let all = card.run(until: 60e9)
            #expect(errors(all, after: 1).max() ?? .infinity < 60)
            #expect(errors(all, after: 48).max() ?? .infinity < 3)
            #expect(abs((card.model.estimate?.ppm ?? 0) - 40 - ppm) < 0.3)
            #expect(card.model.ignored == 0)
        }
        var usb = VirtualCard(step: 48, ppm: 40, seed: 9, seconds: 70, kind: .usb, turn: (30, ppm))
        #expect(errors(usb.run(until: 60e9), after: 4).max() ?? .infinity < 250)
    }

    /// Looks are rare once a card is known: few readings show the change, and they are not taken for a jump.
    @Test(arguments: [-49.0, 49]) func aRateThatChangesBetweenRareLooksKeepsTheLine(ppm: Double) throws {
        var model = DACModel(nominalRate: 48_000, kind: .virtual)
        var (time, frames) = (Int64(0), 0.0)
        for look in 0..<500 {
            let pause = (look < 200 ? 10_000_000 : 250_000_000) + Int64(look * 7_919 % 1_000) * 1_000
            time += pause
            frames += Double(pause) * 48e-6 * (1 + (look < 360 ? 0 : ppm * 1e-6))
            model.observe(hostTime: HostTime(nanoseconds: time), playedFrames: Int64(frames))
            if look >= 200 { #expect(model.estimate != nil, "look \(look)") }
        }
        #expect(abs(try #require(model.estimate).ppm - ppm) < 1)
    }

    @Test func aRestartKeepsTheRate() throws {
        var card = VirtualCard(step: 1, ppm: 150, seed: 5, seconds: 20)
        _ = card.run(until: 5e9)
        card.model.restart()
        #expect(card.model.estimate == nil)
        #expect(card.model.observedNanoseconds == 0)
        card.jump = -12_345
        let all = card.run(until: 6e9)
        let first = try #require(all.first)
        #expect(first.seconds < 5.06)
        // Far better than an unknown rate allows in so short a time.
        #expect(percentile(errors(all, after: 5.1), 0.99) < 3)
    }

    @Test func aJumpIsNotBelievedAtOnceButFollowed() {
        var card = VirtualCard(step: 1, ppm: 10, seed: 6, seconds: 20)
        _ = card.run(until: 3e9)
        card.jump = 4_800
        _ = card.run(until: 3.05e9)
        #expect(card.model.ignored > 0)
        #expect(percentile(errors(card.run(until: 5e9), after: 3.5), 0.99) < 5)
    }

    @Test func lateReadingsNowAndThenChangeNothing() {
        var card = VirtualCard(step: 1, ppm: 10, seed: 7, seconds: 20)
        _ = card.run(until: 3e9)
        for _ in 0..<10 {
            let before = card.model.estimate
            card.model.observe(
                hostTime: HostTime(nanoseconds: 5_000_000_000_000 + Int64(card.time) + 1), playedFrames: 9)
            #expect(card.model.estimate == before)
            #expect(percentile(errors(card.run(until: card.time + 0.1e9), after: 0), 0.99) < 1.5)
        }
    }

    @Test func extremeReadingsDoNotTrap() {
        var model = DACModel(nominalRate: 48_000, kind: .unknown, rememberedPpm: (.nan, 1))
        var generator = SeededGenerator(8)
        for number in 0..<2_000 {
            let edges: [Int64] = [.min, .max, 0, Int64(bitPattern: generator.next()), Int64(number)]
            model.observe(
                hostTime: HostTime(nanoseconds: edges[Int(generator.next() % 5)]),
                playedFrames: edges[Int(generator.next() % 5)])
            if let estimate = model.estimate {
                #expect(estimate.framesPerNanosecond > 0)
                _ = estimate.hostTime(ofFrame: .max)
            }
        }
    }

    @Test func framesAndTimesAreEachOthersInverse() throws {
        var card = VirtualCard(step: 1, ppm: -120, seed: 9, seconds: 5)
        _ = card.run(until: 2e9)
        let estimate = try #require(card.model.estimate)
        for frame in [
            estimate.referenceFrame - 48_000, estimate.referenceFrame + 1, estimate.referenceFrame + 4_800_000,
        ] {
            let time = estimate.hostTime(ofFrame: frame)
            let back = estimate.frame(atHostNanoseconds: time.nanoseconds, fraction: time.fraction, since: frame)
            #expect(abs(back) < 1e-6)
        }
    }
}
