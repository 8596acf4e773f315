import Testing
import TuttiCalibration
import TuttiSignal

@Suite struct HeardChirpTests {
    private func heard(_ late: Double, repeats: Int) throws -> Calibration.Result {
        let paths = [[Studio.Path(seconds: 0.01, gain: 0.2)], [Studio.Path(seconds: 0.01 + late, gain: 0.15)]]
        let schedule = ChirpSchedule(roomCount: 2, repeats: repeats)
        return try Studio(schedule: schedule, recorderPpm: 45, rooms: paths, noise: 0.01).analysed()
    }

    @Test(arguments: [0.0, 0.0123, -0.004])
    func chirpsInTurnGiveARowOfOffsets(late: Double) throws {
        let result = try heard(late, repeats: 24)
        let offsets = result.offsets(of: 1, behind: 0, distance: 0)
        #expect(offsets.count >= 20)
        let found = OffsetStatistics(offsets, floor: 0)
        #expect(abs(found.median.value - late * 1e6) < 20, "\(found.median)")
        #expect(abs(found.median.value - late * 1e6) < 4 * found.median.uncertainty + 1, "\(found.median)")
        #expect(abs(found.drift.value) < 4 * found.drift.uncertainty + 0.1, "\(found.drift)")
        let back = OffsetStatistics(result.offsets(of: 0, behind: 1, distance: 0), floor: 0)
        #expect(abs(back.median.value + found.median.value) < 5)
        // A metre further away is 2.9 ms.
        let nearer = OffsetStatistics(result.offsets(of: 1, behind: 0, distance: 1 / 343.0), floor: 0)
        #expect(abs(found.median.value - nearer.median.value - 2_915) < 1)
    }

    @Test func aScheduleOfFewerIsTheBeginningOfOneOfMore() {
        let (few, many) = (ChirpSchedule(roomCount: 2, repeats: 8), ChirpSchedule(roomCount: 2, seconds: 60))
        #expect(many.repeats > 50 && many.duration <= 61)
        #expect(few.frames(ofRoom: 1).elementsEqual(many.frames(ofRoom: 1).prefix(8)))
        #expect(ChirpSchedule(roomCount: 2, seconds: 1).repeats == ChirpSchedule.usualRepeats)
        #expect(ChirpSchedule(roomCount: 2, seconds: .infinity).repeats == ChirpSchedule.maximumRepeats)
        #expect(ChirpSchedule(roomCount: 0, repeats: -5).repeats == 1)
    }
}
