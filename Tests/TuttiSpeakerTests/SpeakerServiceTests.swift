import Foundation
import Logging
import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiSpeaker
import TuttiWire

/// A speaker on a free port, with a null output and a folder of its own.
func withSpeaker(
    _ change: (inout SpeakerConfiguration) -> Void = { _ in },
    _ body: (SpeakerService, SpeakerConfiguration) async throws -> Void
) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var configuration = SpeakerConfiguration(
        name: "kitchen", device: "null", port: 0, bindAddress: "127.0.0.1", stateDirectory: directory, announces: false)
    configuration.claim = .open
    change(&configuration)
    let service = try await SpeakerService(configuration: configuration, clock: HostClock(), logger: quiet)
    do {
        try await body(service, configuration)
    } catch {
        await service.shutdown()
        throw error
    }
    await service.shutdown()
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite(.serialized, .repeatedWhenDisturbed) struct SpeakerServiceTests {
    @Test func aSenderIsWelcomedAndToldHowTheSpeakerIs() async throws {
        try await withSpeaker { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            let welcome = try #require(connection.greet())
            #expect(welcome.name == "kitchen")
            #expect(welcome.codecs == ["flac", "opus", "pcm", "aac", "alac", "mp3", "vorbis"])
            #expect(welcome.bufferSeconds == 300)
            let status = try #require(connection.status())
            #expect(status.state == .idle)
            #expect(status.loaded.isEmpty)
        }
    }

    @Test(
        arguments: [
            // A length beyond every limit, a frame type that is not, JSON that is not, a message out of order.
            [0xFF, 0xFF, 0xFF, 0xFF, 0x00], [0x00, 0x00, 0x00, 0x01, 0x07, 0x00],
            [0x00, 0x00, 0x00, 0x03, 0x00, 0x7B, 0x7B, 0x7B],
            [0x00, 0x00, 0x00, 0x00, 0x00], Array(ControlMessage.ping.encodedFrame()),
        ] as [[UInt8]])
    func whatIsMalformedClosesItsOwnConnectionOnly(bytes: [UInt8]) async throws {
        try await withSpeaker { service, _ in
            let good = try #require(TestConnection(port: service.port))
            _ = try #require(good.greet())
            let bad = try #require(TestConnection(port: service.port))
            bad.send(bytes)
            #expect(bad.isClosed)
            good.send(.ping)
            #expect(good.status() != nil)
        }
    }

    @Test func aMalformedMessageOfTheSenderEndsItsSessionAndTheNextOneIsWelcome() async throws {
        try await withSpeaker { service, _ in
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            sender.send([0x00, 0x00, 0x00, 0x04, 0x00, 0x6E, 0x75, 0x6C, 0x6C])
            #expect(sender.isClosed)
            let next = try #require(TestConnection(port: service.port))
            #expect(next.greet(sender: "another") != nil)
        }
    }

    @Test func unknownMessagesAreAnsweredAndASecondSenderIsToldThatTheRoomIsBusy() async throws {
        try await withSpeaker { service, _ in
            let first = try #require(TestConnection(port: service.port))
            _ = try #require(first.greet(sender: "first"))
            let body = Array(#"{"type":"dance","with":"me"}"#.utf8)
            first.send([0, 0, 0, UInt8(body.count), 0] + body)
            let answer = first.receive(where: { if case .unsupported = $0 { true } else { false } })
            #expect(answer == .unsupported(type: "dance"))

            let second = try #require(TestConnection(port: service.port))
            second.send(.hello(Hello(role: .control, senderID: "second", senderName: "second", stream: 2)))
            guard case .failure(let code, _) = second.receive() else {
                Issue.record("no failure came")
                return
            }
            #expect(code == ControlMessage.FailureCode.busy)
            #expect(second.isClosed)
        }
    }

    @Test func aNameThatASenderGivesOutlivesTheSpeakerUntilItsSettingsSayAnother() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        func name(configured: String, giving new: String? = nil) async throws -> String? {
            var name: String?
            try await withSpeaker {
                ($0.name, $0.stateDirectory) = (configured, directory)
            } _: { service, _ in
                let connection = try #require(TestConnection(port: service.port))
                name = try #require(connection.greet()).name
                guard let new else { return }
                connection.send(.name(new))
                let isSaid = connection.receive(where: {
                    if case .status(let status) = $0 { status.name == new } else { false }
                })
                #expect(isSaid != nil)
            }
            return name
        }
        #expect(try await name(configured: "kitchen", giving: "Küche") == "kitchen")
        #expect(try await name(configured: "kitchen") == "Küche")
        #expect(try await name(configured: "cuisine") == "cuisine")
        #expect(try await name(configured: "kitchen", giving: "kitchen") == "Küche")
        #expect(try await name(configured: "kitchen") == "kitchen")
    }

    @Test func aVolumeAboveTheLimitIsCutToItWhoeverAsks() async throws {
        try await withSpeaker {
            $0.maxVolume = 40
        } _: { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            _ = try #require(connection.greet())
            #expect(try #require(connection.status()).maxVolume == 40)
            connection.send(.volume(VolumeCommand(percent: 20)))
            connection.send(.volume(VolumeCommand(percent: 100, isMuted: true)))
            let status = connection.receive(where: {
                if case .status(let status) = $0 { status.isMuted } else { false }
            })
            guard case .status(let status) = status else {
                Issue.record("no status came")
                return
            }
            #expect(status.volume == 40)
        }
    }

    @Test func aDeviceIsLetGoWhenNothingHasPlayedAndOpenedForTheNextTimebase() async throws {
        try await withSpeaker {
            $0.release = .after(1_000_000_000)
        } _: { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            _ = try #require(connection.greet())
            let open = try #require(connection.status()?.leadMs)
            func status(_ isWanted: (Double) -> Bool) -> SpeakerStatus? {
                guard
                    case .status(let status) = connection.receive(where: {
                        if case .status(let status) = $0, let lead = status.leadMs { isWanted(lead) } else { false }
                    })
                else { return nil }
                return status
            }
            let closed = try #require(status { $0 > open + 250 })
            #expect(closed.leadMs == open + 300)
            let group = GroupTime(nanoseconds: 1, timescale: TimescaleID(rawValue: 7))
            connection.send(.timebase(TimebaseCommand(rate: 0, media: .zero, group: group)))
            #expect(status { $0 < open + 250 } != nil)
        }
    }

    @Test func volumeAndOutputDelayOutliveTheSpeaker() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var id = ""
        try await withSpeaker {
            $0.stateDirectory = directory
        } _: { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            id = try #require(connection.greet()).id
            connection.send(.volume(VolumeCommand(percent: 33, isMuted: true)))
            connection.send(.outputDelay(milliseconds: 12.5))
            let isSet = connection.receive(where: {
                if case .status(let status) = $0 { status.volume == 33 && status.outputDelayMs == 12.5 } else { false }
            })
            #expect(isSet != nil)
        }
        try await withSpeaker {
            $0.stateDirectory = directory
        } _: { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            #expect(try #require(connection.greet()).id == id)
            let status = try #require(connection.status())
            #expect(status.volume == 33)
            #expect(status.isMuted)
            #expect(status.outputDelayMs == 12.5)
        }
    }

    @Test func aStateFileOfAnotherVersionKeepsWhatItSays() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let text = #"{"id":"0123456789abcdef","volume":42,"moods":["calm"]}"#
        try text.write(toFile: directory + "/speaker.json", atomically: true, encoding: .utf8)
        try await withSpeaker {
            $0.stateDirectory = directory
        } _: { service, _ in
            let connection = try #require(TestConnection(port: service.port))
            // Its id is that of its key, whatever the file says.
            let id = try #require(connection.greet()).id
            #expect(id.count == 32 && id != "0123456789abcdef")
            #expect(try #require(connection.status()).volume == 42)
        }
    }

    @Test func aDamagedStateFileIsSetAsideAndNotOverwritten() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "{ half a file".write(toFile: directory + "/speaker.json", atomically: true, encoding: .utf8)
        try await withSpeaker {
            $0.stateDirectory = directory
        } _: { _, _ in
        }
        let kept = try String(contentsOfFile: directory + "/speaker.json.unreadable", encoding: .utf8)
        #expect(kept == "{ half a file")
    }

    @Test("Each byte of the state file damaged in turn: one value is lost, or two where a line's end is")
    func damagedState() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let whole = """
            {
              "devices" : {

              },
              "id" : "0123456789abcdef",
              "isMuted" : true,
              "leaders" : {

              },
              "outputDelayMilliseconds" : 35,
              "volume" : 42
            }
            """
        let path = directory + "/speaker.json"
        for index in whole.utf8.indices {
            for value in [UInt8(0), 0x22, 0xFF] {
                var bytes = Array(whole.utf8)
                bytes[whole.utf8.distance(from: whole.utf8.startIndex, to: index)] = value
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                let state = try SpeakerStateFile(directory: directory).load().state
                let fields =
                    try JSONSerialization.jsonObject(with: JSONEncoder().encode(state)) as? [String: Any] ?? [:]
                let kept = [
                    fields["id"] as? String == "0123456789abcdef", fields["isMuted"] as? Bool == true,
                    fields["outputDelayMilliseconds"] as? Double == 35, fields["volume"] as? Double == 42,
                ]
                #expect(kept.count(where: { $0 }) >= 2, "\(String(decoding: bytes, as: UTF8.self)): \(fields)")
            }
        }
    }

    @Test func aPortInUseIsSaid() async throws {
        try await withSpeaker { service, _ in
            await #expect(throws: SpeakerError.portInUse(service.port)) {
                try await withSpeaker {
                    $0.port = service.port
                } _: { _, _ in
                }
            }
        }
    }

    @Test func aDeviceThatIsNotThereIsSaid() async throws {
        let error = await #expect(throws: SpeakerError.self) {
            try await withSpeaker {
                $0.device = "no-such-card"
            } _: { _, _ in
            }
        }
        #expect(error?.description.contains("no-such-card") == true)
    }

    @Test func aStateFolderThatCannotBeMadeIsSaid() async throws {
        let error = await #expect(throws: SpeakerError.self) {
            try await withSpeaker {
                $0.stateDirectory = "/dev/null/state"
            } _: { _, _ in
            }
        }
        #expect(error?.description.contains("/dev/null/state") == true)
    }

    @Test func whoeverSaysNothingLocksNoSenderOut() async throws {
        try await withSpeaker { service, _ in
            var silent: [TestConnection] = []
            for round in 0..<20 {
                // As many as may be silent, over again.
                for _ in 0..<16 { silent.append(try #require(TestConnection(port: service.port))) }
                let sender = try #require(TestConnection(port: service.port))
                #expect(sender.greet(sender: "desk") != nil, "round \(round)")
                silent.removeFirst(min(16, max(0, silent.count - 32)))
            }
        }
    }

    @Test func whoeverDoesNotReadIsLeftAndHeldNothingFor() async throws {
        try await withSpeaker { service, _ in
            let deaf = try #require(TestConnection(port: service.port))
            #expect(deaf.greet(sender: "deaf") != nil)
            // Each of these is answered with the 256 bytes of its name.
            let name = String(repeating: "x", count: 250)
            let body = Array("{\"type\":\"\(name)\"}".utf8)
            let question = Frame.header(.control, bodyCount: body.count) + body
            let questions = (0..<100).flatMap { _ in question }
            var sent = 0
            while sent < 400, deaf.trySend(questions) { sent += 1 }
            // What the kernel holds for both sides is some megabytes.
            #expect(sent < 400, "ten megabytes of answers wait, and more are taken")
            let other = try #require(TestConnection(port: service.port))
            #expect(other.greet(sender: "other") != nil, "its seat is free")
        }
    }
}
