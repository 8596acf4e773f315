import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiSender

/// A player of pieces that cannot be taken for each other, over one speaker that holds what it was sent.
struct QueueStage: Sendable {
    let scratch: Scratch
    let speaker: FakeSpeaker
    let player: Player
    private let harness: PlayerHarness
    let seconds: [Character: Double]

    static let rate = 8_000

    /// - Parameters:
    ///   - pieces: a letter for each piece.
    ///   - seconds: how long pieces are, where that is not ten seconds.
    ///   - seed: what shuffles come from.
    init(
        _ pieces: String, seconds: [Character: Double] = [:], bufferSeconds: Int64 = 300, crossfade: Double = 0,
        seed: UInt64 = 0
    ) async throws {
        scratch = try Scratch()
        speaker = try await FakeSpeaker("kitchen", bufferSeconds: bufferSeconds)
        self.seconds = seconds
        let scratch = scratch
        let files = try pieces.map { try Self.file($0, seconds, scratch) }
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

    /// The pieces as inputs.
    func inputs(_ pieces: String) throws -> [AssetInput] {
        try pieces.map { AssetInput(uri: try Self.file($0, seconds, scratch)) }
    }

    /// The sound of pieces one after the other.
    func sound(_ pieces: String) throws -> [UInt8] {
        try pieces.flatMap { piece in
            let file = try Self.file(piece, seconds, scratch)
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)).dropFirst(44))
        }
    }

    /// The names of the pieces in the queue.
    func order() async -> String { Self.order(await player.listing()) }

    static func order(_ queue: QueueListing) -> String {
        String(queue.entries.compactMap { $0.uri.split(separator: "/").last?.first })
    }

    /// Waits until the speaker holds the sound of these pieces and knows that it ends there.
    func holds(_ pieces: String) async throws {
        let expected = try sound(pieces)
        let end = pieces.reduce(0) { $0 + (seconds[$1] ?? 10) }
        do {
            try await eventually("\(pieces) is held") {
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

    private static func file(_ piece: Character, _ seconds: [Character: Double], _ scratch: Scratch) throws -> String {
        let path = "\(scratch.path)/\(piece).wav"
        // The player may be reading it.
        if FileManager.default.fileExists(atPath: path) { return path }
        let number = Int(piece.asciiValue ?? 0)
        let frames = Int((seconds[piece] ?? 10) * Double(rate))
        return try scratch.wave("\(piece).wav", frames: frames, rate: rate, first: number * 911)
    }
}
