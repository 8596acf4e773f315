import Testing
import TuttiClock
import TuttiCore

/// What the model says of its own error, and what one interrupted reading does to it.
struct DACModelSigmaTests {
    @Test(arguments: [(1.0, CardKind.virtual), (48, .usb), (44.1, .usb)])
    func theStandardDeviationIsHonestAtAnyAge(step: Double, kind: CardKind) {
        let ages = [0.1, 0.2, 0.5, 1, 3, 8, 20]
        var ratios = [[Double]](repeating: [], count: ages.count)
        for seed in 0..<60 as Range<UInt64> {
            var generator = SeededGenerator(seed &+ 1_000)
            var card = VirtualCard(
                step: step, ppm: 400 * generator.uniform() - 200, seed: seed, seconds: 24, kind: kind, wander: 1e-4)
            card.reading = .rendering
            for (index, age) in ages.enumerated() {
                guard let last = card.run(until: age * 1e9).last else { continue }
                ratios[index].append(abs(last.error) / last.sigma)
            }
        }
        for (index, age) in ages.enumerated() {
            let (p68, p99) = (percentile(ratios[index], 0.68), percentile(ratios[index], 0.99))
            // Steps that are no whole number of frames are given more than they need.
            #expect(((step == 44.1 ? 0.2 : 0.5)...1.5).contains(p68), "step \(step), \(age) s: p68 \(p68)")
            #expect(p99 <= 4, "step \(step), \(age) s: p99 \(p99)")
        }
    }

    @Test(arguments: [(1.0, CardKind.virtual, 2.0), (48, .usb, 6)])
    func aRateThatDriftsIsFollowed(step: Double, kind: CardKind, limit: Double) {
        for bend in [-1.0, 1] {
            var card = VirtualCard(step: step, ppm: 300 * bend, seed: 11, seconds: 120, kind: kind, bend: bend)
            card.reading = .rendering
            let late = card.run(until: 110e9).filter { $0.seconds > 10 }.map { abs($0.error) }
            #expect(percentile(late, 0.99) < limit, "step \(step): \(percentile(late, 0.99)) µs")
        }
    }

    @Test func oneInterruptedReadingSpoilsNothing() {
        var errors: [Double] = []
        for seed in 0..<10 as Range<UInt64> {
            var card = VirtualCard(step: 1, ppm: 30, seed: seed, seconds: 12)
            for second in 1...8 {
                errors += card.run(until: Double(second) * 1e9).filter { $0.seconds > 1 }.map { abs($0.error) }
                card.take(at: card.time + 1e3, asking: 1_500)
                // 30 µs between the clock and the pointer.
                card.take(at: card.time + 40e3, asking: 32_000, late: 30e3)
            }
        }
        #expect(percentile(errors, 0.99) < 1.5)
    }

    @Test func aCardThatIsAlwaysSlowToAnswerIsBelievedAfterAWhile() {
        var card = VirtualCard(step: 1, ppm: 30, seed: 1, seconds: 12)
        card.take(at: 1e6, asking: 1_000)
        for number in 1...1_000 { card.take(at: 1e6 + Double(number) * 1e7 + Double(number % 7) * 3e3, asking: 30_000) }
        #expect(abs((card.model.estimate?.ppm ?? 0) - 30) < 1)
    }
}
