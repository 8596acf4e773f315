import TestSupport
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

/// A player whose rooms follow the card of one of them.
@Suite("Reference room", .serialized, .repeatedWhenDisturbed) struct ReferenceTests {
    private func stage(
        _ names: [String], reference: String? = nil, old: String? = nil,
        _ body: @escaping @Sendable (Player, [FakeSpeaker]) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 960_000, rate: 48_000)
        var speakers: [FakeSpeaker] = []
        for name in names {
            speakers.append(
                try await FakeSpeaker(name, features: name == old ? [] : Welcome.allFeatures))
        }
        let made = speakers
        _ = try await PlayerHarness([file], made.map(\.room), reference: reference).run { player in
            try await eventually("it plays") { made.allSatisfy { $0.wasStarted } }
            try await body(player, made)
            await player.stop()
        }
    }

    /// Where a card stands that runs at a rate of its own.
    private func fit(_ player: Player, ppm: Double) async -> ReferenceFit? {
        guard let clock = await player.inspect().clock else { return nil }
        let now = clock.groupTime(at: HostClock().now())
        return ReferenceFit(group: now, offset: 0, slope: ppm * 1e-6)
    }

    @Test func allRoomsHearWhoseCardLeadsAndHow() async throws {
        try await stage(["kitchen", "bath"], reference: "kitchen") { player, speakers in
            #expect(await player.status().reference == "kitchen")
            try await eventually("told") { speakers[0].inspect { $0.references.last?.isReference } == true }
            #expect(speakers[1].inspect { $0.references.contains { $0.isReference } } == false)
            let fit = try #require(await fit(player, ppm: 2))
            speakers[0].reports(fit)
            try await eventually("handed on") {
                speakers.allSatisfy { $0.inspect { ($0.references.last?.fit?.slope ?? 0) > 0 } }
            }
            #expect(try #require(await player.status().referencePpm) > 0)
        }
    }

    @Test func onlyTheReferenceRoomsReportsCount() async throws {
        try await stage(["kitchen", "bath"], reference: "kitchen") { player, speakers in
            for _ in 0..<20 {
                let fit = try #require(await fit(player, ppm: 900))
                speakers[1].reports(fit)
                speakers[0].reports(ReferenceFit(group: fit.group, offset: 900_000_000, slope: 0))
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(await player.status().referencePpm == nil, "one is not asked, the other is absurd")
        }
    }

    @Test func itIsChangedWhileItPlays() async throws {
        try await stage(["kitchen", "bath"]) { player, speakers in
            #expect(await player.status().reference == nil)
            #expect(speakers.allSatisfy { $0.inspect { $0.references.isEmpty } }, "nothing to say")
            try await player.setReference("Kitchen")
            try await eventually("kitchen") { speakers[0].inspect { $0.references.last?.isReference } == true }
            try await player.setReference("bath")
            try await eventually("bath") { speakers[1].inspect { $0.references.last?.isReference } == true }
            try await eventually("not kitchen") { speakers[0].inspect { $0.references.last?.isReference } == false }
            try await player.setReference(nil)
            try await eventually("none") { speakers[1].inspect { $0.references.last?.isReference } == false }
            #expect(await player.status().reference == nil)
            await #expect(throws: SenderError.noSuchRoom("attic")) { try await player.setReference("attic") }
        }
    }

    @Test("a speaker that is too old keeps its room from falling out of step: there is no reference room then")
    func old() async throws {
        try await stage(["kitchen", "bath"], reference: "kitchen", old: "bath") { player, speakers in
            let status = await player.status()
            #expect(status.reference == nil)
            #expect(status.referenceMessage?.hasPrefix("bath: ") == true)
            #expect(status.referenceMessage?.contains("too old") == true)
            #expect(speakers[1].inspect { $0.references.isEmpty })
            await #expect {
                try await player.setReference("kitchen")
            } throws: { error in
                (error as? SenderError)?.exitCode == 4 && "\(error)".hasPrefix("bath: ")
            }
        }
    }

    @Test func anOrderNamesOneOfItsRooms() throws {
        var order = PlayOrder(inputs: [])
        let rooms = [RoomAddress(name: "Kitchen"), RoomAddress(name: "bath", host: "10.0.0.7")]
        #expect(try order.reference(among: rooms) == nil)
        #expect(try order.reference(among: rooms, known: "bath") == "bath")
        #expect(try order.reference(among: rooms, known: "attic") == nil)
        order.reference = "kitchen"
        #expect(try order.reference(among: rooms, known: "bath") == "Kitchen")
        order.reference = "none"
        #expect(try order.reference(among: rooms, known: "bath") == nil)
        order.reference = "attic"
        #expect {
            try order.reference(among: rooms)
        } throws: { error in
            (error as? SenderError)?.exitCode == 3
        }
    }
}
