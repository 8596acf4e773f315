import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// What a service makes of its surroundings: a full disk, systemd, many controllers, another sender.
    @Suite("Serve and its surroundings", .serialized)
    struct ServeFaultTests {
        private let served: ServedHouse
        private var house: Household { served.house }

        init() throws { served = try ServedHouse("surroundings") }

        @Test(
            "a disk that is full is told of once, and the music plays on; when there is room again nothing has been lost",
            .enabled(if: LabSite.network.isMet, LabSite.network.comment))
        func fullDisk() throws {
            let state = house.path("state")
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            try Tool.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", state])
            defer { _ = try? Tool.run(["umount", "-l", state]) }
            try house.startExactSpeaker("k")
            let first = try served.serve()
            func told(_ words: String) -> Int { first.1.contents.components(separatedBy: words).count - 1 }
            try served.tutti("play", served.file("b"), "--room", house.speakers[0].room, "--detach")
            fill(state + "/ballast")
            try served.tutti("add", served.file("c"))
            for volume in 80..<100 where told("cannot be written") == 0 { try served.tutti("volume", "\(volume)") }
            try served.tutti("volume", "100")
            try served.tutti("add", served.file("b"))
            // What is about the store itself cannot be done.
            let refused = try served.tutti("group", "set", "down", "k", code: 1)
            #expect(refused.complaints.count == 1 && refused.text.contains("full"), refused.comment)
            #expect(told("the disk is full") == 1 && told("written again") == 0, "\(first.1.contents)")
            try FileManager.default.removeItem(atPath: state + "/ballast")
            try served.tutti("group", "set", "down", "k")
            #expect(told("the disk is full") == 1 && told("written again") == 1, "\(first.1.contents)")
            try served.tutti("volume", "100")
            first.0.send(SIGKILL)
            _ = first.0.wait()
            let second = try served.serve()
            let queue = try served.tutti("queue")
            #expect(queue.text.matches(of: #/[abc]\.wav/#).map { String($0.output) } == ["b.wav", "c.wav", "b.wav"])
            #expect(try served.tutti("group", "list").text.contains("down: k"))
            try served.waitForEnd()
            served.end(second)
            house.endSpeakers()
            let story = try served.story("k")
            #expect(story.map(\.piece).reduce("", +).hasSuffix("cb"), "\(story)")
            for (stretch, next) in zip(story, story.dropFirst()) where stretch.piece != next.piece {
                #expect(next.start == stretch.end, "\(story)")
            }
        }

        /// Writes until nothing more fits.
        private func fill(_ path: String) {
            guard let file = fopen(path, "w") else { return }
            setvbuf(file, nil, _IONBF, 0)
            let block = [UInt8](repeating: 1, count: 512)
            while fwrite(block, 1, block.count, file) == block.count {}
            fclose(file)
        }

        @Test("systemd is told that it is ready, that it lives and that it ends, and its watchdog ends it")
        func notifications() throws {
            let socket = try #require(NotifySocket(path: house.path("notify")))
            let extra = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "400000"]
            let first = try served.serve(extra: extra)
            #expect(socket.next(within: 2)?.first == "READY=1")
            for _ in 0..<3 { #expect(socket.next(within: 1)?.contains("WATCHDOG=1") == true) }
            served.end(first)
            var last: [String]?
            while let lines = socket.next(within: 0.1) { last = lines }
            #expect(last == ["STOPPING=1"])
            // This is how a watchdog ends who stands still, and at once.
            let second = try served.serve(extra: extra)
            #expect(second.0.stop(signal: SIGABRT, within: 2) == .killed(signal: SIGABRT), "\(second.1.contents)")
        }

        @Test("many controllers at once: each command is done, and all who watch see the same in the same order")
        func controllers() throws {
            try house.startExactSpeaker("k")
            let service = try served.serve()
            // As many as lets every "next" have one, in whatever order the commands come: the fourth is the last to be
            // jumped to.
            let pieces = ["b", "a", "c", "a", "b", "a", "c", "a"].map { served.file($0) }
            let order = house.finish(
                try house.start(["play"] + pieces + ["--room", house.speakers[0].room, "--detach"]))
            #expect(order.code == 0, order.comment)
            let watches = try (0..<3).map { _ in try house.start(["watch", "--json"]) }
            let areThere = house.eventually(within: 3) { watches.allSatisfy { !$0.1.contents.isEmpty } }
            #expect(areThere)
            var commands: [(ChildProcess, String)] = []
            for round in 0..<3 {
                for arguments in [
                    ["jump", "\(round % 3 + 2)"], ["toggle"], ["volume", "\(40 + round)"], ["next"], ["toggle"],
                    ["add", served.file("c")],
                ] {
                    commands.append(try house.start(arguments))
                }
            }
            for command in commands {
                let outcome = house.finish(command, within: 10)
                #expect(outcome.code == 0, outcome.comment)
            }
            try served.tutti("volume", "77")
            let lengths = try (0..<3).map { _ in try served.tutti("queue").text.split(separator: "\n").count }
            #expect(lengths == [11, 11, 11])
            usleep(1_500_000)
            try served.tutti("stop")
            let seen = watches.map { house.finish($0, within: 3).text.split(separator: "\n") }
            // From the first command on; some began to watch while the room was still about to play.
            let news = seen.map { lines in
                lines.filter { !$0.contains(#""event":"progress""#) }.drop { !$0.contains(#""state":"paused""#) }
            }
            // How many there are depends on how the commands fell together.
            #expect(news[0].count > 5, "\(news[0])")
            #expect(news[1] == news[0] && news[2] == news[0], "\(news)")
            for lines in seen {
                let last = try #require(lines.last { $0.contains(#""event":"progress""#) })
                #expect(last.contains(#""volume":77"#) && last.contains(#""length":11"#), "\(last)")
            }
            served.end(service)
        }

        @Test(
            "a room that another sender takes is left to it, also by a service that is started again; the loser is told"
        )
        func claims() throws {
            try house.startExactSpeaker("k")
            let room = house.speakers[0].room
            let first = try served.serve()
            try served.tutti("play", served.file("a"), "--room", room, "--detach")
            try served.wait(for: "k") { $0.position > 1 }
            let other = try house.addSender("desk")
            let desk = try house.start(["play", served.file("b"), "--room", room], user: "desk", extra: other)
            #expect(house.eventually(within: 3) { first.1.contents.contains("plays here now") }, "\(first.1.contents)")
            first.0.send(SIGKILL)
            _ = first.0.wait()
            let second = try served.serve()
            let outcome = house.finish(desk, within: 10)
            #expect(outcome.code == 0, outcome.comment)
            usleep(500_000)
            served.end(second)
            house.endSpeakers()
            let story = try served.story("k")
            #expect(story.map(\.piece) == ["a", "b"], "\(story)\n\(second.1.contents)")
            served.expectWhole(try #require(story.last))
        }
    }
}
