import Foundation
import Glibc
import Testing
import TuttiLab

extension MeasurementTests {
    /// How quickly a room is back after its card lost its place.
    @Suite("Recovery", .enabled(if: LabSite.cards.isMet, LabSite.cards.comment))
    struct CardFaultRecoveryTests {
        @Test(
            "after an underrun, forced or real, a room is silent for 20 ms more at most and in step half a second later"
        )
        func underruns() throws {
            let house = try Household("recovery")
            let song = try house.writeSong("song", seconds: 13)
            let cards = [
                LabCard(name: "steady", directory: house.folder, ppm: 20),
                LabCard(name: "forced", directory: house.folder, ppm: 70, xruns: [5, 8, 11]),
                LabCard(name: "coarse", directory: house.folder, ppm: -40, kind: .millisecondSteps, xruns: [6, 9]),
                LabCard(name: "stopped", directory: house.folder, ppm: -80),
            ]
            let speakers = try cards.map { try house.startSpeaker(on: $0) }
            let player = try house.start(
                ["play", house.path("song.flac")] + speakers.flatMap { ["--room", $0.room] })
            usleep(6_500_000)
            kill(speakers[3].process.id, SIGSTOP)
            usleep(100_000)
            kill(speakers[3].process.id, SIGCONT)
            let outcome = house.finish(player)
            house.endSpeakers()
            #expect(outcome.code == 0, outcome.comment)

            let report = try house.compare(song, speakers.map(\.recording))
            let began = try #require(report.rooms.compactMap(\.firstSoundRawNanoseconds).min())
            for (index, card) in cards.enumerated() where index > 0 {
                let runs = try CardRecording(path: card.logPath).truth.runs
                #expect(runs.count == [1, 4, 3, 2][index], "\(card.name) ran \(runs.count) times")
                var allowed = 0.0
                var restarts: [Double] = []
                for (before, after) in zip(runs, runs.dropFirst()) {
                    allowed += Double(after.start - before.end) / 1e6 + 20
                    restarts.append(Double(after.start - began) / 1e9)
                }
                #expect(report.rooms[index].gapMilliseconds <= allowed, "\(card.name): \(report.rooms[index].gaps)")
                // Half a second, and the half of a window.
                let settled =
                    report.pairs.first { $0.first == "steady" && $0.second == card.name }?.offsets
                    .filter { offset in restarts.contains { (0.6..<2).contains(offset.seconds - $0) } } ?? []
                #expect(settled.count > 5 * restarts.count)
                let worst = settled.map { abs($0.microseconds) }.max() ?? .infinity
                print(
                    "recovery \(card.name): gaps \(report.rooms[index].gaps.map(\.milliseconds)) allowed \(allowed), worst \(worst)"
                )
                #expect(worst <= (card.kind == .exact ? 20 : 40), "\(card.name): \(worst) µs")
            }
        }
    }
}
