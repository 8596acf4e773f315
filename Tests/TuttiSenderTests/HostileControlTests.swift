import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiSchema
import TuttiSender

/// Every command of the control socket, with every number that a line of JSON can hold, to a player that plays.
@Suite(.serialized) struct HostileControlTests {
    /// Fields and what they are mostly; each may be any number instead.
    private static let numbers = ["rate": "1", "seconds": "1", "outputDelayMs": "1"]
    private static let texts = [
        "position": ["5", "+1e9", "-99:59:59", "9223372036854775807", "+99999999999999999999:00", "-0", "1e400"],
        "volume": ["+100", "-1e2", "1e309", "0x1p1023", "nan", "9223372036854775807"],
        "mode": ["on", "off", "all", "one", "\\u0000"], "room": ["kitchen", "", "nowhere"], "group": ["x"],
    ]

    private static func line(_ values: inout HostileValues) -> [UInt8] {
        let commands = ControlRequest.Word.allCases.filter { $0 != .stop && $0 != .watch }
        var fields = ["\"command\":\"\(values.one(of: commands).rawValue)\""]
        for (name, valid) in numbers.sorted(by: { $0.key < $1.key }) where values.once(in: 2) {
            fields.append("\"\(name)\":\(values.once(in: 3) ? valid : values.json())")
        }
        for (name, texts) in texts.sorted(by: { $0.key < $1.key }) where values.once(in: 2) {
            fields.append("\"\(name)\":\"\(values.one(of: texts))\"")
        }
        if values.once(in: 2) {
            let entries = (0..<values.number(0...3)).map { _ in values.once(in: 3) ? "0" : String(values.edge()) }
            fields.append("\"entries\":[\(entries.joined(separator: ","))]")
        }
        if values.once(in: 3) {
            let place = "\"start\":[\(values.edge()),\(values.edge())],\"end\":[\(values.edge()),48000]"
            fields.append("\"inputs\":[{\"uri\":\"/nowhere.flac\",\(values.once(in: 2) ? place : "\"title\":\"t\"")}]")
        }
        return Array("{\(fields.joined(separator: ","))}".utf8)
    }

    @Test func aPlayerStandsWhateverItIsAskedFor() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 4_800_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([file], [speaker.room], staysAtEnd: true)
        _ = try await harness.run { player in
            try await eventually("it plays") { speaker.wasStarted }
            let control = PlayerControl(player)
            // What brought a service down, first.
            let hostile =
                [
                    [.index(.max)], [.index(.min)], [.index(.max), .index(.min)], [-1], [.id(.max)],
                    [.id(1 << 62), .id(0)],
                ] as [[QueuePlace]]
            for entries in hostile {
                let input = ControlInput(uri: "/nowhere.flac")
                for command in [
                    PlayerCommand.remove(entries), .jump(entries[0]), .move(from: entries[0], to: 0),
                    .move(from: 0, to: .max), .move(from: 0, to: .min), .move(from: .id(0), to: -1),
                    .replace(entries[0], with: input),
                ] {
                    let answer = await control.answer(ControlRequest(command))
                    #expect(!answer.response.ok)
                }
            }
            let run = FuzzRun("a player's control socket", seed: 6)
            var values = HostileValues(run.random)
            var answered = 0
            while !run.isOver {
                guard let request = try? ControlRequest(line: Self.line(&values)) else { continue }
                _ = await control.answer(request)
                answered += 1
            }
            #expect(answered > 10)
            #expect(await control.answer(ControlRequest(.status)).response.ok)
            await player.stop()
        }
    }
}
