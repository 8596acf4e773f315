import Synchronization
import TuttiRooms
import TuttiSchema
package import TuttiSender

/// Plays a queue of items in rooms, on cards of this host and on screens of the program, in step everywhere.
///
/// The items lie end to end on one timeline, of which each output holds as much ahead as it wants: a card of this host
/// half a minute, rooms minutes. So pieces follow each other without a gap, and the queue can be edited while it plays:
/// what the outputs hold is replaced from where it differs, and the item that is heard goes on untouched.
///
/// `play()` connects and begins; the player keeps its rooms until `stop()`, or until it is released.
public final class QueuePlayer: Sendable {
    /// The player behind it, for the control socket and for what people are shown.
    package let player: Player
    let local: LocalRooms
    let places: Mutex<[Output]>
    private let broadcaster = Broadcaster<QueuePlayerEvent>()
    private let running = Mutex<Task<PlayerOutcome, Never>?>(nil)

    /// A player that is paused at the beginning of its first item.
    ///
    /// - Parameters:
    ///   - items: what to play, in order.
    ///   - outputs: where; at least one.
    ///   - configuration: how.
    /// - Throws: `output` when a device of this host cannot be opened, `invalid` for a configuration outside of its
    ///   ranges, `alreadyInQueue` for an item given twice, `system`.
    public init(
        items: [PlayerItem] = [], outputs: [Output] = [.local()], configuration: Configuration = Configuration()
    ) async throws(QueuePlayerError) {
        var inside = try configuration.playerConfiguration()
        local = try await LocalRooms(outputs, configuration)
        places = Mutex(outputs)
        inside.rooms = outputs.compactMap(\.address) + local.addresses
        do throws(SenderError) {
            guard !inside.rooms.isEmpty else { throw .badOption("a player needs an output") }
            player = try Player(inside)
            try await player.insert(items.map { $0.queueItem(in: player) }, after: nil)
        } catch {
            await local.shutdown()
            throw QueuePlayerError(error)
        }
        let events = await player.events()
        Task { [player, broadcaster] in await Self.translate(events, of: player, for: broadcaster) }
    }

    deinit {
        Task { [player, local] in
            await player.stop()
            await local.shutdown()
        }
    }

    /// What happens from now on, for one listener; ends with `finished`.
    public var events: AsyncStream<QueuePlayerEvent> { broadcaster.subscribe() }

    // MARK: Playing

    /// Plays, or goes on. The first time it connects to the outputs, and returns when they play.
    ///
    /// - Throws: `nothingToPlay` for a queue that is empty or of which nothing can be played, `room` when an output
    ///   cannot be used, `notNow` when the queue is over, `ended`.
    public func play() async throws(QueuePlayerError) {
        guard await currentItem != nil else { throw .nothingToPlay }
        try await ask { player throws(SenderError) in try await player.resume() }
        start()
        if let outcome = await player.started(), let error = QueuePlayerError(outcome) { throw error }
        if await player.isUnplayable { throw .nothingToPlay }
    }

    /// Holds all outputs at one instant.
    ///
    /// - Throws: `ended`.
    public func pause() async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.pause() }
    }

    /// Ends the player: leaves the rooms, and closes the cards.
    public func stop() async {
        await player.stop()
        _ = await running.withLock { $0 }?.value
        await local.shutdown()
    }

    /// Plays to the end of the queue, or of the player.
    package func run() async -> PlayerOutcome { await start().value }

    /// Whether it has begun.
    var isRunning: Bool { running.withLock { $0 != nil } }

    /// Whether it plays.
    public var timeControlStatus: TimeControlStatus {
        get async {
            guard isRunning else { return .paused }
            return TimeControlStatus(await player.status().state)
        }
    }

    /// Seconds of the item that pass in a second: 0 while it stands still. `setRate(_:)` changes it.
    public var rate: Double { get async { await player.status().rate } }

    /// Plays so many times as fast, with the pitch kept; 0 pauses.
    ///
    /// `AVQueuePlayer` has a rate that is set. Here the outputs are asked first, some of them on other hosts, and the
    /// answer may be no; in Swift a property can be read with `async` and `throws`, and not set. So this is a method.
    /// `RenderSynchronizer.rate`, which waits for nobody, can be set.
    ///
    /// - Parameter rate: 0, or 0.5 … 2.
    /// - Throws: `invalid` for another rate; `notNow` while a live stream is heard; otherwise as `play` does.
    public func setRate(_ rate: Double) async throws(QueuePlayerError) {
        guard rate != 0 else { return try await pause() }
        try await ask { player throws(SenderError) in try await player.setRate(rate) }
        try await play()
    }

    @discardableResult
    private func start() -> Task<PlayerOutcome, Never> {
        running.withLock { running in
            if let running { return running }
            let task = Task { [player, local] in
                let outcome = await player.run()
                await local.shutdown()
                return outcome
            }
            running = task
            return task
        }
    }

    /// Asks the player for something, and says what it answers in this library's words.
    func ask<Answer>(
        _ wish: (Player) async throws(SenderError) -> Answer
    ) async throws(QueuePlayerError) -> Answer {
        do {
            return try await wish(player)
        } catch {
            throw QueuePlayerError(error)
        }
    }
}
