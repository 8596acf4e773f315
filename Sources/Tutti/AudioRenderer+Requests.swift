public import Dispatch
import Synchronization
public import TuttiCore
import TuttiPlayback

/// A client's wish to be called when there is room for data.
struct MediaRequest: Sendable {
    let number: Int
    let courier: Courier
    let body: @Sendable () -> Void
    /// Whether the client is being called.
    var isUnderWay = false
    /// What reads a sequence; nil for calls.
    var task: Task<Void, Never>?
}

extension AudioRenderer {
    /// How long a client that was called and brought nothing is left alone, in ns.
    private static let patience: Int64 = 10_000_000

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
        begin(Courier(.init(executor, clock: clock)), block)
    }

    /// The same on a serial dispatch queue.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        begin(Courier(.queue(queue)), block)
    }

    /// Takes buffers from `next` whenever the renderer is ready for more data; nil means that there are no more.
    ///
    /// - Parameters:
    ///   - executor: where to call; nil for the clock's own context, where nothing may block.
    ///   - next: the buffer that follows. Takes the place of an earlier request.
    public func requestMediaData(
        on executor: (any SerialExecutor)? = nil, next: @escaping @Sendable () -> SampleBuffer?
    ) {
        begin(Courier(.init(executor, clock: clock)), pulling(next))
    }

    /// The same on a serial dispatch queue.
    public func requestMediaData(on queue: DispatchQueue, next: @escaping @Sendable () -> SampleBuffer?) {
        begin(Courier(.queue(queue)), pulling(next))
    }

    private func pulling(_ next: @escaping @Sendable () -> SampleBuffer?) -> @Sendable () -> Void {
        { [weak self] in
            while let self, isReadyForMoreMediaData {
                guard let buffer = next() else { return endRequest(refused: nil) }
                do throws(PlaybackError) {
                    try enqueue(buffer)
                } catch {
                    return endRequest(refused: error)
                }
            }
        }
    }

    /// Takes buffers from a sequence, as the renderer becomes ready for them; its end is the end of the data. Takes the
    /// place of an earlier request.
    public func requestMediaData<Buffers: AsyncSequence & Sendable>(from buffers: Buffers)
    where Buffers.Element == SampleBuffer {
        let number = begin(Courier(.clock(clock))) {}
        let task = Task { [weak self] in
            do {
                for try await buffer in buffers {
                    guard let self, await waitUntilReady(number) else { return }
                    try enqueue(buffer)
                }
                self?.endRequest(number, refused: nil)
            } catch {
                self?.endRequest(number, refused: error as? PlaybackError ?? .media(String(describing: error)))
            }
        }
        state.withLock { state in
            if state.request?.number == number { state.request?.task = task } else { task.cancel() }
        }
    }

    /// Ends the request. A call that is under way ends by itself.
    public func stopRequestingMediaData() {
        let (task, waiters) = state.withLock { state in
            defer { (state.request, state.waiters) = (nil, [:]) }
            return (state.request?.task, state.waiters.values.map(\.self))
        }
        task?.cancel()
        for waiter in waiters { waiter.resume() }
    }

    @discardableResult
    private func begin(_ courier: Courier, _ block: @escaping @Sendable () -> Void) -> Int {
        stopRequestingMediaData()
        let number = state.withLock { state in
            state.requestNumber += 1
            state.request = MediaRequest(number: state.requestNumber, courier: courier, body: block)
            return state.requestNumber
        }
        update()
        return number
    }

    private func endRequest(_ number: Int? = nil, refused error: PlaybackError?) {
        let isCurrent = state.withLock { state in number == nil || state.request?.number == number }
        guard isCurrent else { return }
        stopRequestingMediaData()
        if let error { broadcaster.send(.refused(error)) } else { finishMediaData() }
    }

    /// Waits for room; false when request `number` is over.
    private func waitUntilReady(_ number: Int) async -> Bool {
        while !Task.isCancelled {
            let isOver = state.withLock { $0.request?.number != number }
            if isOver { return false }
            if isReadyForMoreMediaData { return true }
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    guard state.request?.number == number, !Task.isCancelled else { return continuation.resume() }
                    state.waiters[number] = continuation
                }
                update()
            }
        }
        return false
    }

    /// Looks whether the client is to be called, now or by a later time. After everything that may change the answer.
    func update() {
        let now = clock.now()
        var call: MediaRequest?
        var ready: [CheckedContinuation<Void, Never>] = []
        noteBuffering(now)
        state.withLock { state in
            clock.cancel(state.alarm)
            var due = state.core.bufferingDeadline(timeline: state.timeline, now: now)
            defer { state.alarm = due.map { clock.schedule(at: $0) { [weak self] in self?.update() } } }
            guard state.request != nil else { return }
            if state.core.isReady(timeline: state.timeline, now: now) {
                ready = state.waiters.values.map(\.self)
                state.waiters = [:]
                guard state.request?.task == nil, state.request?.isUnderWay == false else { return }
                state.request?.isUnderWay = true
                call = state.request
            } else if let ready = state.core.deadline(timeline: state.timeline, now: now) {
                due = min(due ?? ready, ready)
            }
        }
        for waiter in ready { waiter.resume() }
        if let call { deliver(call) }
    }

    private func noteBuffering(_ now: HostTime) {
        let news = state.withLock { state -> BufferingState? in
            let buffering = state.core.bufferingState(timeline: state.timeline, now: now)
            defer { state.buffering = buffering }
            return buffering == state.buffering ? nil : buffering
        }
        if let news { bufferingBroadcaster.send(news) }
    }

    private func deliver(_ call: MediaRequest) {
        call.courier.deliver { [weak self] in
            guard let self, state.withLock({ $0.request?.number == call.number }) else { return }
            call.body()
            let isStillReady = isReadyForMoreMediaData
            state.withLock { if $0.request?.number == call.number { $0.request?.isUnderWay = false } }
            // One that leaves room has nothing at the moment.
            guard isStillReady else { return update() }
            clock.schedule(at: clock.now().advanced(byNanoseconds: Self.patience)) { [weak self] in self?.update() }
        }
    }
}
