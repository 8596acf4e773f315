import Dispatch
import NIOCore
import TuttiClock
package import TuttiCore
import TuttiEncoding
package import TuttiHost
import TuttiPlayback
package import TuttiRooms
import TuttiTiming
package import TuttiTrust

/// A timeline in rooms whose owner hands it over in buffers, in any order, and sets timebases of this host's time for
/// it to play on.
///
/// What is handed over is kept by media time. Packets are made of it a little ahead of what the rooms take; where
/// something changes that was made already, the rooms drop what they have from there on and are sent it again. This
/// host leads the group's clock, so that its own time and the group's differ by a constant.
///
/// Everything happens on one event loop, in the order of the calls, none of which waits.
package actor RoomStream {
    nonisolated let loop: any EventLoop
    nonisolated let report: @Sendable (RoomStreamEvent) -> Void
    let group: RoomGroup

    /// What was handed over and has not played.
    var held: PacketStore
    let encoder = Transcoder(TranscodingProfile(codecs: RoomStream.codecsOnTheWire))
    /// Up to here what is held has been given to the encoder, and up to there the packets have come.
    var (made, appended) = (MediaTime.zero, MediaTime.zero)
    /// Whether the encoder has something of this edition.
    var isMaking = false
    /// Counts changes of what had been made: packets of earlier editions are dropped.
    var edition = 0
    /// From where on what was made is to be made again; nil while nothing is.
    var outdatedFrom: MediaTime?
    /// Where nothing follows, if that is known.
    var end: MediaTime?
    var awaitedFlushes: [AwaitedFlush] = []
    var level = Level()
    /// Rooms that have been told the level.
    var levelled: Set<Int> = []
    /// Names whose addresses are being looked up.
    var unresolved: Set<String> = []
    var isClosed = false
    private var ticker: RepeatedTask?
    var presence: Presence
    /// What was reported of the rooms' leads.
    var leads: (command: Int64, isReady: Bool)?

    /// The event loop is this actor's executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// A stream to rooms that begins to connect.
    ///
    /// - Parameters:
    ///   - rooms: those without a host are looked up on the network, until they are found.
    ///   - name: what the rooms are told who plays.
    ///   - trust: the household of who plays; nil to speak in the clear.
    ///   - maximumBytes: how much may be held.
    /// - Throws: `SenderError.system` when the clock's socket or thread cannot be had.
    package init(
        _ rooms: [RoomAddress], name: String, trust: Membership?, clock: HostClock, maximumBytes: Int,
        report: @escaping @Sendable (RoomStreamEvent) -> Void
    ) throws(SenderError) {
        let host = RoomsHost.system
        loop = host.loop()
        self.report = report
        held = PacketStore(maximumPackets: Self.maximumPackets, maximumBytes: maximumBytes)
        let id = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let identity = SenderIdentity(id: id, name: name, trust: trust)
        var configuration = RoomGroupConfiguration(identity: identity, clock: clock)
        (configuration.keepsOriginals, configuration.alwaysLeads) = (true, true)
        group = try RoomGroup(configuration, startAt: .zero, host: host, loop: loop)
        presence = Presence(last: clock.now())
        perform { $0.start(rooms) }
    }

    /// The most packets held: an hour in packets of 20 ms.
    private static let maximumPackets = 180_000

    /// Does something on the event loop, after what was asked for before.
    nonisolated func perform(_ body: @escaping @Sendable (isolated RoomStream) -> Void) {
        loop.execute { self.assumeIsolated { body($0) } }
    }

    private func start(_ rooms: [RoomAddress]) {
        group.owner = self
        // A room that is not to be had now may be later: none is given up.
        group.hasStarted = true
        for room in rooms where room.host != nil { group.add(room, isDiscovered: false, isClaim: true) }
        unresolved = Set(rooms.filter { $0.host == nil }.map(\.name))
        resolve()
        ticker = loop.scheduleRepeatedTask(initialDelay: .milliseconds(100), delay: .milliseconds(100)) { _ in
            self.assumeIsolated { $0.tick() }
        }
    }

    /// Looks names up until all are found.
    private func resolve() {
        guard !unresolved.isEmpty, !isClosed else { return }
        let names = unresolved
        Task {
            for case (let name, .success(let place)) in await RoomResolver.find(names, as: group.trust) where !isClosed
            {
                unresolved.remove(name)
                group.add(place, isDiscovered: true, isClaim: true)
            }
            loop.scheduleTask(in: .seconds(5)) { self.assumeIsolated { $0.resolve() } }
        }
    }

    // MARK: Timebase

    /// Lets the rooms play on a timebase of this host's time from its instant on.
    ///
    /// - Parameters:
    ///   - rate: 0 or 1.
    ///   - media: where the timeline stands at the instant.
    package nonisolated func move(rate: Double, media: MediaTime, at instant: HostTime) {
        perform { stream in
            guard let estimate = stream.group.clock.estimates.read() else { return }
            stream.group.isToSound = rate > 0
            stream.group.move(Playhead(rate: rate, media: media, group: estimate.groupTime(at: instant)))
            stream.make()
        }
    }

    // MARK: By and by

    private func tick() {
        group.tick()
        trim()
        make()
        notePresence()
        lookAround()
    }

    // MARK: The end

    /// Says goodbye to the rooms, which fall silent; waits until that is on its way.
    package nonisolated func close() {
        let isSaid = DispatchSemaphore(value: 0)
        perform { stream in
            stream.leave()
            isSaid.signal()
        }
        if !loop.inEventLoop { _ = isSaid.wait(timeout: .now() + .milliseconds(200)) }
    }

    private func leave() {
        guard !isClosed else { return }
        isClosed = true
        ticker?.cancel()
        for flush in awaitedFlushes { flush.completion(false) }
        awaitedFlushes = []
        _ = group.leave(reason: "playback has ended")
    }
}

extension RoomStream: RoomGroupOwner {
    package nonisolated func take(_ event: RoomGroupEvent) {
        assumeIsolated { stream in
            switch event {
            case .room(let name, let event, let message):
                stream.report(.room(name: name, event, message: message))
            case .changed: stream.lookAround()
            case .sent: stream.make()
            case .heldBack: stream.group.outbox.flush()
            case .lacking: break
            case .abandoned(let error): stream.lose(error)
            }
        }
    }
}
