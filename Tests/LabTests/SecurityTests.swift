import Foundation
import Glibc
import Testing
import TuttiLab

extension BehaviourTests {
    /// Who may play in rooms that belong to a household, judged frame by frame by what they recorded.
    @Suite("Security: households", .serialized)
    struct SecurityTests {
        private let served: ServedHouse
        private var house: Household { served.house }

        init() throws { served = try ServedHouse("security") }

        /// What people on a sender of its own name type.
        private func tutti(
            _ arguments: [String], as user: String, _ environment: [String: String], within seconds: Double = 15
        ) throws -> Household.Outcome {
            house.finish(try house.start(arguments, user: user, extra: environment), within: seconds)
        }

        /// How often a speaker has become somebody's.
        private static func claims(in speaker: Household.Speaker) -> Int {
            speaker.words.components(separatedBy: "claimed; from now on").count - 1
        }

        /// One more sender of the household.
        ///
        /// - Returns: what its environment has besides, and its id.
        private func invitedLaptop() throws -> (environment: [String: String], id: String) {
            let invitation = try house.start(["household", "invite", "--address", "127.0.0.1"])
            var code: String?
            _ = house.eventually(within: 5) {
                code = invitation.1.contents.firstMatch(of: #/household join (\S+)/#).map { String($0.output.1) }
                return code != nil
            }
            let laptop = house.stranger("laptop")
            let joined = try tutti(
                ["household", "join", try #require(code, "\(invitation.1.contents)")], as: "laptop", laptop)
            #expect(joined.code == 0, joined.comment)
            #expect(house.finish(invitation, within: 5).code == 0)
            let listed = try tutti(["household", "list", "--json"], as: "laptop", laptop)
            let id = try #require(
                listed.text.firstMatch(of: #/"id":"([0-9a-f]{32})"/#).map { String($0.output.1) }, listed.comment)
            return (laptop, id)
        }

        /// Has the laptop play in a room, for long enough that the room holds a while of it.
        private func play(
            in room: Household.Speaker, as laptop: [String: String]
        ) throws -> (ChildProcess, String) {
            let playing = try house.start(
                ["play", served.file("a"), "--room", room.room], user: "laptop", extra: laptop)
            let isHeard = try house.eventually(within: 8) {
                try tutti(["status", "--json"], as: "laptop", laptop).text.contains(#""state":"playing""#)
            }
            #expect(isHeard, "\(playing.1.contents)")
            usleep(1_500_000)
            return playing
        }

        /// Whether a room fell silent when the sender of its music was revoked.
        private func expectSilence(
            in room: Household.Speaker, since revoked: Int64, after earlier: String = ""
        ) throws {
            let story = try served.story(room.name)
            #expect(story.map(\.piece) == earlier.map { String($0) } + ["a"], "\(story)")
            let last = try served.instant(of: try #require(story.last).end, in: room)
            let late = last - Double(revoked) / 1e9
            print("the revoked sender's music ended \(late.text(2)) s after the command was given")
            #expect((0..<2).contains(late), "\(late) s: \(story)\n\(room.words)")
        }

        @Test("a sender of another household is refused in one line, and nothing of it is heard")
        func stranger() throws {
            let speaker = try house.startExactSpeaker("k")
            let room = ["--room", speaker.room]
            let service = try served.serve()
            try served.tutti("play", served.file("a"), "--room", speaker.room, "--detach")
            try served.wait(for: "k") { $0.position > 1 }
            let other = house.stranger("desk")
            for arguments in [["play", served.file("b")] + room, ["say", served.file("c")] + room] {
                let refused = try tutti(arguments, as: "desk", other)
                #expect(refused.code == 4 && refused.complaints.count == 1, refused.comment)
                #expect(refused.text.contains("another household"), refused.comment)
            }
            let clear = try tutti(
                ["play", served.file("b")] + room, as: "desk", other.merging(["TUTTI_OPEN": "true"]) { $1 })
            #expect(clear.code == 4 && clear.complaints.count == 1, clear.comment)
            try served.waitForEnd()
            served.end(service)
            house.endSpeakers()
            served.expect(try served.story("k"), isWhole: "a")
        }

        @Test("a sender that is revoked while it plays falls silent within a second, and gets in no more; others go on")
        func revocation() throws {
            let (k, m) = (try house.startExactSpeaker("k"), try house.startExactSpeaker("m"))
            let service = try served.serve()
            // Each room has been played in by the household's first sender.
            try served.tutti("play", served.file("c"), "--room", m.room, "--detach")
            try served.waitForEnd()
            let (laptop, id) = try invitedLaptop()

            try served.tutti("play", served.file("a"), "--room", k.room, "--detach")
            let playing = try play(in: m, as: laptop)
            let revoked = MonotonicRaw.now()
            try served.tutti("household", "revoke", id)
            let ended = house.finish(playing, within: 5)
            #expect(ended.code == 4 && ended.text.contains("of the household no longer"), ended.comment)
            let refused = try tutti(["play", served.file("b"), "--room", m.room], as: "laptop", laptop)
            #expect(refused.code == 4 && refused.complaints.count == 1, refused.comment)
            try served.waitForEnd()
            served.end(service)
            house.endSpeakers()
            served.expect(try served.story("k"), isWhole: "a")
            try expectSilence(in: m, since: revoked, after: "c")
        }

        @Test("a room that was away when a sender was revoked sends it away once anybody of the household looks")
        func revocationWhileTheRoomWasAway() throws {
            let before = try house.startExactSpeaker("m")
            try served.tutti("play", served.file("c"), "--room", before.room)
            let (laptop, id) = try invitedLaptop()
            house.kill(before)
            let revoked = try served.tutti("household", "revoke", id)
            #expect(revoked.text.contains("Not told yet: m"), revoked.comment)
            let m = try house.startExactSpeaker("m", port: before.port)
            // The room cannot know yet.
            let playing = try play(in: m, as: laptop)
            let looked = MonotonicRaw.now()
            try served.tutti("delay", m.room)
            let ended = house.finish(playing, within: 5)
            #expect(ended.code == 4 && ended.text.contains("of the household no longer"), ended.comment)
            let refused = try tutti(["play", served.file("b"), "--room", m.room], as: "laptop", laptop)
            #expect(refused.code == 4 && refused.complaints.count == 1, refused.comment)
            house.endSpeakers()
            try expectSilence(in: m, since: looked)
        }

        @Test("a room that was away hears of a revocation from the service once it is back")
        func revocationToldByTheService() throws {
            let before = try house.startExactSpeaker("m")
            try served.tutti("play", served.file("c"), "--room", before.room)
            let service = try served.serve()
            let (laptop, id) = try invitedLaptop()
            house.kill(before)
            try served.tutti("household", "revoke", id)
            let m = try house.startExactSpeaker("m", port: before.port)
            let playing = try house.start(["play", served.file("a"), "--room", m.room], user: "laptop", extra: laptop)
            let ended = house.finish(playing, within: 5)
            #expect(ended.code == 4 && ended.text.contains("of the household no longer"), ended.comment)
            let out = Double(MonotonicRaw.now()) / 1e9
            served.end(service)
            house.endSpeakers()
            for part in try served.story(m.name) {
                let end = try served.instant(of: part.end, in: m)
                #expect(end < out + 1, "\(part)\n\(m.words)")
            }
        }

        @Test("a sender that is gone when it is revoked is not heard from the rooms' buffers either")
        func revocationOfOneThatIsGone() throws {
            let m = try house.startExactSpeaker("m")
            try served.tutti("play", served.file("c"), "--room", m.room)
            let (laptop, id) = try invitedLaptop()
            let playing = try play(in: m, as: laptop)
            playing.0.send(SIGKILL)
            #expect(playing.0.wait(seconds: 2) == .killed(signal: SIGKILL))
            // The room plays on from what it holds.
            usleep(2_000_000)
            let revoked = MonotonicRaw.now()
            try served.tutti("household", "revoke", id)
            #expect(house.eventually(within: 3) { m.words.contains("sender left") }, "\(m.words)")
            usleep(500_000)
            house.endSpeakers()
            try expectSilence(in: m, since: revoked, after: "c")
        }

        @Test("a speaker that is reset while it plays is the next household's, and that one's alone")
        func reset() throws {
            let speaker = try house.startExactSpeaker("k")
            let service = try served.serve()
            try served.tutti("play", served.file("a"), "--room", speaker.room, "--detach")
            try served.wait(for: "k") { $0.position > 1 }
            let reset = try house.speaker(["reset", "--state-dir", house.path("k")])
            #expect(reset.code == 0 && reset.text.hasPrefix("This speaker belongs to nobody"), reset.comment)
            #expect(house.eventually(within: 3) { speaker.words.contains("reset;") }, "\(speaker.words)")
            // Whoever played does not come back unasked.
            usleep(6_000_000)
            #expect(Self.claims(in: speaker) == 1, "\(speaker.words)")
            let desk = house.stranger("desk")
            let played = try tutti(["play", served.file("b"), "--room", speaker.room], as: "desk", desk)
            #expect(played.code == 0, played.comment)
            let refused = try served.tutti("play", served.file("c"), "--room", speaker.room, code: 4)
            #expect(refused.complaints.count == 1, refused.comment)
            served.end(service)
            house.endSpeakers()
            let story = try served.story("k")
            #expect(story.map(\.piece) == ["a", "b"], "\(story)\n\(speaker.words)")
            served.expectWhole(try #require(story.last))
        }
    }
}
