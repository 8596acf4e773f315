public import Dispatch
import Synchronization
public import TuttiCore
import TuttiPlayback

extension AudioRenderer {
    /// Whether the route wants more than is held: enqueue while this is true.
    public var isReadyForMoreMediaData: Bool {
        state.withLock { $0.core.isReady(timeline: $0.timeline, now: clock.now()) }
    }

    /// Calls `block` whenever the renderer is ready for more data, until `stopRequestingMediaData`. The block enqueues
    /// while `isReadyForMoreMediaData` is true; where it has no more data it stops requesting.
    ///
    /// - Parameters:
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - block: called one at a time. Takes the place of an earlier request's.
    public func requestMediaDataWhenReady(
        on executor: (any SerialExecutor)? = nil, using block: @escaping @Sendable () -> Void
    ) {
        request(Courier(.init(executor, clock: clock)), block)
    }

    /// The same on a serial dispatch queue.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        request(Courier(.queue(queue)), block)
    }

    /// Takes buffers from `next` whenever the renderer is ready for more data; nil means that there are no more.
    ///
    /// - Parameters:
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - next: the buffer that follows. Takes the place of an earlier request.
    public func requestMediaData(
        on executor: (any SerialExecutor)? = nil, next: @escaping @Sendable () -> SampleBuffer?
    ) {
        request(Courier(.init(executor, clock: clock)), next: next)
    }

    /// The same on a serial dispatch queue.
    public func requestMediaData(on queue: DispatchQueue, next: @escaping @Sendable () -> SampleBuffer?) {
        request(Courier(.queue(queue)), next: next)
    }

    /// Takes buffers from a sequence, as the renderer becomes ready for them; its end is the end of the data. Takes the
    /// place of an earlier request.
    public func requestMediaData<Buffers: AsyncSequence & Sendable>(from buffers: Buffers)
    where Buffers.Element == SampleBuffer {
        request(from: buffers)
    }

    /// Ends the request. A call that is under way ends by itself.
    public func stopRequestingMediaData() { endRequests() }
}

extension AudioRenderer: MediaRequesting {
    typealias MediaBuffer = SampleBuffer

    func requestFailed(_ error: PlaybackError) { broadcaster.send(.refused(error)) }

    func withRequests<Result: Sendable>(_ body: (inout MediaRequests) -> Result) -> Result {
        state.withLock { body(&$0.requests) }
    }

    func update() {
        let now = clock.now()
        noteBuffering(now)
        let ready = state.withLock { state -> (MediaRequest?, [MediaRequests.Waiter]) in
            clock.cancel(state.alarm)
            var due = state.core.bufferingDeadline(timeline: state.timeline, now: now)
            defer { state.alarm = due.map { clock.schedule(at: $0) { [weak self] in self?.update() } } }
            guard state.requests.current != nil else { return (nil, []) }
            if state.core.isReady(timeline: state.timeline, now: now) { return state.requests.takeReady() }
            if let ready = state.core.deadline(timeline: state.timeline, now: now) { due = min(due ?? ready, ready) }
            return (nil, [])
        }
        deliver(ready)
    }

    private func noteBuffering(_ now: HostTime) {
        let news = state.withLock { state -> BufferingState? in
            let buffering = state.core.bufferingState(timeline: state.timeline, now: now)
            defer { state.buffering = buffering }
            return buffering == state.buffering ? nil : buffering
        }
        if let news { bufferingBroadcaster.send(news) }
    }
}
