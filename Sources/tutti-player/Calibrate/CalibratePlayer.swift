import Foundation
import Tutti
import TuttiAssets
import TuttiCalibration
import TuttiCommandLine
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// Plays a sound or a film that was made for the purpose, as `tutti play` does: with the control socket, so that nothing else of
/// this user plays meanwhile.
struct CalibratePlayer {
    private let queue: QueuePlayer
    private let server: ControlServer?
    private let file: TemporaryFile

    /// - Parameters:
    ///   - samples: one channel at 48 kHz, full scale at ±1.
    ///   - repeats: how many times it is played.
    ///   - parts: what each room plays of it, as in `PlayerConfiguration`.
    init(
        samples: [Float], repeats: Int = 1, rooms: [RoomAddress], parts: [String: [TimeRange]] = [:]
    ) async throws {
        try await self.init(
            WaveBytes.encode(samples, sampleRate: ChirpSchedule.sampleRate), suffix: "wav", repeats: repeats,
            rooms: rooms, parts: parts)
    }

    /// - Parameter film: a Matroska file.
    init(film: [UInt8], rooms: [RoomAddress]) async throws {
        try await self.init(film, suffix: "mkv", repeats: 1, rooms: rooms, parts: [:])
    }

    private init(
        _ bytes: [UInt8], suffix: String, repeats: Int, rooms: [RoomAddress], parts: [String: [TimeRange]]
    ) async throws {
        file = try TemporaryFile(bytes, suffix: suffix)
        let input = AssetInput(uri: file.path, title: "calibration")
        var configuration = try QueuePlayer.Configuration.ofThisProgram()
        configuration.codec = parts.isEmpty ? .flac : .pcm
        configuration.parts = parts
        queue = try await QueuePlayer(
            items: (0..<repeats).map { _ in PlayerItem(input) }, outputs: rooms.map { .room($0) },
            configuration: configuration)
        server = try await OwnSocket.listen(for: queue.player)
    }

    /// Plays to the end.
    func run(view: any View) async -> PlayerOutcome {
        let outcome = await Session(player: queue, server: server, view: view).run()
        withExtendedLifetime(file) {}
        return outcome
    }

    /// For what is done to the rooms meanwhile.
    var player: Player { queue.player }
}

/// A file that is there for as long as this object.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8], suffix: String) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "tutti-\(UUID()).\(suffix)").path
        try AtomicFile.write(bytes, to: path)
    }

    deinit { unlink(path) }
}

/// Says only what goes wrong.
struct CalibrateView: View {
    func show(_ event: ControlEvent.Kind) {
        switch event {
        case .itemFailed(_, _, let message, _): Terminal.error(message)
        case .notice(let notice): Terminal.error(notice)
        case .room(let name, let change, let message) where change.isTrouble:
            Terminal.error("\(name): \(message.isEmpty ? change.description : message)")
        case .room, .state, .item, .stalled, .progress, .changed, .finished: break
        }
    }
}
