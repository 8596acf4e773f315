import Foundation
import Testing
import TuttiCalibration
import TuttiCore

@Suite struct ResponseMeasurementTests {
    @Test(arguments: [
        (44_100, 100.0, 0.7), (48_000, -300, 3.1), (48_000, 0, -1.2), (96_000, 300, 0.2), (192_000, -20, 0),
    ])
    func findsTheRoomsResponse(sampleRate: Int, ppm: Double, lead: Double) throws {
        var studio = SweepStudio(sampleRate: sampleRate, recorderPpm: ppm, lead: lead, noise: 50)
        studio.seconds = lead + 13
        let measured = try studio.measured()
        let worst = measured.response.worst(from: studio.truth(), in: 30...15_000)
        #expect(abs(worst.decibels) < 0.15, "\(worst)")
        #expect(abs(measured.recorderPpm - ppm) < 3, "\(measured.recorderPpm)")
        #expect(measured.usable.lowerBound < 25 && measured.usable.upperBound > 15_000, "\(measured.usable)")
        #expect(measured.signalToNoise > 60, "\(measured.signalToNoise)")
        // A sweep of −12 dB has an RMS of −15 dB, and the room adds its own.
        #expect((-24...(-18)).contains(measured.level), "\(measured.level)")
    }

    @Test(arguments: [8_000, 16_000, 22_050])
    func aTelephonesRateTellsWhatItHas(sampleRate: Int) throws {
        let studio = SweepStudio(sampleRate: sampleRate, recorderPpm: 40, noise: 50)
        let measured = try studio.measured()
        let worst = measured.response.worst(from: studio.truth(), in: 30...0.4 * Double(sampleRate))
        #expect(abs(worst.decibels) < 0.15, "\(worst)")
        #expect(abs(measured.recorderPpm - 40) < 5)
        #expect(measured.usable.upperBound < 0.46 * Double(sampleRate))
    }

    @Test func theFileIsWhatIsListenedFor() throws {
        let samples = ResponseSweep.samples()
        #expect(samples.count == 576_000 && (samples.map(abs).max() ?? 0) <= 0.2501)
        let measured = try ResponseMeasurement(samples, sampleRate: 48_000)
        let flat = FrequencyResponse(decibels: FrequencyResponse.frequencies.map { _ in 0 })
        #expect(abs(measured.response.worst(from: flat, in: 21...19_500).decibels) < 0.1)
        let file = ResponseSweep.waveFile()
        #expect(file.count == 44 + 4 * samples.count)
        #expect(file[22] == 2, "two channels")
    }

    @Test func noiseLimitsWhatIsUsable() throws {
        // White noise hides high frequencies first: the sweep is pink.
        let measured = try SweepStudio(noise: 5, seed: 7).measured()
        #expect(measured.signalToNoise > 15 && measured.signalToNoise < 40, "\(measured.signalToNoise)")
        let worst = measured.response.worst(from: SweepStudio().truth(), in: 30...2_000)
        #expect(abs(worst.decibels) < 0.8, "\(worst)")
        let loud = try SweepStudio(noise: 60).measured()
        #expect(loud.signalToNoise > measured.signalToNoise + 45)
    }

    @Test func aLongReverberationIsNoMatter() throws {
        // 13 dB more of reverberation than of direct sound, over 1.5 s: the loudest arrivals are anywhere.
        var random = SplitMix64(seed: 9)
        var studio = SweepStudio(recorderPpm: 70, gain: 0.3, noise: 45)
        studio.paths += (1...700).map { index in
            let seconds = 0.008 + 1.3 * random.unit()
            return SweepStudio.Path(
                seconds: seconds, gain: random.gaussian() * 0.35 * exp(-6.9 * (seconds - 0.008) / 1.5))
        }
        let measured = try studio.measured()
        #expect(abs(measured.recorderPpm - 70) < 3, "\(measured.recorderPpm)")
        #expect(measured.usable.lowerBound < 30 && measured.usable.upperBound > 10_000, "\(measured.usable)")
        #expect(abs(measured.response.worst(from: studio.truth(), in: 100...2_000).decibels) < 1.5)
    }

    @Test func distortionIsToldApart() throws {
        // x + 4 x³ at an amplitude of 0.25: the third harmonic has (4 · 0.25³ / 4) / 0.25 = 6.3 % of the tone, which itself
        // grows by 3 · 6.3 %.
        var studio = SweepStudio(paths: [SweepStudio.Path(seconds: 0.01, gain: 1)], modes: [], noise: 70, cubic: 4)
        let share = try #require(try studio.measured().distortion)
        #expect(abs(share - 0.0625 / 1.1875) < 0.004, "\(share)")
        let flat = FrequencyResponse(decibels: FrequencyResponse.frequencies.map { _ in 0 })
        #expect(abs(try studio.measured().response.worst(from: flat, in: 30...15_000).decibels) < 0.2)
        studio.cubic = 0
        #expect(try studio.measured().distortion == nil)
    }

    @Test func placesAreAveraged() throws {
        let one = try SweepStudio(noise: 50).measured()
        var elsewhere = SweepStudio(noise: 50)
        for index in elsewhere.modes.indices { elsewhere.modes[index].gain *= index.isMultiple(of: 2) ? 0.2 : -1 }
        let other = try elsewhere.measured()
        let mean = try #require(ResponseMeasurement(meanOf: [one, other]))
        let levels = [mean, one, other].map { $0.response.level(at: 46) - $0.response.mean(in: 200...2_000) }
        #expect(levels[0] > min(levels[1], levels[2]) && levels[0] < max(levels[1], levels[2]), "\(levels)")
        #expect(ResponseMeasurement(meanOf: []) == nil)
        #expect(ResponseMeasurement(meanOf: [one]) == one)
    }

    // MARK: What cannot be used

    private func failure(_ samples: [Float], _ rate: Int = 48_000) -> ResponseError? {
        do throws(ResponseError) {
            _ = try ResponseMeasurement(samples, sampleRate: rate)
            return nil
        } catch {
            return error
        }
    }

    @Test func lengthsRatesAndSilenceAreNamed() {
        let second = [Float](repeating: 0.1, count: 48_000)
        #expect(failure([]) == .length(0))
        #expect(failure(second) == .length(1))
        #expect(failure([Float](repeating: 0.1, count: 8_000 * 181), 8_000) == .length(181))
        #expect(failure(second, 7_999) == .sampleRate(7_999))
        #expect(failure(second, 384_000) == .sampleRate(384_000))
        #expect(failure(second, -1) == .sampleRate(-1))
        #expect(failure([Float](repeating: 0, count: 600_000)) == .silent)
        #expect(failure([Float](repeating: .nan, count: 600_000)) == .silent)
    }

    @Test(arguments: [-2.6, -5.0])
    func aMissedBeginningIsNoticed(lead: Double) {
        #expect(failure(SweepStudio(lead: lead, seconds: 11, noise: 40).recording()) == .cut)
    }

    @Test func aCutEndIsNoticed() {
        #expect(failure(SweepStudio(lead: 3, seconds: 12, noise: 40).recording()) == .cut)
        // Stopped in the middle, and silence after that.
        let cut = SweepStudio(lead: 0.5, seconds: 9.8, noise: 40).recording()
        #expect(failure(cut) == .cut)
    }

    @Test func aClippedSweepIsNoticed() {
        let loud = SweepStudio(gain: 4, noise: 60).recording().map { min(max($0, -1), 1) }
        guard case .clipped(let share)? = failure(loud) else {
            return #expect(Bool(false), "\(String(describing: failure(loud)))")
        }
        #expect(share > 0.001 && share < 1)
    }

    @Test func softAndNoisySweepsAreToldApart() {
        let soft = SweepStudio(gain: 1e-6, noise: -30).recording()
        guard case .tooSoft(let decibels)? = failure(soft) else {
            return #expect(Bool(false), "\(String(describing: failure(soft)))")
        }
        #expect(decibels < -70)
        let noisy = SweepStudio(gain: 0.05, noise: -40).recording()
        #expect(failure(noisy) == .notFound)
        let rumble = SweepStudio(gain: 0.02, noise: -22).recording()
        #expect(failure(rumble) == .notFound || isNoise(failure(rumble)), "\(String(describing: failure(rumble)))")
    }

    private func isNoise(_ error: ResponseError?) -> Bool {
        if case .noise? = error { true } else { false }
    }

    @Test func aRecorderThatSetsItsOwnLevelIsNoticed() {
        var samples = SweepStudio(noise: 50).recording()
        for frame in 9 * 48_000..<samples.count { samples[frame] *= 0.5 }
        guard case .unsteady(let decibels)? = failure(samples) else { return #expect(Bool(false)) }
        #expect(abs(decibels + 6) < 0.5, "\(decibels)")
    }

    @Test func anotherRecordingHasNoSweep() {
        #expect(failure(TestNoise.samples(seconds: 20)) == .notFound)
        #expect(failure(ClickTrack.samples(seconds: 20)) == .notFound)
        // The chirps of the other calibration are the same sound.
        let chirps = ChirpSchedule(roomCount: 3).samples()
        let error = failure(chirps)
        #expect(error == .notFound || error == .cut, "\(String(describing: error))")
        let tone = (0..<600_000).map { Float(0.3 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
        #expect(failure(tone) != nil)
    }

    @Test func hostileSamplesDoNoHarm() {
        let good = SweepStudio(noise: 50).recording()
        for value in [.nan, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Float] {
            var samples = good
            for frame in stride(from: 0, to: samples.count, by: 997) { samples[frame] = value }
            _ = failure(samples)
            _ = failure([Float](repeating: value, count: 500_000))
        }
        // A few that are no numbers are no matter.
        var samples = good
        for frame in stride(from: 5, to: samples.count, by: 48_000) { samples[frame] = .nan }
        #expect(failure(samples) == nil)
    }
}
