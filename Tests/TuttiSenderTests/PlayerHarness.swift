import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiProduction
import TuttiRooms
import TuttiSender
import TuttiWire

/// A player over fake speakers.
struct PlayerHarness: Sendable {
    let player: Player

    /// - Parameter chance: what the player's ids and shuffles come from.
    init(
        _ files: [String], _ rooms: [RoomAddress], startAt: MediaTime = .zero,
        codec: AudioFormat.Codec = .flac, keepsOriginals: Bool = false, allowsMissingRooms: Bool = false,
        connectTimeout: Int64 = 20_000_000_000, parts: [String: [TimeRange]] = [:], rate: Double = 1, gain: Float = 1,
        crossfade: Double = 0, reference: String? = nil, staysAtEnd: Bool = false, name: String = "test",
        journal: MemoryJournal? = nil, tags: StreamTagBoard? = nil,
        chance: RandomSource = .system, transport: (any Transport)? = nil
    ) throws {
        var encoding = try keepsOriginals ? .original : EncodingOptions(codec: codec)
        encoding.gain = gain
        var configuration = PlayerConfiguration(
            inputs: files.map { AssetInput(uri: $0) }, rooms: rooms, startAt: startAt,
            encoding: encoding, allowsMissingRooms: allowsMissingRooms,
            identity: SenderIdentity(id: UUID().uuidString, name: name), clock: HostClock())
        configuration.connectTimeout = connectTimeout
        configuration.parts = parts
        configuration.rate = rate
        configuration.crossfade = try MediaTime(crossfade: crossfade)
        configuration.reference = reference
        configuration.staysAtEnd = staysAtEnd
        configuration.tags = tags
        var host = SenderHost.system
        host.rooms.random = chance
        if let transport { host.rooms.transport = transport }
        player = try Player(configuration, journal: journal, host: host)
    }

    /// Runs the player while `body` acts on it; gives the outcome.
    func run(_ body: @escaping @Sendable (Player) async throws -> Void = { _ in }) async throws -> PlayerOutcome {
        async let outcome = player.run()
        do {
            try await body(player)
        } catch {
            await player.stop()
            throw error
        }
        return await outcome
    }
}

extension FakeSpeaker {
    /// The room that this speaker is.
    var room: RoomAddress { RoomAddress(name: name, host: "127.0.0.1", port: port) }

    /// All audio held, from the front on, as long as it is one track without a gap; PCM only.
    var sound: [UInt8] {
        inspect { state in
            var sound: [UInt8] = []
            var next = state.packets.first?.presentationTime
            for packet in state.packets {
                guard packet.presentationTime == next else { return [] }
                next = packet.timeRange.end
                sound += packet.data
            }
            return sound
        }
    }

    /// Whether the sound has been started here.
    var wasStarted: Bool { inspect { $0.timebases.contains { $0.rate == 1 } } }
}

/// Waits until `condition` holds, at most ten seconds.
func eventually(_ what: String, _ condition: () async -> Bool) async throws {
    for _ in 0..<1000 {
        if await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("never: \(what)")
    throw CancellationError()
}
