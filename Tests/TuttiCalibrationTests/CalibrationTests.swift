import Testing
import TuttiCalibration

@Suite struct CalibrationTests {
    private let two = ChirpSchedule(roomCount: 2)

    /// Direct sound, a close and a strong late reflection.
    private func echoing(_ seconds: Double, gain: Double) -> [Studio.Path] {
        [
            Studio.Path(seconds: seconds, gain: gain), Studio.Path(seconds: seconds + 0.0017, gain: -0.6 * gain),
            Studio.Path(seconds: seconds + 0.0073, gain: 0.8 * gain),
            Studio.Path(seconds: seconds + 0.0312, gain: 0.5 * gain),
        ]
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func findsTheDelayInNoiseAsLoudAsTheChirpsAndEchoes(seed: UInt64) throws {
        let gain = 0.2
        let studio = Studio(
            schedule: two, recorderPpm: 60, rooms: [echoing(0.011, gain: gain), echoing(0.011 + 0.0234, gain: gain)],
            noise: gain * Studio.chirpLevel, seed: seed)
        let result = try studio.analysed()
        let kitchen = result.rooms[1]
        #expect(abs(kitchen.seconds - 0.0234) < 0.02e-3, "\(kitchen)")
        #expect(kitchen.confidence == .good && kitchen.heard >= 7, "\(kitchen)")
        #expect(kitchen.uncertainty < 0.02e-3 && kitchen.signalToNoise > 20, "\(kitchen)")
        #expect(result.rooms[0].seconds == 0)
        #expect(abs(result.recorderPpm - 60) < 5, "\(result.recorderPpm)")
    }

    @Test(arguments: [44_100, 48_000, 96_000])
    func isExactWithoutNoise(sampleRate: Int) throws {
        let studio = Studio(
            schedule: two, sampleRate: sampleRate, recorderPpm: -85,
            rooms: [echoing(0.004, gain: 0.3), echoing(0.0041234, gain: 0.01)], noise: 1e-6)
        let result = try studio.analysed()
        #expect(abs(result.rooms[1].seconds - 0.0001234) < 2e-6, "\(result)")
        let other = try studio.analysed(reference: 1)
        #expect(abs(other.rooms[0].seconds + 0.0001234) < 2e-6, "\(other)")
    }

    @Test func theFirstArrivalCountsAndNotTheStrongest() throws {
        let behindTheSofa = [Studio.Path(seconds: 0.010, gain: 0.05), Studio.Path(seconds: 0.0192, gain: 0.15)]
        let studio = Studio(
            schedule: two, rooms: [[Studio.Path(seconds: 0.010, gain: 0.2)], behindTheSofa], noise: 0.01)
        let result = try studio.analysed()
        #expect(abs(result.rooms[1].seconds) < 0.02e-3, "\(result)")
    }

    @Test(arguments: [-0.8, -0.021, 0.0, 0.3, 1.9])
    func findsDelaysOfAnySize(seconds: Double) throws {
        let studio = Studio(
            schedule: two, lead: 2.5, seconds: 14,
            rooms: [[Studio.Path(seconds: 0.01, gain: 0.1)], [Studio.Path(seconds: 0.01 + seconds, gain: 0.02)]],
            noise: 0.005)
        let result = try studio.analysed()
        #expect(abs(result.rooms[1].seconds - seconds) < 0.02e-3, "\(result)")
    }

    @Test func tellsManyRoomsApart() throws {
        let schedule = ChirpSchedule(roomCount: 6)
        let delays = [0.0, 0.150, 0.0421, 0.7, 0.0003, -0.05]
        let studio = Studio(
            schedule: schedule, recorderPpm: 40,
            rooms: delays.enumerated().map { echoing(0.06 + $1, gain: $0 % 2 == 0 ? 0.3 : 0.02) }, noise: 0.01)
        let result = try studio.analysed()
        for (room, delay) in delays.enumerated() {
            #expect(abs(result.rooms[room].seconds - delay) < 0.02e-3, "room \(room): \(result.rooms[room])")
        }
    }

    @Test func aRecordingThatMissesTheBeginningWillDo() throws {
        let studio = Studio(
            schedule: two, lead: -4.2,
            seconds: 7, rooms: [echoing(0.01, gain: 0.2), echoing(0.045, gain: 0.2)], noise: 0.01)
        let result = try studio.analysed()
        #expect(abs(result.rooms[1].seconds - 0.035) < 0.02e-3, "\(result)")
        #expect(result.rooms[1].heard < two.repeats)
    }

    @Test func noiseAloneIsNoRoom() throws {
        let silentKitchen = Studio(schedule: two, rooms: [echoing(0.01, gain: 0.2), []], noise: 0.02)
        #expect { try silentKitchen.analysed() } throws: { error in
            guard case .notHeard(room: 1, let heard)? = error as? CalibrationError else { return false }
            return heard <= 4
        }
        let nothing = Studio(schedule: two, rooms: [[], []], noise: 0.1)
        #expect { try nothing.analysed() } throws: { error in
            if case .notHeard(room: 0, _)? = error as? CalibrationError { true } else { false }
        }
    }

    @Test func aRoomThatWandersIsRefused() throws {
        let studio = Studio(
            schedule: two, rooms: [echoing(0.01, gain: 0.2), echoing(0.02, gain: 0.2)], noise: 0.001, wander: 2e-3)
        #expect { try studio.analysed() } throws: { error in
            if case .unsteady? = error as? CalibrationError { true } else { false }
        }
    }

    @Test func recordingsThatCannotBeUsedAreRefused() {
        let schedule = two
        func analyse(_ samples: [Float], _ rate: Int) throws(CalibrationError) {
            _ = try Calibration.analyse(samples, sampleRate: rate, schedule: schedule, reference: 0)
        }
        #expect(throws: CalibrationError.sampleRate(8_000)) { try analyse([1, 2], 8_000) }
        #expect(throws: CalibrationError.length(0)) { try analyse([], 48_000) }
        #expect(throws: CalibrationError.length(0.5)) { try analyse([Float](repeating: 0, count: 24_000), 48_000) }
        #expect(throws: CalibrationError.silent) { try analyse([Float](repeating: 0, count: 96_000), 48_000) }
        #expect(throws: CalibrationError.silent) { try analyse([Float](repeating: .nan, count: 96_000), 48_000) }
        #expect(throws: CalibrationError.self) {
            try analyse([Float](repeating: .infinity, count: 96_000) + [1, -.infinity], 48_000)
        }
    }
}
