import Foundation
import Synchronization
import TestSupport
import Testing
import Tutti
import TuttiCore

/// A player whose card is a file, and sounds for it that cannot be taken for each other.
final class PlayerStage: Sendable {
    let folder: String
    let player: QueuePlayer
    private let heard = Mutex<[QueuePlayerEvent]>([])

    /// Runs `body` with a player, and gives what its card recorded: the left channel from the first sound on, without
    /// the silence at the end. Up to three times, because a machine that stops for longer than the card has in store is
    /// no matter of these tests.
    static func record(_ body: (PlayerStage) async throws -> Void) async throws -> [Float] {
        for _ in 0..<3 {
            let stage = try await PlayerStage(rooms: [])
            defer { try? FileManager.default.removeItem(atPath: stage.folder) }
            do {
                try await body(stage)
            } catch {
                await stage.player.stop()
                throw error
            }
            await stage.player.stop()
            if let recording = try recording(stage.folder + "/card.wav") { return recording.sound }
        }
        Issue.record("the card ran dry three times")
        throw CancellationError()
    }

    /// A card that is a file.
    static func card(_ path: String) -> String { "file:\(path)?bits=32f&rate=48000" }

    /// - Parameter rooms: where to play besides.
    init(rooms: [QueuePlayer.Output]) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = QueuePlayer.Configuration()
        configuration.stateDirectory = folder + "/state"
        let card = LocalRoom(
            device: Self.card(folder + "/card.wav"), name: "here", depth: 30, correctsDrift: false)
        player = try await QueuePlayer(outputs: [.local(card)] + rooms, configuration: configuration)
        let events = player.events
        Task { [weak self] in
            for await event in events { self?.heard.withLock { $0.append(event) } }
        }
    }

    // MARK: What happens

    /// Waits for an event that has happened or will.
    func happens(_ what: String, _ isIt: (QueuePlayerEvent) -> Bool) async throws {
        try await eventually(what) { heard.withLock { $0.contains(where: isIt) } }
    }

    /// Whether an event has happened.
    func hasHappened(_ isIt: (QueuePlayerEvent) -> Bool) -> Bool { heard.withLock { $0.contains(where: isIt) } }

    /// Waits until the queue is over.
    func ends() async throws {
        try await happens("the end") { if case .ended = $0 { true } else { false } }
    }

    /// Waits until the current item is loaded up to `seconds`.
    func isLoaded(to seconds: Double) async throws {
        try await eventually("\(seconds) s are loaded") {
            await player.loadedTimeRanges.contains { $0.end.seconds >= seconds - 0.001 }
        }
    }

    // MARK: Sounds

    /// White noise of 16 bits, different for each seed, and never zero.
    static func noise(_ seed: UInt64, seconds: Double) -> [Int16] {
        var state = seed
        return (0..<Int(seconds * 48_000)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: Int64(bitPattern: state) >> 50) | 1
        }
    }

    static func samples(_ seed: UInt64, seconds: Double) -> [Float] {
        noise(seed, seconds: seconds).map { Float($0) / 32_768 }
    }

    /// Where a recording begins to be another one than it should be, and from where on it is the same again; nil when
    /// it is as it should be.
    static func difference(_ recording: [Float], _ expected: [Float]) -> String? {
        guard recording != expected else { return nil }
        let first = zip(recording, expected).prefix { $0 == $1 }.count
        let last = zip(recording.reversed(), expected.reversed()).prefix { $0 == $1 }.count
        let silent = recording[first..<max(first, recording.count - last)].count { $0 == 0 }
        return
            "\(recording.count) samples for \(expected.count): \(first) at the beginning and \(last) at the end "
            + "are right, \(silent) between are silent"
    }

    /// The noise as a WAV file.
    static func wave(_ seed: UInt64, seconds: Double) -> Data {
        let samples = noise(seed, seconds: seconds).flatMap { [$0, $0] }
        return Data(WAVHeader.file(samples, sampleRate: 48_000, channelCount: 2))
    }

    /// An item of noise.
    func item(_ seed: UInt64, seconds: Double) throws -> PlayerItem {
        let path = "\(folder)/\(seed).wav"
        try Self.wave(seed, seconds: seconds).write(to: URL(fileURLWithPath: path))
        return PlayerItem(path: path)
    }

    /// What a file of a card has from the first sound on to the last, and when that began, in ns of
    /// CLOCK_MONOTONIC_RAW; nil when the card ran dry.
    static func recording(_ path: String) throws -> (sound: [Float], began: Double)? {
        guard let file = try CardFile(path: path) else { return nil }
        let left = file.left
        guard let first = left.firstIndex(where: { $0 != 0 }), let last = left.lastIndex(where: { $0 != 0 }) else {
            return ([], 0)
        }
        return (Array(left[first...last]), Double(file.began) + Double(first) / 48_000 * 1e9)
    }
}

/// Waits until `condition` holds, at most twenty seconds or as many as are said.
func eventually(_ what: String, seconds: Int = 20, _ condition: () async -> Bool) async throws {
    for _ in 0..<100 * seconds {
        if await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("never: \(what)")
    throw CancellationError()
}
