import Glibc
import TestSupport
import Testing
import TuttiHost
import TuttiSpeaker
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed) struct SpeakerCheckTests {
    private func check(_ port: UInt16) throws -> String {
        let address = try #require(SocketAddress(host: "127.0.0.1", port: port))
        return try SpeakerCheck.run(at: address, stateDirectory: "/proc/nowhere", clock: HostClock())
    }

    @Test func aSpeakerThatIsIdleOrHasASenderIsWell() async throws {
        try await withSpeaker { service, _ in
            #expect(try check(service.port) == "kitchen: idle, null closed until something plays, no group clock yet")
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            #expect(try check(service.port).hasPrefix("kitchen: "))
            // Nobody was sent away for it.
            sender.send(.ping)
            #expect(sender.status() != nil)
        }
    }

    @Test func aDeviceThatIsGoneIsSaid() async throws {
        try await withSpeaker({ $0.device = "file:/proc/nowhere/kitchen.wav" }) { service, _ in
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            var failure = ""
            for _ in 0..<100 where failure.isEmpty {
                do { _ = try check(service.port) } catch { failure = "\(error)" }
                usleep(20_000)
            }
            #expect(failure.hasPrefix("kitchen: no sound on file:/proc/nowhere/kitchen.wav: "), "\(failure)")
        }
    }

    @Test func aCardThatIsNotThereIsWaitedFor() async throws {
        try await withSpeaker({ $0.device = "hw:31,0" }) { service, _ in
            #expect { try check(service.port) } throws: { "\($0)".hasPrefix("kitchen: no sound on hw:31,0: ") }
        }
        // A name that can never mean a card is another matter, and so is a player's own speaker.
        await #expect(throws: SpeakerError.self) { try await withSpeaker({ $0.device = "hv:31" }) { _, _ in } }
        await #expect(throws: SpeakerError.self) {
            try await withSpeaker({ ($0.device, $0.isPrivate) = ("hw:31,0", true) }) { _, _ in }
        }
    }

    @Test func whereNobodyListensOrSomebodyElseDoesItIsNot() async throws {
        var port: UInt16 = 0
        try await withSpeaker { service, _ in port = service.port }
        #expect(throws: SpeakerError.self) { try check(port) }
        let stranger = try LoopbackListener { peer in
            LoopbackListener.send("HTTP/1.1 400 Bad Request\r\n\r\n".utf8, to: peer)
            close(peer)
        }
        #expect(throws: SpeakerError.self) { try check(stranger.port) }
    }
}
