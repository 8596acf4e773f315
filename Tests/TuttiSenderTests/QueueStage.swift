import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiSender

/// A player of tracks that cannot be taken for each other, over one speaker that holds what it was sent.
struct QueueStage: Sendable {
    let scratch: Scratch
    let speaker: FakeSpeaker
    let player: Player
    private let harness: PlayerHarness
    let seconds: [Character: Double]

    static let rate = 8_000

    /// - Parameters:
    ///   - tracks: a letter for each track.
    ///   - seconds: how long tracks are, where that is not ten seconds.
    ///   - seed: what shuffles come from.
    init(
        _ tracks: String, seconds: [Character: Double] = [:], bufferSeconds: Int64 = 300, crossfade: Double = 0,
        seed: UInt64 = 0
    ) async throws {
        scratch = try Scratch()
        speaker = try await FakeSpeaker("kitchen", bufferSeconds: bufferSeconds)
        self.seconds = seconds
        let scratch = scratch
        let files = try tracks.map { try Self.file($0, seconds, scratch) }
        harness = try PlayerHarness(
            files, [speaker.room], codec: .pcm, crossfade: crossfade, chance: RandomSource(seed: seed))
        player = harness.player
    }

    /// Runs the player while `body` acts on it, and stops it then.
    @discardableResult
    func run(_ body: @escaping @Sendable (Player) async throws -> Void) async throws -> PlayerOutcome {
        try await harness.run { player in
            try await eventually("it plays") { speaker.wasStarted }
            try await body(player)
            await player.stop()
        }
    }

    /// The tracks as inputs.
    func inputs(_ tracks: String) throws -> [AssetInput] {
        try tracks.map { AssetInput(uri: try Self.file($0, seconds, scratch)) }
    }

    /// The sound of tracks one after the other.
    func sound(_ tracks: String) throws -> [UInt8] {
        try tracks.flatMap { track in
            let file = try Self.file(track, seconds, scratch)
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)).dropFirst(44))
        }
    }

    /// The names of the tracks in the queue.
    func order() async -> String { Self.order(await player.listing()) }

    static func order(_ queue: QueueListing) -> String {
        String(queue.entries.compactMap { $0.uri.split(separator: "/").last?.first })
    }

    /// Waits until the speaker holds the sound of these tracks and knows that it ends there.
    func holds(_ tracks: String) async throws {
        let expected = try sound(tracks)
        let end = tracks.reduce(0) { $0 + (seconds[$1] ?? 10) }
        do {
            try await eventually("\(tracks) is held") {
                speaker.inspect { abs(($0.end?.seconds ?? 0) - end) < 1e-9 } && speaker.sound == expected
            }
        } catch {
            let held = speaker.inspect { state in
                "\(state.packets.map(\.timeRange).coalesced()), end \(String(describing: state.end)), \(state.flushedFrom)"
            }
            let common = zip(speaker.sound, expected).prefix { $0 == $1 }.count
            Issue.record("\(common) of \(expected.count) bytes; held: \(held); \(await player.status())")
            throw error
        }
    }

    private static func file(_ track: Character, _ seconds: [Character: Double], _ scratch: Scratch) throws -> String {
        let path = "\(scratch.path)/\(track).wav"
        // The player may be reading it.
        if FileManager.default.fileExists(atPath: path) { return path }
        let number = Int(track.asciiValue ?? 0)
        let frames = Int((seconds[track] ?? 10) * Double(rate))
        return try scratch.wave("\(track).wav", frames: frames, rate: rate, first: number * 911)
    }
}
