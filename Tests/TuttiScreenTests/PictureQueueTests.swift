import Testing
import TuttiCore
import TuttiScreen

/// Which picture is seen at which refresh.
struct PictureQueueTests {
    private let period = 1e9 / 60

    private func time(_ nanoseconds: Double) -> HostTime { HostTime(nanoseconds: Int64(nanoseconds)) }

    /// For how many refreshes each picture is seen, of `rate` a second, with instants that are noisy.
    private func cadence(
        rate: Double, phase: Double, noise: Double, seconds: Double, seed: UInt64
    ) -> (lengths: [Int], queue: PictureQueue<Int>) {
        var (queue, random) = (PictureQueue<Int>(), SplitMix64(seed: seed))
        var (said, seen) = (0, [Int]())
        for refresh in 0..<Int(seconds * 60) {
            let light = Double(refresh) * period + noise * (2 * random.unit() - 1)
            while Double(said) * 1e9 / rate + phase < light + 60e6 {
                let instant = Double(said) * 1e9 / rate + phase + noise * (2 * random.unit() - 1)
                queue.show(said, at: time(instant))
                said += 1
            }
            if let picture = queue.choose(light: time(light), period: period) {
                queue.lit(at: time(light), period: period)
                seen.append(picture)
            }
        }
        let lengths = Dictionary(grouping: seen) { $0 }.mapValues(\.count)
        return (lengths.keys.sorted().dropLast().compactMap { lengths[$0] }, queue)
    }

    @Test(arguments: [0, 0.25, 0.5, 0.75, 1]) func twentyFourOnSixtyAlternate(_ phase: Double) {
        for seed in 1...50 as ClosedRange<UInt64> {
            let (lengths, queue) = cadence(
                rate: 24, phase: 20e6 + phase * period, noise: 400_000, seconds: 10, seed: seed)
            // The first may be one that began before.
            let alternating = zip(lengths.dropFirst(2), lengths.dropFirst(3)).allSatisfy { $0 + $1 == 5 && $0 != $1 }
            #expect(alternating, "seed \(seed)")
            #expect(queue.droppedCount == 0 && queue.lateCount == 0)
            #expect(queue.errors.maximum < Int64(period * 0.5 + period / 16 + 900_000))
        }
    }

    @Test(arguments: [25.0, 30, 50, 60, 23.976, 1]) func everyPictureIsSeenAtTheNearestRefresh(_ rate: Double) {
        var random = SplitMix64(seed: 5)
        for seed in 1...50 as ClosedRange<UInt64> {
            let phase = 20e6 + random.unit() * period
            let (lengths, queue) = cadence(rate: rate, phase: phase, noise: 300_000, seconds: 10, seed: seed)
            #expect(queue.droppedCount == 0 && queue.lateCount == 0, "seed \(seed)")
            #expect(lengths.allSatisfy { abs(Double($0) - 60 / rate) < 1.01 }, "seed \(seed)")
            #expect(queue.errors.maximum < Int64(period * 0.5 + period / 16 + 700_000), "seed \(seed)")
        }
    }

    @Test func morePicturesThanRefreshesAreLeftOut() {
        let (lengths, queue) = cadence(rate: 120, phase: 20e6, noise: 100_000, seconds: 10, seed: 3)
        #expect(lengths.allSatisfy { $0 == 1 })
        #expect((590...600).contains(queue.droppedCount) && (590...600).contains(queue.shownCount))
    }

    @Test func aLatePictureIsShownAndCounted() {
        var queue = PictureQueue<Int>()
        queue.show(1, at: time(0))
        queue.show(2, at: time(100e6))
        #expect(queue.choose(light: time(50e6), period: period) == 1)
        queue.lit(at: time(50e6), period: period)
        #expect((queue.lateCount, queue.shownCount, queue.errors.maximum) == (1, 1, 50_000_000))
        #expect(queue.choose(light: time(60e6), period: period) == 1)
        queue.lit(at: time(60e6), period: period)
        #expect(queue.shownCount == 1)
    }

    @Test func whatIsTakenBackIsNotSeen() {
        var queue = PictureQueue<Int>()
        for number in 0..<4 { queue.show(number, at: time(Double(number) * 40e6)) }
        #expect(queue.choose(light: time(0), period: period) == 0)
        // The next one is seen a little before its instant, and then taken back.
        #expect(queue.choose(light: time(34e6), period: period) == 1)
        queue.takeBack(from: time(40e6))
        #expect(queue.choose(light: time(200e6), period: period) == 0)
        #expect(queue.waitingCount == 0)
        queue.show(9, at: time(210e6))
        #expect(queue.choose(light: time(210e6), period: period) == 9)
        queue.takeBack(from: time(211e6))
        #expect(queue.picture == 9)
        queue.removeAll()
        #expect(queue.choose(light: time(300e6), period: period) == nil)
    }

    @Test func oneOfTheSameInstantTakesThePlaceOfAnother() {
        var queue = PictureQueue<Int>()
        queue.show(1, at: time(50e6))
        queue.show(3, at: time(90e6))
        queue.show(2, at: time(50e6))
        #expect(queue.choose(light: time(50e6), period: period) == 2)
        #expect(queue.choose(light: time(90e6), period: period) == 3)
        queue.show(0, at: time(10e6))
        #expect(queue.choose(light: time(110e6), period: period) == 3)
        #expect(queue.droppedCount == 3)
    }

    /// Against the plain rule: of all that was said and not taken back, the one that is seen has the latest instant of those
    /// that are due, give or take what is about the middle.
    @Test func anythingMaySaidInAnyOrder() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var (queue, random) = (PictureQueue<Int64>(), SplitMix64(seed: seed))
            var (light, seen) = (0.0, Int64?.none)
            var waiting: [Int64] = []
            for _ in 0..<400 {
                switch random.next() % 8 {
                case 0...3:
                    let instant = Int64(light + random.unit() * 200e6 - 20e6)
                    queue.show(instant, at: HostTime(nanoseconds: instant))
                    if instant > seen ?? .min { waiting = (waiting + [instant]).sorted().suffix(32) }
                case 4 where random.unit() < 0.3:
                    let instant = Int64(light + random.unit() * 100e6)
                    queue.takeBack(from: HostTime(nanoseconds: instant))
                    waiting.removeAll { $0 >= instant }
                    if let last = seen, last >= instant { seen = queue.picture }
                case 5 where random.unit() < 0.05:
                    queue.removeAll()
                    (waiting, seen) = ([], nil)
                default:
                    light += period
                    let picture = queue.choose(light: time(light), period: period)
                    let surely = waiting.last { Double($0) <= light + period * (0.5 - 1.0 / 15) }
                    let perhaps = waiting.filter { abs(Double($0) - light - period / 2) <= period / 15 }
                    #expect(picture == surely ?? seen || perhaps.contains { $0 == picture }, "seed \(seed)")
                    seen = picture
                    waiting.removeAll { $0 <= picture ?? .min }
                }
                #expect(queue.waitingCount <= PictureQueue<Int64>.capacity)
            }
        }
    }

    @Test func anyInstantsDoNoHarm() {
        var queue = PictureQueue<Int>()
        for instant in [Int64.min, .max, 0, .min, 1 << 62] {
            queue.show(1, at: HostTime(nanoseconds: instant))
            for light in [Int64.min, 0, .max] {
                _ = queue.choose(light: HostTime(nanoseconds: light), period: period)
                queue.lit(at: HostTime(nanoseconds: light), period: period)
            }
            queue.takeBack(from: HostTime(nanoseconds: instant))
        }
    }

    @Test func errorsAreCountedByTheirSize() {
        var errors = LightErrors()
        #expect((errors.quantile(0.5), errors.maximum, errors.mean) == (0, 0, 0))
        for error in 1...1_000 { errors.add(Int64(error) * (error % 2 == 0 ? 10_000 : -10_000)) }
        #expect(abs(errors.quantile(0.5) - 5_000_000) <= 100_000)
        #expect(abs(errors.quantile(0.99) - 9_900_000) <= 100_000)
        #expect((errors.maximum, errors.count) == (10_000_000, 1_000))
        errors.add(.min)
        errors.add(700_000_000)
        #expect(errors.quantile(1) == .max)
    }
}
