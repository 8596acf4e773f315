import Foundation
import Testing
import TuttiCalibration
import TuttiCore
import TuttiSignal

@Suite struct StereoMeasurementTests {
    private static let noise = Line.noise(seconds: 5)
    private static let music = Line.music(seconds: 8)

    @Test(arguments: [0.31, -7.77, 123.4, -20_833.3, 61_234.56, -249_000])
    func findsAKnownOffsetOnACleanLine(microseconds: Double) throws {
        let measurement = try Line(sound: Self.noise, offset: { _ in microseconds }).measured()
        let median = measurement.statistics.median
        #expect(abs(median.value - microseconds) < 0.05, "\(median)")
        #expect(median.uncertainty < 0.05, "\(median)")
        #expect(measurement.offsets.count > 40 && measurement.leftOut.count <= 3)
    }

    @Test(arguments: [-333.33, 4.2])
    func findsItInMusic(microseconds: Double) throws {
        let statistics = try Line(sound: Self.music, offset: { _ in microseconds }, noise: 60).measured().statistics
        #expect(abs(statistics.median.value - microseconds) < 0.5, "\(statistics.median)")
        #expect(abs(statistics.median.value - microseconds) < 4 * statistics.median.uncertainty, "\(statistics.median)")
        #expect(abs(statistics.drift.value) < 4 * statistics.drift.uncertainty, "\(statistics.drift)")
    }

    @Test(arguments: [16_000, 44_100, 96_000])
    func otherSampleRatesWillDo(sampleRate: Int) throws {
        let sound = Line.noise(seconds: 4, sampleRate: sampleRate)
        let measurement = try Line(sound: sound, sampleRate: sampleRate, offset: { _ in 77.7 }).measured()
        #expect(abs(measurement.statistics.median.value - 77.7) < 0.1, "\(measurement.statistics.median)")
        #expect((0.1...0.25).contains(measurement.windowSeconds))
    }

    @Test(arguments: zip([10.0, 20, 40], [1.0, 0.2, 0.05]))
    func noiseCostsLittle(decibels: Double, bound: Double) throws {
        let measurement = try Line(sound: Self.noise, offset: { _ in -41.5 }, noise: decibels, seed: 5).measured()
        let median = measurement.statistics.median
        #expect(abs(median.value + 41.5) < bound, "\(median)")
        #expect(median.uncertainty < bound, "\(median)")
        #expect(measurement.offsets.count > 30)
    }

    @Test func theUncertaintyIsTrue() throws {
        let sound = Line.noise(seconds: 3.5, sampleRate: 16_000)
        var inside = 0
        var squares: [Double] = []
        for seed in 1...24 as ClosedRange<UInt64> {
            let line = Line(sound: sound, sampleRate: 16_000, offset: { _ in 12.5 }, noise: 25, seed: seed)
            let measurement = try line.measured()
            let median = measurement.statistics.median
            if abs(median.value - 12.5) <= 2 * median.uncertainty { inside += 1 }
            squares += zip(measurement.offsets, measurement.uncertainties).map { offset, uncertainty in
                let error = (offset.microseconds - 12.5) / uncertainty
                return error * error
            }
        }
        // 95 % of 24 are 22.8, and fewer than 20 would be chance once in a hundred times.
        #expect(inside >= 20, "\(inside) of 24")
        let scale = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        #expect((0.7...1.4).contains(scale), "a single window is off by \(scale) of its standard errors")
    }

    @Test func aDriftIsFound() throws {
        let line = Line(sound: Self.noise, offset: { 100 + 18 * ($0 - 2.5) }, noise: 40)
        let statistics = try line.measured().statistics
        #expect(abs(statistics.drift.value - 18) < max(0.05, 4 * statistics.drift.uncertainty), "\(statistics.drift)")
        #expect(abs(statistics.median.value - 100) < 0.5, "\(statistics.median)")
        #expect(statistics.absolute.spread.max > 130)
    }

    @Test(arguments: [3, 4] as [UInt64])
    func howFarItWandersIsRightToAFifth(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var walk = [0.0]
        for _ in 0..<700 { walk.append(walk[walk.count - 1] + 0.5 * random.gaussian()) }
        let offset = { [walk] (time: Double) -> Double in
            let place = max(0, time * 100)
            let whole = min(Int(place), walk.count - 2)
            return 30 + walk[whole] + (walk[whole + 1] - walk[whole]) * (place - Double(whole))
        }
        let measurement = try Line(sound: Self.noise, offset: offset, noise: 40).measured()
        let truth = OffsetStatistics(
            measurement.offsets.map { TimedOffset(seconds: $0.seconds, microseconds: offset($0.seconds)) }, floor: 0)
        let found = measurement.statistics
        #expect(abs(found.aroundMedian.spread.p99 / truth.aroundMedian.spread.p99 - 1) < 0.2)
        #expect(abs(found.absolute.spread.p99 / truth.absolute.spread.p99 - 1) < 0.2)
        #expect(found.aroundMedian.p99Uncertainty > 0)
    }

    @Test func aDullLoudspeakerIsNoLateOne() throws {
        // Less treble, without a delay: three taps, the same to both sides.
        let line = Line(
            sound: Self.noise, offset: { _ in -15 }, noise: 50,
            equipment: { samples in
                samples.indices.map { index in
                    let (before, after) = (max(0, index - 1), min(samples.count - 1, index + 1))
                    return 0.5 * samples[index] + 0.25 * (samples[before] + samples[after])
                }
            })
        let statistics = try line.measured().statistics
        #expect(abs(statistics.median.value + 15) < 0.1, "\(statistics.median)")
    }

    @Test func aFilterIsAsLateAsItDelays() throws {
        // One pole at 8 kHz delays by 20 µs at low frequencies and less at high ones. The windows agree, and their
        // spectra do not.
        let line = Line(
            sound: Self.noise, noise: 60,
            equipment: { samples in
                let share = Float(1 - exp(-2 * Double.pi * 8_000 / 48_000))
                var last: Float = 0
                return samples.map { sample in
                    last += share * (sample - last)
                    return last
                }
            })
        let statistics = try line.measured().statistics
        #expect((3...20).contains(statistics.median.value), "\(statistics.median)")
        #expect((statistics.single ?? 0) > 0.1)
    }

    @Test func aTurnedPolarityIsSeen() throws {
        let line = Line(sound: Self.noise, offset: { _ in 55.5 }, gains: (0.7, -0.4))
        let measurement = try line.measured()
        #expect(measurement.isInverted)
        #expect(abs(measurement.statistics.median.value - 55.5) < 0.05)
        let upright = try Line(sound: Self.noise, offset: { _ in 55.5 }).measured()
        #expect(!upright.isInverted)
    }

    @Test func quietWindowsAreLeftOut() throws {
        var sound = Self.noise
        for frame in 96_000..<144_000 { sound[frame] = 0 }
        let measurement = try Line(sound: sound, offset: { _ in 9.5 }).measured()
        #expect((7...12).contains(measurement.leftOut.quiet), "\(measurement.leftOut)")
        #expect(abs(measurement.statistics.median.value - 9.5) < 0.1)
    }

    @Test func aToneSaysNothing() {
        // Unlike strangers, its channels are alike: the reader is told to play something else.
        let tone = (0..<240_000).map { Float(0.3 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
        #expect(throws: MeasurementError.tooLittle(0)) {
            try Line(sound: tone, offset: { _ in 100 }, noise: 60).measured()
        }
    }

    // MARK: What cannot be used

    private func failure(_ left: [Float], _ right: [Float], _ rate: Int = 48_000) -> MeasurementError? {
        do throws(MeasurementError) {
            _ = try StereoMeasurement(left: left, right: right, sampleRate: rate)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatCannotBeUsedIsNamed() {
        let sound = Self.noise
        let silence = [Float](repeating: 0, count: sound.count)
        #expect(failure(sound, sound, 8_000) == .sampleRate(8_000))
        #expect(failure([], []) == .tooShort(0))
        #expect(failure(Array(sound[..<48_000]), sound) == .tooShort(1))
        #expect(failure(silence, silence) == .silent)
        #expect(failure(sound, sound) == .identical)
        #expect(failure(sound, sound.map { $0 * 0.5 }) == .identical)
        guard case .dead(.right, let decibels)? = failure(sound, silence) else { return #expect(Bool(false)) }
        #expect(decibels > 100)
        // What a card lets through from one side to the other is no room.
        let through = Line(sound: sound, gains: (0.7, 0.001)).recording()
        guard case .dead(.right, _)? = failure(through.left, through.right) else { return #expect(Bool(false)) }
        let (left, right) = Line(sound: sound, offset: { _ in 50 }, gains: (0.5, 12)).recording()
        guard case .clipped(.right, _)? = failure(left, right) else { return #expect(Bool(false)) }
    }

    @Test func strangersAreUnrelated() {
        let (left, _) = Line(sound: Self.noise).recording()
        let (other, _) = Line(sound: Array(Self.music[..<left.count])).recording()
        #expect(failure(left, other) == .unrelated)
        #expect(failure(left, left.reversed()) == .unrelated)
    }

    @Test func whatIsTooFarApartIsTold() throws {
        let sound = Line.noise(seconds: 8)
        let frames = 38_400
        let late = [Float](repeating: 0, count: frames) + sound.dropLast(frames)
        guard case .beyondRange(let seconds)? = failure(sound.map { $0 * 0.5 }, late) else {
            return #expect(Bool(false))
        }
        #expect(abs(seconds - 0.8) < 0.001)
    }

    @Test func hostileSamplesDoNoHarm() {
        let bad: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude]
        for value in bad {
            var sound = Self.noise
            for frame in stride(from: 0, to: sound.count, by: 1_000) { sound[frame] = value }
            _ = failure(sound, Self.noise)
            _ = failure([Float](repeating: value, count: 200_000), Self.noise)
        }
        #expect(failure([Float](repeating: .nan, count: 200_000), Self.noise) != nil)
    }
}
