import Testing
import TuttiCalibration
import TuttiCore

@Suite struct ScheduleTests {
    @Test(arguments: [1, 2, 3, 5, 8, ChirpSchedule.maximumRooms])
    func noPatternFitsAnotherOrItselfElsewhere(rooms: Int) {
        let schedule = ChirpSchedule(roomCount: rooms)
        let patterns = (0..<rooms).map { schedule.instants(ofRoom: $0).map { Int(($0 * 1000).rounded()) } }
        for (index, first) in patterns.enumerated() {
            for second in patterns[index...] {
                var coincidences: [Int: Int] = [:]
                for one in first { for other in second { coincidences[one - other, default: 0] += 1 } }
                for (lag, _) in coincidences where first != second || abs(lag) > 50 {
                    let near = (lag - 4...lag + 4).reduce(0) { $0 + (coincidences[$1] ?? 0) }
                    #expect(near <= 4, "\(rooms) rooms: \(near) chirps coincide at a distance of \(lag) ms")
                }
            }
        }
    }

    @Test func roomsTakeTurns() {
        let schedule = ChirpSchedule(roomCount: 3)
        var turns: [(frame: Int, room: Int)] = []
        for room in 0..<3 { turns += schedule.frames(ofRoom: room).map { ($0, room) } }
        turns.sort { $0.frame < $1.frame }
        #expect(turns.map(\.room) == (0..<24).map { $0 % 3 })
        for (before, after) in zip(turns, turns.dropFirst()) {
            #expect(after.frame - before.frame > Int(0.25 * 48_000))
        }
    }

    @Test func eachRoomsPartsHoldItsChirpsAlone() {
        let schedule = ChirpSchedule(roomCount: 2)
        let samples = schedule.samples()
        #expect(samples.count == schedule.frameCount)
        let parts = schedule.parts(ofRoom: 0) + schedule.parts(ofRoom: 1)
        for (index, sample) in samples.enumerated() where sample != 0 {
            let time = MediaTime(frame: Int64(index), sampleRate: ChirpSchedule.sampleRate)
            #expect(parts.count { $0.contains(time) } == 1, "frame \(index)")
            if parts.count(where: { $0.contains(time) }) != 1 { return }
        }
        #expect(parts.sorted { $0.start < $1.start }.coalesced().count == parts.count)
    }

    @Test func aChirpBeginsAndEndsInSilenceAndIsNeverTooLoud() {
        let chirp = Chirp.samples(sampleRate: 48_000)
        #expect(chirp.count == 4_800)
        #expect(abs(chirp[0]) < 1e-6 && abs(chirp[1]) < 1e-4 && abs(chirp[4_799]) < 1e-2)
        #expect((chirp.map { abs($0) }.max() ?? 0) <= 1)
        let peak = ChirpSchedule(roomCount: 1).samples().map { abs($0) }.max() ?? 0
        #expect(peak > 0.2 && peak <= 0.25)
        #expect(Chirp.value(at: -1) == 0 && Chirp.value(at: 0.1) == 0)
    }

    @Test func clicksComeOnceASecond() {
        let clicks = ClickTrack.samples(seconds: 3)
        #expect(clicks.count == 3 * 48_000)
        let loud = clicks.indices.filter { abs(clicks[$0]) > 0.1 }
        let seconds = Set(loud.map { $0 / 48_000 })
        #expect(seconds == [0, 1, 2])
        #expect(loud.allSatisfy { (24_000..<25_000).contains($0 % 48_000) })
    }

    @Test func waveFilesAreWhole() {
        let bytes = WaveBytes.encode([0, 1, -1, 2], sampleRate: 48_000)
        #expect(bytes.count == 44 + 8)
        #expect(bytes[0..<4].elementsEqual("RIFF".utf8) && bytes[36..<40].elementsEqual("data".utf8))
        #expect(bytes[4] == 44 && bytes[40] == 8)
        #expect(Array(bytes[44...]) == [0, 0, 0xFF, 0x7F, 0x01, 0x80, 0xFF, 0x7F])
    }
}
