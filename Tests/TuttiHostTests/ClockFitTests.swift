import Testing
import TuttiCore
import TuttiHost

/// A network interface's clock, read now and then with errors.
private struct VirtualPHC {
    var generator: SplitMix64
    /// Against the raw clock.
    var ppm = 0.0
    /// What it was set by.
    var step: Int64 = 0
    /// The width of a reading, at most, and where in it the clock was read.
    var width: Int64 = 1_000

    static let epoch: Int64 = 1_700_000_000_000_000_000

    init(seed: UInt64, ppm: Double = 0, width: Int64 = 1_000) {
        generator = SplitMix64(seed: seed)
        (self.ppm, self.width) = (ppm, width)
    }

    func time(at raw: Int64) -> Int64 { Self.epoch + raw + Int64((Double(raw) * ppm * 1e-6).rounded()) + step }

    mutating func reading(at raw: Int64) -> ClockReading {
        let half = Int64.random(in: width / 4...max(width / 2, 1), using: &generator)
        let off = Int64.random(in: -half...half, using: &generator)
        return ClockReading(raw: raw, other: time(at: raw + off), uncertainty: half)
    }
}

struct ClockFitTests {
    private static let tenth: Int64 = 100_000_000

    private func fit(_ clock: inout VirtualPHC, readings: Int, from start: Int64 = 1_000_000_000) -> ClockFit {
        var fit = ClockFit()
        for index in 0..<readings { fit.take(clock.reading(at: start + Int64(index) * Self.tenth)) }
        return fit
    }

    @Test(arguments: [-950.0, -40, 0, 3, 100, 950], [200, 2_000, 10_000] as [Int64])
    func convertsWithinWhatItSays(ppm: Double, width: Int64) throws {
        var clock = VirtualPHC(seed: 7, ppm: ppm, width: width)
        var fit = ClockFit()
        for index in 0..<200 {
            let raw = 1_000_000_000 + Int64(index) * Self.tenth
            fit.take(clock.reading(at: raw))
            guard index >= 8 else { continue }
            for age in [-20_000_000, 500_000, 30_000_000] as [Int64] {
                let time = try #require(fit.raw(of: clock.time(at: raw + age)))
                #expect(abs(time.raw - (raw + age)) <= time.uncertainty)
                #expect(time.uncertainty <= 2 * width)
            }
        }
        #expect(abs((fit.rate ?? 1) - ppm * 1e-6) < 20e-6)
        #expect(fit.restarts == 0)
    }

    @Test func knowsNothingBeforeSomeReadings() {
        var clock = VirtualPHC(seed: 1)
        #expect(fit(&clock, readings: 3).raw(of: clock.time(at: 1_200_000_000)) == nil)
        #expect(fit(&clock, readings: 4).raw(of: clock.time(at: 1_300_000_000)) != nil)
    }

    @Test func stampsFarFromTheReadingsAreNotConverted() {
        var clock = VirtualPHC(seed: 2)
        let fit = fit(&clock, readings: 20)
        let last: Int64 = 1_000_000_000 + 19 * Self.tenth
        #expect(fit.raw(of: clock.time(at: last + 2_000_000_000)) == nil)
        #expect(fit.raw(of: clock.time(at: last - 2_000_000_000)) == nil)
        #expect(fit.raw(of: 0) == nil)
        #expect(fit.raw(of: .max) == nil)
        #expect(fit.raw(of: .min) == nil)
    }

    @Test(arguments: [50_000, -50_000, 37_000_000_000, -1_000_000_000] as [Int64])
    func aClockThatIsSetConvertsNothingUntilItIsKnownAgain(step: Int64) throws {
        var clock = VirtualPHC(seed: 3, ppm: 12)
        var fit = fit(&clock, readings: 30)
        var raw: Int64 = 1_000_000_000 + 30 * Self.tenth
        clock.step = step
        for index in 0..<12 {
            fit.take(clock.reading(at: raw))
            // Whatever it says, for stamps from before the step and after it, is right or nothing.
            if let time = fit.raw(of: clock.time(at: raw)) {
                #expect(abs(time.raw - raw) <= time.uncertainty)
                #expect(index >= 3)
            } else {
                #expect(index < 4)
            }
            raw += Self.tenth
        }
        #expect(fit.restarts == 1)
        #expect(fit.raw(of: clock.time(at: raw)) != nil)
    }

    @Test func oneBadReadingIsForgotten() throws {
        var clock = VirtualPHC(seed: 4, ppm: -3)
        var fit = fit(&clock, readings: 30)
        let raw: Int64 = 1_000_000_000 + 30 * Self.tenth
        var bad = clock.reading(at: raw)
        bad.other += 400_000
        fit.take(bad)
        #expect(fit.raw(of: clock.time(at: raw)) == nil)
        fit.take(clock.reading(at: raw + Self.tenth))
        let time = try #require(fit.raw(of: clock.time(at: raw + Self.tenth)))
        #expect(abs(time.raw - raw - Self.tenth) <= time.uncertainty)
        #expect(fit.restarts == 0)
    }

    @Test func aClockThatStopsIsNotBelieved() {
        var clock = VirtualPHC(seed: 5)
        var fit = fit(&clock, readings: 30)
        let stopped = clock.time(at: 1_000_000_000 + 30 * Self.tenth)
        for index in 31..<80 {
            fit.take(ClockReading(raw: 1_000_000_000 + Int64(index) * Self.tenth, other: stopped, uncertainty: 300))
            #expect(fit.raw(of: stopped) == nil)
        }
    }

    @Test func aClockThatIsSteeredIsFollowed() throws {
        var clock = VirtualPHC(seed: 6)
        var fit = ClockFit()
        var hardware: Double = 0
        var raw: Int64 = 1_000_000_000
        var worst: Int64 = 0
        for index in 0..<600 {
            // A servo that settles: the rate is changed once a second, ever less.
            let ppm = 30 * (index / 10 % 2 == 0 ? 1.0 : -1) / (1 + Double(index) / 20)
            raw += Self.tenth
            hardware += Double(Self.tenth) * (1 + ppm * 1e-6)
            clock.step = Int64(hardware) - raw
            fit.take(clock.reading(at: raw))
            guard let time = fit.raw(of: clock.time(at: raw + 1_000_000)) else { continue }
            if index > 300 { worst = max(worst, abs(time.raw - raw - 1_000_000)) }
        }
        #expect(worst < 2_000)
    }

    @Test func nonsenseDoesNoHarm() {
        var fit = ClockFit()
        var generator = SplitMix64(seed: 8)
        for _ in 0..<2_000 {
            let values = (0..<3).map { _ in
                [Int64.min, .max, 0, 1 << 61, -(1 << 61), generator.random()].randomElement(using: &generator) ?? 0
            }
            fit.take(ClockReading(raw: values[0], other: values[1], uncertainty: values[2]))
            _ = fit.raw(of: values[1])
        }
        #expect(fit.raw(of: .max) == nil)
    }

    @Test func theTightestReadingCounts() {
        let reading = ClockReading(tightestOf: [(100, 7, 900), (1_000, 8, 1_101), (2_000, 9, 1_900), (0, 1, 0)])
        #expect(reading == ClockReading(raw: 1_050, other: 8, uncertainty: 51))
        #expect(ClockReading(tightestOf: [(5, 1, 4)]) == nil)
    }
}

extension SplitMix64 {
    fileprivate mutating func random() -> Int64 { Int64(bitPattern: next()) }
}
