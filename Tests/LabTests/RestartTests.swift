import Glibc
import Testing
import TuttiLab

extension LabTests {
    /// A speaker that dies while it plays and is started again.
    @Suite("Restart", .enabled(if: LabSite.flac.isMet, LabSite.flac.comment))
    struct RestartTests {
        @Test("a speaker that is killed and started again joins in step; the others play on")
        func killed() throws {
            let house = try Household("restart")
            let song = try house.writeSong("song", seconds: 10)
            let steady = try house.startSpeaker("k", ppm: 60)
            let victim = try house.startSpeaker("b", ppm: -60)
            let player = try house.start(["play", house.path("song.flac")] + house.rooms)
            #expect(house.eventually(within: 5) { player.1.contents.contains("b: playing") }, "\(player.1.contents)")
            usleep(2_000_000)
            victim.process.send(SIGKILL)
            _ = victim.process.wait()
            usleep(500_000)
            let back = try house.startSpeaker("b", ppm: -60, port: victim.port, recording: "b-again")
            let outcome = house.finish(player)
            #expect(outcome.code == 0, outcome.comment)
            for speaker in [steady, back] { speaker.process.stop(signal: SIGINT) }

            let whole = try house.compare(song, [steady.recording])
            let said = "\(whole.table)\n\(outcome.text)\n\(back.words)"
            #expect(whole.rooms[0].completeness >= 99 && whole.rooms[0].gaps.isEmpty, "\(said)")
            let report = try house.compare(song, [steady.recording, back.recording])
            let first = try #require(report.pairs.first?.firstOffset, "\(report.table)\n\(said)")
            #expect(abs(first) < 1000 && report.all.max < 1000, "\(report.table)\n\(said)")
            #expect(report.rooms[1].completeness > 30 && report.rooms[1].clicks.isEmpty, "\(report.table)\n\(said)")
        }
    }
}
