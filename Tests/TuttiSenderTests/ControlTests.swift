import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiPOSIX
import TuttiPlayback
import TuttiRooms
import TuttiSchema
import TuttiSender

@Suite(.serialized, .repeatedWhenDisturbed) struct ControlTests {
    @Test func commandsGoOverTheSocket() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([file], [speaker.room])
        let runtime = scratch.path + "/run"
        let client = ControlClient(runtimeDirectory: runtime)
        #expect(throws: SenderError.nothingPlaying) { try client.send(ControlRequest(.status)) }
        // What a player that was killed leaves behind is replaced.
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        _ = try scratch.file("run/control.sock", Data())
        let server = try await ControlServer(for: harness.player, runtimeDirectory: runtime)
        let attributes = try FileManager.default.attributesOfItem(atPath: ControlServer.path(in: runtime))
        #expect(attributes[.posixPermissions] as? Int == Int(SocketAdmission(folder: runtime).mode))
        let serving = Task { await server.run() }
        _ = try await harness.run { player in
            try await eventually("it plays") { speaker.wasStarted }
            await #expect(throws: SenderError.self) { try await ControlServer(for: player, runtimeDirectory: runtime) }
            #expect(try await ask(client, ControlRequest(.status)).rooms.map(\.name) == ["kitchen"])
            #expect(try await ask(client, ControlRequest(.pause)).state == .paused)
            #expect(try await ask(client, ControlRequest(.resume())).state == .playing)
            #expect(try await ask(client, ControlRequest(.volume(.to(33), room: "kitchen"))).rooms[0].volume == 33)
            await #expect(throws: SenderError.refused(SenderError.noSuchRoom("x").description, exitCode: 3)) {
                try await ask(client, ControlRequest(.volume(.to(33), room: "x")))
            }
            try await edit(client, scratch)
            try await isRefused(runtime)
            _ = try await ask(client, ControlRequest(.stop))
        }
        serving.cancel()
        await serving.value
        #expect(throws: SenderError.nothingPlaying) { try client.send(ControlRequest(.status)) }
    }

    /// A queue is edited as `tutti` does it.
    private func edit(_ client: ControlClient, _ scratch: Scratch) async throws {
        let other = try scratch.wave("b.wav", frames: 48_000, rate: 48_000)
        let track = ControlInput(AssetInput(uri: "b.wav", title: "B"), directory: scratch.path)
        #expect(track.uri == other)
        #expect(try await ask(client, ControlRequest(.add([track, track]))).queue.length == 3)
        #expect(try await ask(client, ControlRequest(.repeat(.all))).queue.repeat == .all)
        #expect(try await ask(client, ControlRequest(.consume(true))).queue.consume == true)
        #expect(try await ask(client, ControlRequest(.crossfade(2.5))).queue.crossfade == 2.5)
        let queue = try await ask { try client.queue() }
        #expect(queue.crossfade == 2.5)
        #expect(queue.index == 0 && queue.entries.map(\.title) == [nil, "B", "B"] && queue.repeat == .all)
        #expect(try await ask(client, ControlRequest(.remove([1, 2]))).queue.length == 1)
        for (request, code) in [
            (.remove([7]), 3), (.move(from: 0, to: 1), 3), (.crossfade(13), 2), (.crossfade(.nan), 2), (.jump(-1), 3),
        ] as [(PlayerCommand, Int32)] {
            do {
                _ = try await ask(client, ControlRequest(request))
                Issue.record("\(request) was done")
            } catch SenderError.refused(_, let exitCode) {
                #expect(exitCode == code, "\(request)")
            }
        }
    }

    /// Lines that are no requests are answered all the same, and the connection goes on.
    private func isRefused(_ runtime: String) async throws {
        let lines = [
            #"{"command":"seek","position":"soon"}"#, #"{"command":"remove"}"#, #"{"command":"add"}"#,
            #"{"command":"move","entries":[0]}"#, #"{"command":"shuffle","mode":"twice"}"#,
            #"{"command":"crossfade"}"#, #"{"command":"dance"}"#, "{", "",
        ]
        let answers = try await ask { () -> [ControlResponse?] in
            guard let socket = UnixSocket.connected(to: ControlServer.path(in: runtime), timeoutSeconds: 5) else {
                return []
            }
            return lines.map { line in
                guard socket.send(Array((line + "\n").utf8)), let answer = socket.line(limit: 65_536) else {
                    return nil
                }
                return JSONLine.decode(answer)
            }
        }
        #expect(answers.count == lines.count)
        for (line, answer) in zip(lines, answers) {
            #expect(answer?.ok == false && answer?.exitCode == 2 && answer?.service == nil, "\(line)")
        }
        #expect(answers.first??.error == "a place is T, +T or -T, in seconds or M:SS, or live")
        #expect(answers.last??.error == "this is not a request")
    }

    /// The client blocks, so it asks from a thread of its own.
    private func ask<Answer: Sendable>(_ question: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try question() }) }
        }
    }

    private func ask(_ client: ControlClient, _ request: ControlRequest) async throws -> PlayerStatus {
        try await ask { try client.send(request) }
    }

    @Test func statusIsWrittenAsDocumented() throws {
        let expected = """
            {"item":{"album":null,"artist":null,"duration":null,"index":0,"title":"Song","uri":"song.flac"},\
            "position":12.5,"queue":{"index":0,"length":3},"rate":1,"rooms":[{"address":"10.0.0.7:7700","id":"k1","likelyToKeepUp":true,"loaded":[[10,312]],"muted":false,\
            "name":"kitchen","outputDelayMs":0,"stalls":0,"state":"playing","syncErrorUs":3.5,"volume":60,"xruns":0}],\
            "state":"playing"}
            """
        let status = try #require(JSONLine.decode(expected.utf8) as PlayerStatus?)
        #expect(status.rooms[0].loaded.seconds == [[10, 312]] && status.item?.artist == nil)
        #expect(String(decoding: JSONLine.encode(status), as: UTF8.self) == expected)
    }
}
