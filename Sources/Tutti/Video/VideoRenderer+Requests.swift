public import Dispatch
import Synchronization
public import TuttiCore
import TuttiPlayback

extension VideoRenderer {
    /// Whether more is wanted than is held: enqueue while this is true.
    public var isReadyForMoreMediaData: Bool { state.withLock { $0.plan.isReady(now: clock.now()) } }

    /// Calls `block` whenever the renderer is ready for more pictures, until `stopRequestingMediaData`. The block
    /// enqueues while `isReadyForMoreMediaData` is true; where it has no more it stops requesting.
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

    /// Takes coded pictures from `next` whenever the renderer is ready for more; nil means that there are no more. One that
    /// is refused ends the request, and the status says why.
    ///
    /// - Parameters:
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - next: the picture that is decoded next. Takes the place of an earlier request.
    public func requestMediaData(
        on executor: (any SerialExecutor)? = nil, next: @escaping @Sendable () -> VideoSampleBuffer?
    ) {
        request(Courier(.init(executor, clock: clock)), next: next)
    }

    /// The same on a serial dispatch queue.
    public func requestMediaData(on queue: DispatchQueue, next: @escaping @Sendable () -> VideoSampleBuffer?) {
        request(Courier(.queue(queue)), next: next)
    }

    /// Takes coded pictures from a sequence, as the renderer becomes ready for them; its end is the end of the pictures.
    /// Takes the place of an earlier request.
    public func requestMediaData<Buffers: AsyncSequence & Sendable>(from buffers: Buffers)
    where Buffers.Element == VideoSampleBuffer {
        request(from: buffers)
    }

    /// Ends the request. A call that is under way ends by itself.
    public func stopRequestingMediaData() { endRequests() }
}

extension VideoRenderer: MediaRequesting {
    typealias MediaBuffer = VideoSampleBuffer

    func requestFailed(_ error: PlaybackError) {
        state.withLock { ($0.status, $0.error) = (.failed, error) }
    }

    func withRequests<Result: Sendable>(_ body: (inout MediaRequests) -> Result) -> Result {
        state.withLock { body(&$0.requests) }
    }

    func update() {
        let now = clock.now()
        let ready = state.withLock { state -> (MediaRequest?, [MediaRequests.Waiter]) in
            guard state.requests.current != nil, state.plan.isReady(now: now) else { return (nil, []) }
            return state.requests.takeReady()
        }
        deliver(ready)
    }
}
