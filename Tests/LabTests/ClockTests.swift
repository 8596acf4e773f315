import Glibc
import Testing
import TuttiLab

extension BehaviourTests {
    /// The group clock outlives whoever began it.
    @Suite("Clock", .serialized, .enabled(if: LabSite.flac.isMet, LabSite.flac.comment))
    struct ClockTests {
        @Test("rooms that played together keep their clock; the next player joins it")
        func known() throws {
            let house = try Household("known")
            _ = try house.writeSong("first", seconds: 6)
            let song = try house.writeSong("second", from: 20, seconds: 7)
            let speakers = [try house.startSpeaker("k", ppm: 60), try house.startSpeaker("b", ppm: -60)]
            let before = house.finish(try house.start(["play", house.path("first.flac")] + house.rooms))
            #expect(before.code == 0, before.comment)
            let ends = speakers.map(\.words.count)
            // Long enough for the rooms to notice that their leader is gone, and for their cards to be let go.
            usleep(5_000_000)
            let outcome = house.finish(try house.start(["play", house.path("second.flac")] + house.rooms))
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            let later = zip(speakers, ends).map { String($0.words.dropFirst($1)) }
            #expect(later.contains { $0.contains("leading the group clock") }, "\(later)")
            let report = try house.compare(song)
            let first = try #require(report.pairs.first?.firstOffset, "\(report.table)\n\(later)")
            #expect(abs(first) < 1000 && report.all.max < 1000, "\(report.table)\n\(later)")
        }

        @Test("twenty thousand forged timing packets a room move nothing")
        func flood() throws {
            let house = try Household("flood")
            let song = try house.writeSong("song", seconds: 10)
            let speakers = [try house.startSpeaker("k", ppm: 60), try house.startSpeaker("b", ppm: -60)]
            let player = try house.start(["play", house.path("song.flac")] + house.rooms)
            #expect(house.eventually(within: 5) { player.1.contents.contains("playing") }, "\(player.1.contents)")
            let forger = PacketForger(seed: 7)
            for _ in 0..<400 {
                for speaker in speakers { forger.send(50, to: speaker.port) }
                usleep(5_000)
            }
            let outcome = house.finish(player)
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            #expect(forger.sent >= 36_000, "the forger could send")
            let report = try house.compare(song)
            #expect(report.rooms.allSatisfy { $0.completeness >= 99 && $0.gaps.isEmpty }, "\(report.table)")
            #expect(report.all.max < 1000, "\(report.table)")
        }
    }
}
