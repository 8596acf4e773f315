import Synchronization
import Tutti

/// The application of docs/library.md that plays a queue: its listings are parts of this file.
final class Jukebox: Sendable {
    private let lines = Mutex<[String]>([])
    private let percentage = Mutex(0.0)

    var shownLines: [String] { lines.withLock { $0 } }
    var loadedShare: Double { percentage.withLock { $0 } }

    // MARK: What an application brings

    func show(_ text: String) { lines.withLock { $0.append(text) } }

    func showLoaded(_ share: Double) { percentage.withLock { $0 = share } }

    // MARK: Listings

    func begin(
        _ files: [String], in outputs: [QueuePlayer.Output], _ configuration: QueuePlayer.Configuration
    ) async throws -> QueuePlayer {
        let player = try await QueuePlayer(
            items: files.map { PlayerItem(path: $0) }, outputs: outputs, configuration: configuration)
        // Connects, and returns when it is heard.
        try await player.play()
        return player
    }

    func playNext(_ item: PlayerItem, _ player: QueuePlayer) async throws {
        // What follows the current item may be loaded already: it is replaced, and the current item goes on.
        try await player.insert(item, after: player.currentItem)
    }

    func observe(_ player: QueuePlayer) -> Task<Void, Never> {
        let events = player.events
        return Task { [self] in
            for await event in events {
                switch event {
                case .currentItemChanged(let item): show("♪ \(item.title ?? item.uri)")
                case .stalled: show("waiting for data")
                case .resumed: show("playing again")
                case .itemFailed(let item, let error): show("\(item.uri) is left out: \(error)")
                case .roomLost(let room, let reason): show("\(room): \(reason)")
                case .ended: show("that was all")
                default: break
                }
            }
        }
    }

    func observeProgress(_ player: QueuePlayer) -> Task<Void, Never> {
        Task { [self] in
            for await _ in player.periodicTimes(forInterval: .milliseconds(500)) {
                guard let duration = await player.currentItem?.duration else { continue }
                let available = await player.loadedTimeRanges.last?.end ?? .zero
                showLoaded(available.seconds / duration.seconds)
            }
        }
    }
}
