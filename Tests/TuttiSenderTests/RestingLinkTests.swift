import NIOCore
import Synchronization
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// What a room costs the sender once it holds all that there is.
@Suite("A link on which nothing waits", .serialized, .repeatedWhenDisturbed) struct RestingLinkTests {
    /// Connections as they are, with a count of the looks at them.
    private final class CountingTransport: Transport {
        let looks = Atomic<Int>(0)
        private let real = RoomsHost.system.transport

        func connect(
            host: String, port: UInt16, on loop: any EventLoop, timeout: TimeAmount, inShortSegments: Bool,
            sink: @escaping @Sendable (TransportEvent) -> Void
        ) -> EventLoopFuture<any Channel> {
            real.connect(
                host: host, port: port, on: loop, timeout: timeout, inShortSegments: inShortSegments, sink: sink)
        }

        func setPace(_ bytes: Double, of channel: any Channel) { real.setPace(bytes, of: channel) }

        func prefer(_ channel: any Channel) { real.prefer(channel) }

        func look(at channel: any Channel, pace: Double, now: HostTime) -> EventLoopFuture<LinkPace.Look>? {
            looks.wrappingAdd(1, ordering: .relaxed)
            return real.look(at: channel, pace: pace, now: now)
        }
    }

    @Test("is looked at about once a second, and not with each tick")
    func resting() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath"), try await FakeSpeaker("hall")]
        let transport = CountingTransport()
        let harness = try PlayerHarness([file], speakers.map(\.room), transport: transport)
        let outcome = try await harness.run { player in
            try await eventually("it plays") { await player.status().state == .playing }
            try await eventually("all is there") {
                await player.status().rooms.allSatisfy { ($0.loaded.end?.seconds ?? 0) > 59.9 }
            }
            let before = transport.looks.load(ordering: .relaxed)
            try await Task.sleep(for: .seconds(4))
            let looks = transport.looks.load(ordering: .relaxed) - before
            // Twelve are due; with each tick there would be 120. A link that has come to nothing is looked at, too.
            #expect((6...40).contains(looks), "\(looks)")
            await player.stop()
        }
        #expect(outcome.exitCode == 0)
        #expect(speakers.allSatisfy { $0.wasStarted })
    }
}
