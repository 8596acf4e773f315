import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

@Suite(.serialized, .repeatedWhenDisturbed) struct OutputDelayTests {
    private let identity = SenderIdentity(id: "test", name: "test")

    /// Visits block, so they are made from a thread of their own.
    private func visit<Value: Sendable>(
        _ address: RoomAddress, _ body: @escaping @Sendable (inout RoomVisit) throws -> Value
    ) async throws -> Value {
        let identity = identity
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var visit = try RoomVisit(address, identity: identity, clock: HostClock())
                        let value = try body(&visit)
                        visit.leave()
                        return value
                    })
            }
        }
    }

    @Test func aVisitAsksAndSets() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let first = try await visit(speaker.room) { visit in
            let before = visit.outputDelayMs
            try visit.setOutputDelay(23.4)
            return [before, visit.outputDelayMs]
        }
        #expect(first == [0, 23.4])
        #expect(speaker.inspect { $0.outputDelay } == 23.4)
        #expect(try await visit(speaker.room) { [$0.outputDelayMs] } == [23.4])
        let nameless = RoomAddress(name: "", host: "127.0.0.1", port: speaker.port)
        #expect(try await visit(nameless) { $0.name } == "kitchen")
    }

    @Test func aVisitIsRefusedWhereSomebodyPlays() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            await #expect {
                try await visit(speaker.room) { $0.outputDelayMs }
            } throws: { error in
                (error as? SenderError)?.exitCode == 4
            }
            #expect(await player.status().state == .playing)
            await player.stop()
        }
    }

    @Test("what plays on without its sender is left alone by a visit, and silenced when that is asked for")
    func orphans() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            await player.detach()
        }
        await #expect {
            try await visit(speaker.room) { $0.outputDelayMs }
        } throws: { error in
            (error as? SenderError)?.exitCode == 4
        }
        let (held, stream) = speaker.inspect { ($0.packets.count, $0.stream) }
        #expect(held > 0)
        let (room, identity) = (speaker.room, identity)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try RoomVisit.silence(room, identity: identity, clock: HostClock()) })
            }
        }
        #expect(speaker.inspect { $0.packets.isEmpty && $0.stream != stream })
    }

    @Test func wrongAddressesAreTold() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        for (name, port) in [("bath", speaker.port), ("kitchen", 1)] {
            await #expect {
                try await visit(RoomAddress(name: name, host: "127.0.0.1", port: port)) { $0.outputDelayMs }
            } throws: { error in
                (error as? SenderError)?.exitCode == 3
            }
        }
    }

    @Test func aPlayerSetsTheDelayOfItsRooms() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            try await player.setOutputDelay(-2.5, room: "Kitchen")
            #expect(await player.status().rooms[0].outputDelayMs == -2.5)
            try await eventually("set") { speaker.inspect { $0.outputDelay } == -2.5 }
            await #expect(throws: SenderError.self) { try await player.setOutputDelay(5001, room: "kitchen") }
            await #expect(throws: SenderError.noSuchRoom("attic")) {
                try await player.setOutputDelay(1, room: "attic")
            }
            await player.stop()
        }
    }

    @Test func eachRoomPlaysItsPartsAlone() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 96_000, rate: 48_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let part = TimeRange(
            start: MediaTime(frame: 48_000, sampleRate: 48_000), duration: MediaTime(frame: 9_600, sampleRate: 48_000))
        let harness = try PlayerHarness(
            [file], speakers.map(\.room), codec: .pcm, parts: [speakers[0].room.label: [part]])
        #expect(try await harness.run().exitCode == 0)
        let all = speakers[1].inspect { $0.packets }
        let some = speakers[0].inspect { $0.packets }
        #expect(all.count == 100 && some.map(\.presentationTime) == all.map(\.presentationTime))
        for (mine, whole) in zip(some, all) {
            let isPart = part.intersection(mine.timeRange) != nil
            #expect(isPart ? mine.data == whole.data : mine.data.allSatisfy { $0 == 0 }, "\(mine.timeRange)")
        }
    }
}
