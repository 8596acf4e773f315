import Testing
import TuttiCore
import TuttiScreen

/// When displays of many kinds refresh.
struct RefreshClockTests {
    private static let rates: [(rate: Double, stated: Double?)] = [
        (60, 60), (59.94, 60), (50, 60), (60, nil), (23.976, 24), (30, 60), (75, 60), (144, 60), (240, 240), (60, -3),
        (60, .nan), (120, 60),
    ]

    private func worst(_ swaps: [SimulatedLoop.Swap]) -> Double {
        let errors = swaps.map { Double(abs($0.planned.nanoseconds(since: $0.light))) }.sorted()
        return errors.isEmpty ? .infinity : errors[errors.count * 98 / 100]
    }

    @Test(arguments: rates) func itLearnsDisplaysWhoseSwapsWait(_ rate: (rate: Double, stated: Double?)) {
        for seed in 1...40 as ClosedRange<UInt64> {
            let display = SimulatedDisplay(.waiting(queue: 0), rate: rate.rate, seed: seed)
            var loop = SimulatedLoop(display, statedRate: rate.stated, seed: seed)
            loop.run(40)
            #expect(loop.clock.standing == .locked, "seed \(seed)")
            let swaps = loop.run(600)
            #expect(swaps.allSatisfy { $0.standing == .locked }, "seed \(seed)")
            #expect(worst(swaps) < 500_000, "seed \(seed)")
            #expect(abs(loop.clock.period / loop.display.period - 1) < 0.002, "seed \(seed)")
        }
    }

    @Test(arguments: [1, 2]) func itLearnsThroughQueues(_ queue: Int) {
        for seed in 1...40 as ClosedRange<UInt64> {
            let display = SimulatedDisplay(.waiting(queue: queue), rate: 60, seed: seed)
            var loop = SimulatedLoop(display, statedRate: 60, seed: seed)
            loop.run(60)
            #expect(loop.clock.standing == .locked, "seed \(seed)")
            // What waits in the queue comes to light whole refreshes later: the display's latency, which is set.
            for swap in loop.run(300) {
                let late = Double(swap.light.nanoseconds(since: swap.planned)) / loop.display.period
                #expect(abs(late - late.rounded()) < 0.05, "seed \(seed)")
            }
        }
    }

    @Test func aNoisyHostIsNoOtherDisplay() {
        var lockedCount = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            var display = SimulatedDisplay(.waiting(queue: 0), rate: 60, seed: seed)
            (display.noise, display.outlier, display.outlierRate) = (150_000, 40_000_000, 0.1)
            var loop = SimulatedLoop(display, statedRate: 60, seed: seed)
            loop.run(200)
            let swaps = loop.run(1_000)
            lockedCount += swaps.count { $0.standing == .locked }
            let refreshes = swaps.filter { $0.standing == .locked }.map {
                abs(Double($0.planned.nanoseconds) - loop.display.nearestRefresh(to: $0.planned))
            }.sorted()
            if let error = refreshes.dropFirst(refreshes.count * 98 / 100).first {
                #expect(error < 800_000, "seed \(seed)")
            }
        }
        #expect(lockedCount > 38_000)
    }

    @Test(arguments: [(200_000, 0.5), (2_000_000, 0.3), (8_000_000, 0.1), (8_000_000, 0.02), (14_000_000, 0.1)])
    func itTellsDriversThatDoNotWait(_ duration: Double, _ spread: Double) {
        for seed in 1...40 as ClosedRange<UInt64> {
            let display = SimulatedDisplay(.immediate(duration, spread: spread), rate: 60, seed: seed)
            var loop = SimulatedLoop(display, statedRate: 60, seed: seed)
            loop.run(80)
            #expect(loop.clock.standing == .free, "seed \(seed)")
            let swaps = loop.run(20_000)
            // It is tried again, but ever more seldom.
            #expect(swaps.count { $0.standing == .learning } < 300, "seed \(seed)")
            // One trial of hundreds may err, and is found out.
            #expect(swaps.count { $0.standing == .locked } < 60, "seed \(seed)")
            #expect(loop.clock.standing == .free && abs(loop.clock.period - 1e9 / 60) < 1)
        }
    }

    /// Where a picture follows each refresh, a display of variable refresh is one of its highest rate.
    @Test func variableRefreshIsPredictedToo() {
        for seed in 1...40 as ClosedRange<UInt64> {
            let display = SimulatedDisplay(.variable, rate: 144, seed: seed)
            var loop = SimulatedLoop(display, statedRate: 144, seed: seed)
            loop.run(100)
            #expect(worst(loop.run(1_000)) < 1_000_000, "seed \(seed)")
        }
    }

    @Test func swapsThatNoLongerWaitAreNoticed() {
        for seed in 1...40 as ClosedRange<UInt64> {
            var loop = SimulatedLoop(
                SimulatedDisplay(.waiting(queue: 0), rate: 60, seed: seed), statedRate: 60, seed: seed)
            loop.run(200)
            loop.display.driver = .immediate(300_000, spread: 0.3)
            loop.run(200)
            #expect(loop.clock.standing == .free, "seed \(seed)")
            loop.display.driver = .waiting(queue: 0)
            loop.run(1_500)
            #expect(loop.clock.standing == .locked, "seed \(seed)")
            #expect(worst(loop.run(200)) < 500_000, "seed \(seed)")
        }
    }

    @Test(arguments: [50.0, 30, 120, 59.94]) func anotherModeIsLearned(_ rate: Double) {
        for seed in 1...40 as ClosedRange<UInt64> {
            var loop = SimulatedLoop(
                SimulatedDisplay(.waiting(queue: 0), rate: 60, seed: seed), statedRate: 60, seed: seed)
            loop.run(200)
            loop.display.period = 1e9 / rate
            loop.run(300)
            #expect(loop.clock.standing == .locked, "seed \(seed)")
            // Of a display that is twice as fast each second refresh is used, until it states its rate.
            let ratio = loop.clock.period / loop.display.period
            #expect(abs(ratio / ratio.rounded() - 1) < 0.002, "seed \(seed)")
            #expect(worst(loop.run(200)) < 500_000, "seed \(seed)")
        }
    }

    @Test func aScreenThatSleepsIsLearnedAnew() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var loop = SimulatedLoop(
                SimulatedDisplay(.waiting(queue: 0), rate: 60, seed: seed), statedRate: 60, seed: seed)
            loop.run(200)
            loop.display.period = 1e9
            loop.run(10)
            #expect(loop.clock.standing == .learning, "seed \(seed)")
            loop.display.period = 1e9 / 60
            loop.run(60)
            #expect(loop.clock.standing == .locked, "seed \(seed)")
            #expect(worst(loop.run(200)) < 500_000, "seed \(seed)")
        }
    }

    @Test(arguments: [0, 2]) func aFewSwapsKeepItLearned(_ queue: Int) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var loop = SimulatedLoop(
                SimulatedDisplay(.waiting(queue: queue), rate: 59.94, seed: seed), statedRate: 60, seed: seed)
            loop.run(100)
            for _ in 0..<200 {
                loop.rest(2_000_000_000)
                loop.run(6)
                #expect(loop.clock.standing == .locked, "seed \(seed)")
                let next = loop.clock.nextRefresh(after: loop.now, usual: 0, longest: 0).light
                let error = Double(next.nanoseconds) - loop.display.nearestRefresh(to: next)
                #expect(abs(error) < 1_000_000, "seed \(seed)")
            }
        }
    }

    @Test func anyTimesAndRatesDoNoHarm() {
        var random = SplitMix64(seed: 9)
        let extremes: [Int64] = [.min, .max, 0, 1, -1, 1 << 61]
        for rate in [nil, 0, .infinity, -.infinity, .nan, 1e-300, 1e300, 60] as [Double?] {
            var clock = RefreshClock(statedRate: rate)
            for step in 0..<3_000 {
                let time = { (random: inout SplitMix64) in
                    HostTime(
                        nanoseconds: random.unit() < 0.1
                            ? extremes.randomElement(using: &random) ?? 0
                            : Int64(step) * 16_000_000 + Int64(random.unit() * 9e6))
                }
                let refresh = clock.nextRefresh(
                    after: time(&random), usual: Int64.random(in: .min ... .max, using: &random),
                    longest: Int64.random(in: .min ... .max, using: &random))
                #expect(refresh.drawing.nanoseconds <= HostTime.maximumNanoseconds)
                clock.swapped(handedOver: time(&random), returned: time(&random))
                _ = clock.light(ofReturn: time(&random))
                if random.unit() < 0.01 { clock.restart(statedRate: random.unit() * 100) }
                #expect((1e6...2e8).contains(clock.period))
            }
        }
    }
}
