import Foundation
import Testing
import TuttiLab
import TuttiSchema

extension BehaviourTests {
    /// Commands from a second terminal, judged by what the rooms recorded.
    @Suite("Steering", .serialized, .enabled(if: LabSite.flac.isMet, LabSite.flac.comment))
    struct SteeringTests {
        private static let seconds = 8.0
        private let house: Household
        /// Both songs, one after the other.
        private let programme: WaveFile

        init() throws {
            house = try Household("steering")
            // The same music goes on in the second file, at another rate: the join is in the middle of it.
            let first = try house.writeSong("one", seconds: Self.seconds)
            let second = try house.writeSong("two", from: Self.seconds, seconds: Self.seconds, rate: 44_100)
            programme = first.followed(by: second)
            try house.startSpeaker("k", ppm: 70)
            try house.startSpeaker("b", ppm: -50)
        }

        private func play() throws -> (ChildProcess, String) {
            let player = try house.start(["play", house.path("one.flac"), house.path("two.flac")] + house.rooms)
            let isHeard = try house.eventually(within: 5) { try status()?.state == .playing }
            #expect(isHeard, "\(player.1.contents)")
            return player
        }

        private func status() throws -> PlayerStatus? {
            let outcome = try house.tutti("status", "--json", within: 3)
            return try? JSONDecoder().decode(PlayerStatus.self, from: Data(outcome.text.utf8))
        }

        private func steer(_ arguments: String...) throws {
            let outcome = house.finish(try house.start(arguments), within: 3)
            #expect(outcome.code == 0, outcome.comment)
        }

        @Test("two songs of 48 and 44.1 kHz follow each other without a gap")
        func gapless() throws {
            let outcome = house.finish(try play())
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            let report = try house.compare(programme)
            for room in report.rooms {
                #expect(room.completeness >= 99 && room.gaps.isEmpty, "\(report.table)\n\(outcome.text)")
                #expect(room.clicks.isEmpty && room.jumps == 0, "\(report.table)\n\(room.clicks)")
            }
            #expect(report.all.count > 100 && report.all.max < 1000, "\(report.table)")
        }

        @Test("pause, resume, seek, next, previous, volume and stop do in all rooms at once what they say")
        func steering() throws {
            let player = try play()
            // Stretches of two seconds: shorter ones cannot be told from music like them.
            usleep(2_000_000)
            try steer("pause")
            usleep(700_000)
            #expect(try status()?.state == .paused)
            try steer("resume")
            usleep(2_200_000)
            try steer("seek", "4")
            usleep(2_200_000)
            try steer("next")
            usleep(1_600_000)
            try steer("volume", "40")
            usleep(600_000)
            try steer("previous")
            usleep(2_200_000)
            try steer("stop")
            let outcome = house.finish(player, within: 3)
            #expect(outcome.code == 0, outcome.comment)
            house.endSpeakers()
            try judge(outcome)
        }

        /// The rooms' stories: what they played when.
        private func judge(_ outcome: Household.Outcome) throws {
            let cards = try house.speakers.map { try CardRecording(path: $0.recording) }
            let stories = PlayedStretch.stories(of: cards, source: programme)
            let said = "\(stories)\n\(outcome.text)"
            #expect(stories.count == 2 && stories[0].count == stories[1].count, "\(said)")
            let story = try #require(stories.first)
            // From the start, on after the pause, from 4 s, the second song, the first again.
            try #require(story.count == 5, "\(said)")
            let pause = story[0].line - story[1].line
            #expect((0.5..<3).contains(pause) && story[1].start - story[0].end > pause - 0.1, "\(said)")
            // The first probe that shows a place begins at most half its length before the change, and less than 0.5 s
            // behind.
            for (stretch, media) in zip([story[0]] + story.dropFirst(2), [0, 4, Self.seconds, 0]) {
                #expect((-0.1..<0.5).contains(stretch.media - media), "\(media) s: \(said)")
            }
            for (one, other) in zip(stories[0], stories[1]) {
                #expect(abs(one.line - other.line) < 0.001, "\(said)")
            }
            let report = Comparison(source: programme, cards: cards).report()
            #expect(report.all.count > 40 && report.all.max < 1000, "\(report.table)\n\(said)")
            #expect(report.rooms.allSatisfy { $0.clicks.isEmpty }, "\(report.table)\n\(said)")
        }
    }
}
