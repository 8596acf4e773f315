import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiHost
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiSpeaker

/// Rooms of this process, and players for them.
struct AnnouncementHouse {
    let rooms: [RecordedRoom]
    private let folder: String

    private static let turn = Turn()

    /// What is played and said in all tests.
    static let music = KnownSound(seed: 3, frames: 4 * 48_000)
    static let words = KnownSound(seed: 5, frames: 44_000)

    /// Runs `body` in rooms of these names and gives what they played, and then what this host's own cards of the names
    /// `cards` did; up to three times, because a machine that stops for
    /// longer than the cards have in store is no matter of these tests.
    static func record(
        _ names: [String], cards: [String] = [], bufferSeconds: Double = 300,
        _ body: (AnnouncementHouse) async throws -> Void
    ) async throws -> [Recording] {
        // Cards in files want the processor in time: one house at once is enough.
        await turn.take()
        defer { Task { await turn.pass() } }
        for _ in 0..<3 {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var rooms: [RecordedRoom] = []
            for name in names {
                rooms.append(try await RecordedRoom(name, in: folder, bufferSeconds: bufferSeconds))
            }
            let outcome: Result<Void, any Error>
            do {
                let house = AnnouncementHouse(rooms: rooms, folder: folder)
                outcome = .success(try await withTaskExecutorPreference(OwnThread()) { try await body(house) })
            } catch {
                outcome = .failure(error)
            }
            for room in rooms { await room.service.shutdown() }
            try outcome.get()
            let recordings =
                try rooms.map { try $0.recording() }
                + cards.map { try CardFile(path: "\(folder)/\($0).wav").map(Recording.init) }
            let whole = recordings.compactMap(\.self)
            if whole.count == recordings.count { return whole }
        }
        Issue.record("the cards ran dry three times")
        throw CancellationError()
    }

    private init(rooms: [RecordedRoom], folder: String) {
        self.rooms = rooms
        self.folder = folder
    }

    /// The device that is the host's own card of a name.
    func card(_ name: String) -> String { "file:\(folder)/\(name).wav?bits=32f&rate=48000" }

    /// A player of `sound` in some of the rooms.
    func player(
        _ sound: KnownSound, in rooms: [RecordedRoom], isAnnouncement: Bool = false
    ) throws -> Player {
        var configuration = try configuration([sound], in: rooms)
        configuration.isAnnouncement = isAnnouncement
        return try Player(configuration)
    }

    /// What plays `sounds` in some of the rooms.
    func configuration(_ sounds: [KnownSound], in rooms: [RecordedRoom]) throws -> PlayerConfiguration {
        let inputs = try sounds.map { sound in
            let path = "\(folder)/\(UUID().uuidString).wav"
            try sound.write(to: path)
            return AssetInput(uri: path)
        }
        return PlayerConfiguration(
            inputs: inputs, rooms: rooms.map(\.address), encoding: try EncodingOptions(),
            identity: SenderIdentity(id: UUID().uuidString, name: "test"), clock: HostClock())
    }

    /// Plays the music in `rooms` while `body` runs, to its end.
    func whileMusicPlays(
        in rooms: [RecordedRoom], _ body: @escaping @Sendable (Player) async throws -> Void
    ) async throws {
        let player = try player(Self.music, in: rooms)
        async let outcome = player.run()
        await player.waitUntilPlaying()
        await OwnThread.pause(milliseconds: 500)
        do {
            try await body(player)
        } catch {
            await player.stop()
            throw error
        }
        #expect(await outcome.exitCode == 0)
    }

    /// Makes the announcement and waits until it has been heard.
    func announce(in rooms: [RecordedRoom]) async throws {
        let outcome = try await player(Self.words, in: rooms, isAnnouncement: true).run()
        #expect(outcome.exitCode == 0, "\(outcome.message ?? "")")
    }
}

extension Player {
    /// Waits until it plays, for five seconds at most.
    func waitUntilPlaying() async {
        for _ in 0..<500 {
            if status().state == .playing { return }
            await OwnThread.pause(milliseconds: 10)
        }
    }
}

/// Runs what has to happen in time: the threads that tests share, and the timers of `Task.sleep` with them, may be busy
/// for seconds with other tests.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "announcements")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Waits.
    static func pause(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "pause").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                continuation.resume()
            }
        }
    }
}
