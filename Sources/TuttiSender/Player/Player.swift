import NIOCore
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiProduction
package import TuttiRooms

/// Plays a queue in rooms: reads and encodes its tracks, schedules them end to end, and tells the rooms when to play
/// what.
///
/// Everything happens on one event loop, which is also this actor's executor, so that what the network says and what
/// people ask for are handled in turn without locks. Reading and encoding has a thread of its own (`Producer`), and so
/// has the rooms' clock (`GroupClock`).
package actor Player {
    /// What the player does.
    enum Phase: Equatable {
        /// Waiting for the rooms to answer; then fill them, to play or to stay paused.
        case connecting
        /// Waiting until the rooms can start at `target`; then play if `thenPlay`, else stay paused.
        case filling(thenPlay: Bool)
        case playing
        case paused
        case finished
    }

    nonisolated let loop: any EventLoop
    nonisolated let configuration: PlayerConfiguration
    let host: SenderHost
    /// The rooms.
    let group: RoomGroup

    var phase = Phase.connecting {
        didSet { group.isToSound = phase == .playing || phase == .filling(thenPlay: true) }
    }
    /// Whether to play once the rooms are connected and ready for the first time; else to be paused then.
    var playsOnceReady = true
    /// What is to be played.
    var queue: PlayQueue<QueueItem>
    /// What of it lies on the timeline.
    var timeline: PlaybackTimeline
    /// The serial number of the track that the queue's current entry was found by.
    var followed: Int
    /// Standard input.
    var standardInput = StandardInput()
    /// What could not be played.
    var failures = TrackFailures()
    /// What the producer works on.
    var production: Production
    /// What the reader of pictures works on.
    var pictures = PlayerSpans(.pictures)
    var captions = PlayerSpans(.captions)
    /// What is known of the live track that was scheduled last; nil where that is none.
    var live: LiveState?
    /// What is live of the station that plays.
    var liveEdge: LiveEdge?
    /// What a live input has interrupted.
    var interruption: Interruption?
    /// How what is scheduled from now on plays.
    var scheduling: SchedulingOptions
    /// When waiting for rooms ends.
    var deadline: HostTime
    var watchers = PlayerWatchers()
    var pulse = Pulse()
    /// Who waits for its start and its end, and how it ended.
    var completion = PlayerCompletion()
    /// Writes down what it would need to resume after its process has died.
    var recorder: PlayerRecorder?
    /// Rooms whose addresses are being looked up.
    var lookedUp: [RoomAddress] = []
    /// What it is to resume from, until the rooms have reported where they are.
    var restored: PlayerRecord?
    /// Whether its queue is a stopped one until it runs.
    let isParked: Bool

    /// How what is scheduled plays.
    struct SchedulingOptions {
        /// Seconds of a track that pass in a second.
        var rate: Double
        /// How long a track and the next one overlap at most.
        var crossfade: MediaTime
        /// What is made equally loud.
        var normalization: LoudnessNormalization
        /// Whether there is less difference between loud and soft.
        var isNight: Bool
        /// Which tracks of films play.
        var tracks: TrackChoices
        /// The entry that played when those were chosen, or plays since; nil before there is one.
        var subtitleEntry: QueueEntryID?
    }

    /// The ticks, of which the next is due.
    struct Pulse {
        var count = 0
        var next: Scheduled<Void>?
    }

    /// Nanoseconds between two ticks.
    static let tickInterval: Int64 = 100_000_000
    /// Nanoseconds after which those who are ready start without the others.
    static let fillTimeout: Int64 = 5_000_000_000
    /// Nanoseconds that the first start leaves to a host that stands still for a moment.
    static let firstStartReserve: Int64 = 150_000_000
    /// How much is encoded ahead of the room that is furthest.
    static let lookahead = MediaTime(frame: 10, sampleRate: 1)
    /// How much is kept of what has played.
    static let history = MediaTime(frame: 30, sampleRate: 1)

    /// The event loop is this actor's executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// A player that begins with `run`.
    ///
    /// - Parameters:
    ///   - record: what it is to resume from, with the configuration that comes from that; nil to begin with the
    ///     configuration's inputs.
    ///   - journal: where it writes down what another one would need to take over from it. It has `record` already.
    ///   - isParked: whether the queue counts as stopped until it runs, as that of a stopped record does.
    /// - Throws: `SenderError.system` when the clock's socket or thread cannot be had, `badRecord`.
    package init(
        _ configuration: PlayerConfiguration, restoring record: PlayerRecord? = nil,
        journal: (any PlayerJournal)? = nil, isParked: Bool = false
    ) throws(SenderError) {
        try self.init(configuration, restoring: record, journal: journal, isParked: isParked, host: .system)
    }

    package init(
        _ configuration: PlayerConfiguration, restoring record: PlayerRecord? = nil,
        journal: (any PlayerJournal)? = nil, isParked: Bool = false, host: SenderHost
    ) throws(SenderError) {
        self.configuration = configuration
        self.host = host
        self.isParked = isParked || record?.state.isStopped == true
        // Of a stopped queue nothing is in the rooms.
        let attached = record?.state.isStopped == true ? nil : record
        loop = host.rooms.loop()
        group = try RoomGroup(
            configuration.group(streamID: attached?.state.stream), startAt: configuration.startAt,
            host: host.rooms, loop: loop)
        queue = try record?.queue() ?? PlayQueue(configuration.inputs.map(QueueItem.init))
        timeline = try attached?.timeline() ?? PlaybackTimeline()
        followed = attached?.state.followed ?? -1
        restored = attached
        recorder = journal.map { [queue] in PlayerRecorder($0, having: record, of: queue) }
        group.outbox.isRecorded = journal != nil
        if let state = attached?.state {
            playsOnceReady = !state.isHeld
            group.timebase.restore(state.line, earlier: state.earlierLines)
        }
        production = Production(opened: configuration.opened)
        scheduling = SchedulingOptions(
            rate: configuration.rate, crossfade: configuration.crossfade, normalization: configuration.normalization,
            isNight: configuration.isNight, tracks: configuration.tracks)
        deadline = configuration.clock.now().advanced(byNanoseconds: configuration.connectTimeout)
    }

    /// Plays the timeline to its end, or until it is stopped or turns out impossible.
    package func run() async -> PlayerOutcome {
        guard isAlive else { return completion.outcome ?? PlayerOutcome(exitCode: 0, message: nil) }
        do throws(SenderError) {
            try begin()
        } catch {
            return PlayerOutcome(exitCode: error.exitCode, message: error.description)
        }
        return await withCheckedContinuation { completion.awaitEnd($0) }
    }

    /// What `run` begins with.
    ///
    /// - Throws: `SenderError.system` when the system gives no thread to read and encode on.
    package func begin() throws(SenderError) {
        group.owner = self
        try startProducer()
        startTicking()
        if let restored { restoreRooms(restored) } else { startRooms() }
        commit()
    }

    /// Whether it may play something still.
    package var isAlive: Bool { phase != .finished }

    /// Whether it ended before its queue was over.
    package var wasCutShort: Bool { completion.wasCutShort }

    /// What stays of its queue, once it is over.
    package var remains: PlayerRecord? { completion.remains }

    /// What happens from now on, until the end.
    ///
    /// - Parameter isOwner: whether the player's owner watches, who is not told what it says through `tell` itself.
    package func events(asOwner isOwner: Bool = false) -> AsyncStream<PlayerEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlayerEvent.self, bufferingPolicy: .bufferingNewest(256))
        if let outcome = completion.outcome {
            continuation.yield(.finished(outcome))
            continuation.finish()
            return stream
        }
        let number = watchers.add(continuation, isOwner: isOwner)
        continuation.onTermination = { _ in Task { await self.forget(watcher: number) } }
        return stream
    }

    private func forget(watcher: Int) { watchers.remove(watcher) }

    func emit(_ event: PlayerEvent) { watchers.emit(event) }

    // MARK: Time

    /// This host's time.
    var now: HostTime { group.now }

    /// The group's time.
    var groupNow: GroupTime { group.groupNow }

    /// Where the rooms stand, or are to start.
    var playhead: Playhead { group.playhead }

    /// Where the timeline ends, once that is known.
    var timelineEnd: MediaTime? { group.timelineEnd }

    /// The place in the timeline that plays now.
    var position: MediaTime { group.position }

    /// The instant at which a change takes effect that all rooms hear of now.
    func soon() -> GroupTime { group.soon() }

    private func startTicking() {
        // At tenths of a second of this host's time: a hundred players that tick at one instant wake their process
        // once.
        let passed = now.nanoseconds % Self.tickInterval
        let wait = Self.tickInterval - passed
        let isSoon = wait < Self.tickInterval / 2
        pulse.next = loop.scheduleTask(in: .nanoseconds(isSoon ? wait + Self.tickInterval : wait)) {
            self.assumeIsolated { player in
                player.startTicking()
                player.tick()
            }
        }
    }
}
