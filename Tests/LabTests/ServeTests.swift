import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// A service that plays for everybody, judged frame by frame by what rooms recorded.
    @Suite("Serve", .serialized)
    struct ServeTests {
        private let served: ServedHouse
        private var house: Household { served.house }

        init() throws { served = try ServedHouse("serve") }

        @Test(
            "two groups play at once, and commands find theirs; killed right after edits it goes on with both to the frame, in two seconds"
        )
        func killed() throws {
            for (name, buffer) in ["k": nil, "m": nil, "n": "6s"] { try house.startExactSpeaker(name, buffer: buffer) }
            let first = try served.serve()
            let rooms = Dictionary(uniqueKeysWithValues: house.speakers.map { ($0.name, $0.room) })
            let (k, m, n) = try (#require(rooms["k"]), #require(rooms["m"]), #require(rooms["n"]))
            try served.tutti("play", served.file("a"), "--room", k, "--detach")
            let view = try house.start(["play", served.file("a"), served.file("c"), "--room", m, "--room", n])
            try served.wait(for: "m+n") { $0.state == "playing" }
            // Which one?
            let several = try served.tutti("pause", code: 2)
            #expect(several.complaints.count == 1 && several.text.contains("k, m+n"), several.comment)
            let unknown = try served.tutti("next", "--group", "attic", code: 3)
            #expect(unknown.complaints.count == 1 && unknown.text.contains("k, m+n"), unknown.comment)
            try served.tutti("pause", "--group", "k")
            try served.wait(for: "m+n") { $0.position > 2 }
            let held = try #require(try served.status()["m+n"]).end(in: "n")
            let edited = MonotonicRaw.now()
            try served.ask([
                #"{"command":"add","group":"m+n","inputs":[{"uri":"\#(served.file("b"))"}]}"#,
                #"{"command":"move","group":"m+n","entries":[2,1]}"#,
                #"{"command":"add","group":"m+n","inputs":[{"uri":"\#(served.file("a"))"}]}"#,
                #"{"command":"remove","group":"m+n","entries":[3]}"#,
                #"{"command":"volume","group":"k","room":"k","volume":"40"}"#,
            ])
            first.0.send(SIGKILL)
            let edits = Double(MonotonicRaw.now() - edited) / 1e6
            _ = first.0.wait()
            #expect(edits < 500, "the edits took \(edits) ms")
            let gone = try served.tutti("status")
            #expect(gone.complaints.count == 1, gone.comment)
            let second = try served.serve()
            try served.wait(for: "m+n") { $0.end(in: "n") > held + 0.05 }
            let fed = Double(MonotonicRaw.now() - second.0.started) / 1e9
            print("five edits in \(edits.text(0)) ms, killed; started again, it feeds after \(fed.text(2)) s at most")
            #expect(fed < 2, "fed again after \(fed) s")
            try served.wait(for: "k") { $0.state == "paused" && $0.rooms.first?.volume == 40 }
            let queue = try served.tutti("queue", "--group", "m+n")
            let names = queue.text.matches(of: #/[abc]\.wav/#).map { String($0.output) }
            #expect(names == ["a.wav", "b.wav", "c.wav"], queue.comment)
            try served.tutti("stop", "--group", "k")
            try served.waitForEnd()
            let seen = house.finish(view, within: 3)
            #expect(seen.code == 0 && seen.text.contains("the service is back"), seen.comment)
            served.end(second)
            house.endSpeakers()
            for room in ["m", "n"] { served.expect(try served.story(room), isWhole: "abc") }
            #expect(try served.story("k").first?.piece == "a")
        }

        @Test("a view of it may end at any time, and an update of it is not heard")
        func views() throws {
            try house.startExactSpeaker("k")
            let first = try served.serve()
            let room = house.speakers[0].room
            let view = try house.start(["play", served.file("a"), served.file("c"), "--room", room])
            try served.wait(for: "k") { $0.position > 1 }
            view.0.send(SIGINT)
            #expect(house.finish(view, within: 3).code == 0)
            let refused = try served.tutti("play", "-", "--room", room, code: 2)
            #expect(refused.complaints.count == 1 && refused.text.contains("--standalone"), refused.comment)
            // There is one service.
            let twin = try served.tutti("serve", code: 1)
            #expect(twin.complaints.count == 1, twin.comment)
            let watch = try house.start(["watch", "--json"])
            usleep(1_200_000)
            let stopped = MonotonicRaw.now()
            served.end(first)
            #expect(MonotonicRaw.now() - stopped < 2_000_000_000)
            #expect(house.finish(watch, within: 3).text.contains(#""group":"k""#))
            let second = try served.serve()
            // An edit of what the room holds already.
            try served.wait(for: "k") { $0.state == "playing" }
            try served.tutti("insert", served.file("b"))
            try served.waitForEnd()
            served.end(second)
            house.endSpeakers()
            served.expect(try served.story("k"), isWhole: "abc")
        }

        @Test("a room is in one group, the one that was asked for last; rooms come and go as their group is edited")
        func moves() throws {
            for name in ["k", "m"] { try house.startExactSpeaker(name) }
            let service = try served.serve()
            let rooms = house.speakers.map(\.room)
            try served.tutti("group", "set", "down", rooms[0])
            try served.tutti("play", served.file("a"), "--group", "down", "--detach")
            try served.tutti("group", "add", "down", rooms[1])
            try served.wait(for: "down") { $0.rooms.count == 2 && $0.rooms.allSatisfy { !$0.loaded.isEmpty } }
            // A room that is added is heard within a second.
            usleep(1_000_000)
            try served.tutti("play", served.file("b"), "--room", rooms[1], "--detach")
            let after = try served.status()
            #expect(after["down"]?.rooms.map(\.name) == ["k"] && after["m"]?.rooms.map(\.name) == ["m"], "\(after)")
            try served.wait(for: "m") { $0.position > 0.3 }
            // What is given to a group that plays takes the place of what it plays.
            try served.tutti("play", served.file("c"), "--room", rooms[1], "--detach")
            try served.wait(for: "m") { $0.item?.uri.hasSuffix("c.wav") == true && $0.position > 0.3 }
            try served.tutti("stop", "--group", "m")
            try served.tutti("stop")
            let idle = try served.tutti("pause", code: 5)
            #expect(idle.complaints.count == 1, idle.comment)
            served.end(service)
            house.endSpeakers()
            let heard = try served.story("m")
            #expect(heard.map(\.piece) == ["a", "b", "c"], "\(heard)")
            #expect(try served.story("k").map(\.piece) == ["a"])
        }

        /// What happens to the service while a start is due.
        enum Fate: CaseIterable { case dies, isStartedAgain }

        @Test(
            "a start at a time is heard at that time, even when the service has died before, or is started again while music gives way to it",
            arguments: Fate.allCases)
        func appointment(_ fate: Fate) throws {
            try house.startExactSpeaker("k")
            var service = try served.serve()
            let room = house.speakers[0].room
            if fate == .isStartedAgain { try served.tutti("play", served.file("a"), "--room", room, "--detach") }
            try served.tutti("at", "in", "8s", "play", served.file("c"), "--room", room, "--volume", "100")
            let listed = try served.tutti("at", "--json")
            let next = try #require(listed.text.firstMatch(of: #/"next":([0-9.]+)/#).flatMap { Double($0.output.1) })
            let offset = Double(MonotonicRaw.now()) / 1e9 - Date().timeIntervalSince1970
            switch fate {
            case .dies:
                // The line is given as soon as the room is ready.
                try served.wait(for: "k") { $0.state == "playing" && $0.rooms.first?.loaded.isEmpty == false }
                usleep(500_000)
                #expect(Date().timeIntervalSince1970 < next - 2)
            case .isStartedAgain: sleep(until: next - 1.2)
            }
            service.0.send(SIGKILL)
            _ = service.0.wait()
            if fate == .isStartedAgain { service = try served.serve() }
            sleep(until: next + 3.5)
            let said = service.1.contents
            house.endSpeakers()
            let story = try served.story("k")
            let announced = try #require(story.last, "\(said)")
            #expect(story.map(\.piece) == (fate == .dies ? ["c"] : ["a", "c"]), "\(story)\n\(said)")
            served.expectWhole(announced)
            let late = try served.instant(of: announced.start, in: house.speakers[0]) - offset - next
            #expect(abs(late) < 0.02, "\(late) s late: \(story)\n\(said)")
        }

        private func sleep(until time: Double) {
            usleep(UInt32(max(0, time - Date().timeIntervalSince1970) * 1e6))
        }

        @Test("a sleep timer fades out, ends, and leaves the room as loud as it was")
        func sleep() throws {
            try house.startExactSpeaker("k")
            let service = try served.serve()
            try served.tutti("play", served.file("a"), "--room", house.speakers[0].room, "--detach")
            try served.tutti("volume", "80")
            try served.tutti("repeat", "all")
            try served.tutti("sleep", "12s")
            let left = try served.tutti("sleep")
            #expect(left.text.hasPrefix("0:1"), left.comment)
            try served.waitForEnd()
            try served.tutti("play", served.file("c"), "--room", house.speakers[0].room, "--detach")
            try served.wait(for: "k") { $0.rooms.first?.volume == 80 }
            try served.tutti("stop")
            served.end(service)
        }
    }
}
