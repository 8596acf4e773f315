import Foundation
import Logging
import TestSupport
import Testing
import TuttiChain
import TuttiCore
import TuttiEffects
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSpeaker

/// Effects of a room, asked for and set over the network.
@Suite(.serialized, .repeatedWhenDisturbed) struct EffectsTests {
    private static func visit(_ service: SpeakerService) throws -> RoomEffectsVisit {
        RoomEffectsVisit(
            try RoomAddress(parsing: "kitchen@127.0.0.1:\(service.port)"), as: nil, clock: HostClock())
    }

    /// A response of 20 000 frames, which takes several parts.
    private static let impulse = ImpulseResponse(
        channels: (0..<2).map { channel in (0..<20_000).map { $0 == 100 ? 0.5 : $0 == 5_000 + channel ? 0.1 : 0 } },
        sampleRate: 48_000)

    @Test func whatIsSetIsShownAndKept() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = SpeakerConfiguration(
            name: "kitchen", device: "null", port: 0, bindAddress: "127.0.0.1", stateDirectory: directory,
            announces: false)
        configuration.claim = .open
        let service = try await SpeakerService(configuration: configuration, clock: HostClock(), logger: quiet)
        let visit = try Self.visit(service)
        #expect(try visit.show().chain == [])
        let set = try visit.set(.equalizer([EQBand(.peak, frequency: 62, gain: -5, q: 4)]), impulses: [:])
        #expect(set.room == "kitchen" && set.chain.count == 1 && set.latencyMs == 0)
        let both = try visit.set(.channels(ChannelSelection(.left)), impulses: [:])
        #expect(both.chain.first == "channels left" && both.chain.count == 2)
        #expect(try visit.show().chain == both.chain)
        await service.shutdown()
        let again = try await SpeakerService(configuration: configuration, clock: HostClock(), logger: quiet)
        #expect(try Self.visit(again).show().chain == both.chain)
        #expect(try Self.visit(again).set(.chain(EffectChain()), impulses: [:]).chain == [])
        await again.shutdown()
    }

    @Test func anImpulseResponseGetsThereInPartsAndGoesWithItsChain() async throws {
        try await withSpeaker { service, configuration in
            let impulse = try #require(Self.impulse)
            let visit = try Self.visit(service)
            let edit = EffectEdit.convolution(Convolution(impulse: "/somewhere/kitchen.wav"))
            let set = try visit.set(edit, impulses: ["/somewhere/kitchen.wav": impulse])
            #expect(set.chain.count == 1 && set.latencyMs > 0)
            #expect(set.chain.first?.hasSuffix(" name=kitchen.wav") == true)
            func files() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: configuration.stateDirectory)
                    .filter { $0.hasPrefix("impulse-") }
            }
            #expect(try files().count == 1)
            #expect(try visit.set(.convolution(nil), impulses: [:]).chain == [])
            #expect(try files() == [])
        }
    }

    @Test func aStereoPairIsBothRoomsOrNeither() async throws {
        try await withSpeaker { one, _ in
            try await withSpeaker { other, _ in
                let (left, right) = (try Self.visit(one), try Self.visit(other))
                let visit = StereoPairVisit(left: left, right: right)
                let eq = EffectEdit.equalizer([EQBand(.peak, frequency: 62, gain: -5)])
                _ = try left.set(.channels(ChannelSelection(.mono, crossover: 80)), impulses: [:])
                let before = try left.set(eq, impulses: [:])
                let pair = try visit.set(isPair: true)
                #expect(pair.map(\.chain.first) == ["channels left", "channels right"])
                #expect(pair[0].chain[1...] == before.chain[1...] && pair[0].chain.count == 3)
                let apart = try visit.set(isPair: false)
                #expect(apart.map(\.chain) == [Array(before.chain[1...]), []])
                // Without its first effect, the second room would be far too loud.
                let quiet = EffectChain([.channels(ChannelMatrix([[0.01, 0], [0, 0.01]])), .gain(24), .gain(20)])
                let loud = try right.set(.chain(quiet), impulses: [:])
                let failure = #expect(throws: SenderError.self) { try visit.set(isPair: true) }
                #expect(failure?.description.contains("dB louder") == true)
                #expect(try left.show().chain == apart[0].chain && right.show().chain == loud.chain)
            }
        }
    }

    @Test func whatCannotBeIsRefusedAndChangesNothing() async throws {
        try await withSpeaker { service, _ in
            let visit = try Self.visit(service)
            let before = try visit.set(.equalizer([EQBand(.peak, frequency: 100, gain: 3)]), impulses: [:])
            func refusal(_ edit: EffectEdit) -> String {
                do {
                    _ = try visit.set(edit, impulses: [:])
                    return ""
                } catch {
                    return error.description
                }
            }
            #expect(refusal(.equalizer([EQBand(.lowPass, frequency: 30_000)])).contains("30000"))
            #expect(refusal(.chain(EffectChain([.gain(24), .gain(24)]))).contains("dB louder"))
            #expect(refusal(.convolution(Convolution(impulse: String(repeating: "0", count: 64)))).contains("again"))
            #expect(try visit.show() == before)
        }
    }
}
