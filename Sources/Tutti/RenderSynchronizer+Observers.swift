public import Dispatch
import Synchronization
public import TuttiCore
public import TuttiPlayback

extension RenderSynchronizer {
    /// Calls `block` with the media time at every multiple of `interval` that the programme passes, and when it jumps,
    /// starts or stops.
    ///
    /// - Parameters:
    ///   - interval: at least a millisecond of media time.
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - block: called with the media time.
    /// - Throws: `invalidObserver`.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, on executor: (any SerialExecutor)? = nil,
        using block: @escaping @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.periodic(interval), Courier.Target(executor, clock: clock), block)
    }

    /// The same on a serial dispatch queue.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, queue: DispatchQueue, using block: @escaping @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.periodic(interval), .queue(queue), block)
    }

    /// The same on the main actor, as user interfaces want it.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, on actor: MainActor,
        using block: @escaping @MainActor @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.periodic(interval), .main) { time in MainActor.assumeIsolated { block(time) } }
    }

    /// Calls `block` with the media time whenever the programme passes one of `times`, or jumps onto it.
    ///
    /// - Parameters:
    ///   - times: in any order; at least one.
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - block: called with the media time.
    /// - Throws: `invalidObserver`.
    public func addBoundaryTimeObserver(
        forTimes times: [MediaTime], on executor: (any SerialExecutor)? = nil,
        using block: @escaping @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.boundary(times), Courier.Target(executor, clock: clock), block)
    }

    /// The same on a serial dispatch queue.
    public func addBoundaryTimeObserver(
        forTimes times: [MediaTime], queue: DispatchQueue, using block: @escaping @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.boundary(times), .queue(queue), block)
    }

    /// The same on the main actor.
    public func addBoundaryTimeObserver(
        forTimes times: [MediaTime], on actor: MainActor,
        using block: @escaping @MainActor @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        try add(.boundary(times), .main) { time in MainActor.assumeIsolated { block(time) } }
    }

    /// Ends an observer. A call that is under way ends by itself.
    public func removeTimeObserver(_ observer: TimeObserver) {
        state.withLock { state in
            state.observers.remove(observer.id)
            state.targets[observer.id] = nil
        }
    }

    /// The media times that `addPeriodicTimeObserver` would call with; the newest 64 wait to be taken.
    ///
    /// - Throws: `invalidObserver`.
    public func periodicTimes(forInterval interval: MediaTime) throws(PlaybackError) -> AsyncStream<MediaTime> {
        try stream(.periodic(interval))
    }

    /// The media times that `addBoundaryTimeObserver` would call with; the newest 64 wait to be taken.
    ///
    /// - Throws: `invalidObserver`.
    public func boundaryTimes(_ times: [MediaTime]) throws(PlaybackError) -> AsyncStream<MediaTime> {
        try stream(.boundary(times))
    }

    private func add(
        _ kind: TimeObservers.Kind, _ place: Courier.Target, _ block: @escaping @Sendable (MediaTime) -> Void
    ) throws(PlaybackError) -> TimeObserver {
        let target = Target(courier: Courier(place), body: block)
        let id = try state.withLock { state throws(PlaybackError) in
            let id = try state.observers.add(kind)
            state.targets[id] = target
            return id
        }
        step()
        return TimeObserver(id: id)
    }

    private func stream(_ kind: TimeObservers.Kind) throws(PlaybackError) -> AsyncStream<MediaTime> {
        let (stream, continuation) = AsyncStream<MediaTime>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let observer = try add(kind, .clock(clock)) { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.removeTimeObserver(observer) }
        return stream
    }
}
