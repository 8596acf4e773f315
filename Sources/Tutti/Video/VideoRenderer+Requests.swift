public import Dispatch
import Synchronization
import TuttiCore
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
        begin(Courier(.init(executor, clock: clock)), block)
    }

    /// The same on a serial dispatch queue.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        begin(Courier(.queue(queue)), block)
    }

    /// Ends the request. A call that is under way ends by itself.
    public func stopRequestingMediaData() { state.withLock { $0.request = nil } }

    private func begin(_ courier: Courier, _ block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.requestNumber += 1
            state.request = MediaRequest(number: state.requestNumber, courier: courier, body: block)
        }
        update()
    }

    /// Calls the client if it is to be called, now; it is looked at again after each step.
    func update() {
        let now = clock.now()
        let call = state.withLock { state -> MediaRequest? in
            guard let request = state.request, !request.isUnderWay, state.plan.isReady(now: now) else { return nil }
            state.request?.isUnderWay = true
            return request
        }
        guard let call else { return }
        call.courier.deliver { [weak self] in
            guard let self, state.withLock({ $0.request?.number == call.number }) else { return }
            call.body()
            state.withLock { if $0.request?.number == call.number { $0.request?.isUnderWay = false } }
            // One that leaves room has nothing at the moment; one that does not is asked when there is room again.
            clock.schedule(at: clock.now().advanced(byNanoseconds: Self.patience)) { [weak self] in self?.update() }
        }
    }
}
