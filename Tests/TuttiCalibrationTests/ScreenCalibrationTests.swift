import Testing
import TuttiCalibration
import TuttiCore

@Suite struct ScreenCalibrationTests {
    private static let delays = [-0.040, 0.0333, 0.180]
    /// Parts of a picture's time that cameras take light in, and that their shutters take to roll.
    private static let cameras = [(1.0, 0.3), (0.5, 0.4), (0.25, 0.6), (0.9, 0.5)]

    /// The largest error in milliseconds over cameras and delays, which each result must have foreseen.
    private func worst(
        _ frameRate: Double, foreseen: Double = 1.5, _ change: (inout ScreenStudio) -> Void = { _ in }
    ) throws -> Double {
        var worst = 0.0
        for (index, late) in Self.delays.enumerated() {
            for (number, (exposure, rolling)) in Self.cameras.enumerated() {
                var studio = ScreenStudio(frameRate: frameRate, late: late, exposure: exposure, rolling: rolling)
                studio.seed = UInt64(index * 10 + number)
                change(&studio)
                let result = try studio.analysed()
                let error = abs(result.seconds - late)
                worst = max(worst, error)
                #expect(error < foreseen * result.uncertainty, "\(result)")
                #expect(result.seen >= 12 && result.heard >= 12, "\(result)")
            }
        }
        return worst * 1_000
    }

    @Test(arguments: [
        (23.976, 4.0), (24, 4), (25, 4), (29.97, 3), (30, 3), (50, 2), (59.94, 2), (60, 2), (120, 1), (240, 0.6),
    ])
    func findsTheDelayOfADisplay(frameRate: Double, limit: Double) throws {
        #expect(try worst(frameRate) <= limit)
    }

    @Test(arguments: [(24, 4.0), (29.97, 4), (30, 4), (59.94, 2), (60, 2)])
    func findsItInNoiseMusicEchoesAndADriftingExposure(frameRate: Double, limit: Double) throws {
        let error = try worst(frameRate) { studio in
            (studio.drift, studio.flicker, studio.noise, studio.music) = (0.4, 0.01, 0.05, 0.1)
            (studio.recorderPpm, studio.dropped) = (60, 0.01)
        }
        #expect(error <= limit)
    }

    @Test(arguments: [(30.0, 4.0), (60, 3)])
    func findsItInPicturesAtUnevenTimes(frameRate: Double, limit: Double) throws {
        #expect(try worst(frameRate) { $0.jitter = 0.07 / frameRate } <= limit)
    }

    /// The display adds its own rounding; with as many pictures a second as the camera, it may be the same each time.
    @Test(arguments: [(30.0, 50.0, 4.0), (30, 59.94, 4), (30, 60, 4), (60, 50, 4), (60, 59.94, 6), (60, 60, 8.4)])
    func findsItOnADisplayThatRefreshes(frameRate: Double, refreshRate: Double, limit: Double) throws {
        #expect(try worst(frameRate, foreseen: 2) { $0.refreshRate = refreshRate } <= limit)
    }

    @Test func takesRecordingsThatBeginAndEndInside() throws {
        for lead in [-4.0, 20] {
            var studio = ScreenStudio(late: 0.075)
            studio.lead = lead
            studio.seconds = lead < 0 ? 9.5 : 40
            studio.sampleRate = 48_000
            let result = try studio.analysed()
            #expect(abs(result.seconds - 0.075) < 2e-3, "\(lead): \(result)")
            #expect(abs(result.frameRate - 60) < 0.01)
        }
    }

    @Test func knowsFlashesFromOtherLight() throws {
        var studio = ScreenStudio(late: 0.075)
        // A small part of a bright picture, with a lamp that is switched on and off.
        (studio.dark, studio.bright) = (0.4, 0.45)
        var frames = studio.frames()
        for index in frames.indices where (5.0...7.3).contains(frames[index].seconds) { frames[index].luminance += 0.3 }
        let result = try ScreenCalibration.analyse(frames, samples: studio.samples(), sampleRate: studio.sampleRate)
        #expect(abs(result.seconds - 0.075) < 2e-3, "\(result)")
        #expect(result.seen >= 10)
    }

    // MARK: What tells nothing

    private func analysed(_ change: (inout ScreenStudio) -> Void) throws -> PictureLateness {
        var studio = ScreenStudio(late: 0.05)
        change(&studio)
        return try studio.analysed()
    }

    @Test func saysWhatIsMissing() throws {
        #expect(throws: ScreenCalibrationError.noFlashes) { try analysed { $0.flashes = 0..<0 } }
        #expect(throws: ScreenCalibrationError.noFlashes) { try analysed { $0.late = 1.6 } }
        #expect(throws: ScreenCalibrationError.noFlashes) { try analysed { ($0.flicker, $0.bright) = (0.2, 0.1) } }
        #expect(throws: ScreenCalibrationError.tooFewFlashes(seen: 6)) { try analysed { $0.flashes = 0..<6 } }
        #expect(throws: ScreenCalibrationError.dark) { try analysed { ($0.dark, $0.bright) = (0, 0.03) } }
        #expect(throws: ScreenCalibrationError.silent) { try analysed { $0.gain = 0 } }
        #expect(throws: ScreenCalibrationError.self) { try analysed { ($0.gain, $0.noise) = (0.0005, 0.2) } }
        #expect(throws: ScreenCalibrationError.notHeard(heard: 5)) { try analysed { $0.chirps = 0..<5 } }
        #expect(throws: ScreenCalibrationError.sampleRate(16_000)) { try analysed { $0.sampleRate = 16_000 } }
        #expect(throws: ScreenCalibrationError.length(3)) { try analysed { $0.seconds = 3 } }
        #expect(throws: ScreenCalibrationError.self) { try analysed { $0.seconds = 200 } }
        #expect(throws: ScreenCalibrationError.self) { try analysed { $0.frameRate = 15 } }
    }

    @Test func numbersThatAreNoneDoNoHarm() throws {
        let studio = ScreenStudio(late: 0.05)
        let samples = studio.samples()
        func analyse(_ frames: [LuminanceSample]) throws(ScreenCalibrationError) -> PictureLateness {
            try ScreenCalibration.analyse(frames, samples: samples, sampleRate: studio.sampleRate)
        }
        #expect(throws: ScreenCalibrationError.frameRate(0)) { try analyse([]) }
        #expect(throws: ScreenCalibrationError.frameRate(0)) {
            try analyse([LuminanceSample(seconds: 1, luminance: 1), LuminanceSample(seconds: 1, luminance: 1)])
        }
        #expect(throws: ScreenCalibrationError.self) {
            try analyse([LuminanceSample(seconds: 5, luminance: 1), LuminanceSample(seconds: 5.01, luminance: 0)])
        }
        let wild = [Double.nan, .infinity, -.infinity, 1e300].flatMap {
            [LuminanceSample(seconds: $0, luminance: 0.5), LuminanceSample(seconds: 4, luminance: $0)]
        }
        #expect(try abs(analyse(studio.frames() + wild.filter { $0.luminance < 2 }).seconds - 0.05) < 3e-3)
        _ = try? analyse(studio.frames() + wild)
        _ = try? analyse(studio.frames().map { LuminanceSample(seconds: 5, luminance: $0.luminance) })
    }
}
