import TuttiCore
import TuttiPlayback

/// A renderer that asks its client for data, after AVQueuedSampleBufferRendering.
protocol MediaRequesting: AnyObject, Sendable {
    associatedtype MediaBuffer: Sendable

    var clock: PlaybackClock { get }
    /// Whether more is wanted than is held.
    var isReadyForMoreMediaData: Bool { get }
    func enqueue(_ buffer: MediaBuffer) throws(PlaybackError)
    func finishMediaData()
    /// A request has ended since a buffer was refused, or its source failed.
    func requestFailed(_ error: PlaybackError)
    /// Looks whether the client is to be called, now or by a later time. After everything that may change the answer.
    func update()
    /// Reads or changes the client's part of the state.
    func withRequests<Result: Sendable>(_ body: (inout MediaRequests) -> Result) -> Result
}

/// How long a client that was called and brought nothing is left alone, in ns.
private let patience: Int64 = 10_000_000

extension MediaRequesting {
    /// Calls `block` whenever there is room.
    ///
    /// - Returns: the request's number.
    @discardableResult
    func request(_ courier: Courier, _ block: @escaping @Sendable () -> Void) -> Int {
        endRequests()
        let number = withRequests { $0.begin(courier, block) }
        update()
        return number
    }

    /// Takes buffers from `next` whenever there is room; nil means that there are no more.
    func request(_ courier: Courier, next: @escaping @Sendable () -> MediaBuffer?) {
        request(courier) { [weak self] in
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

    /// Takes buffers from a sequence as there is room; its end is the end of the data.
    func request<Buffers: AsyncSequence & Sendable>(from buffers: Buffers) where Buffers.Element == MediaBuffer {
        let number = request(Courier(.clock(clock))) {}
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
        if !withRequests({ $0.setTask(task, of: number) }) { task.cancel() }
    }

    /// Ends the request. A call that is under way ends by itself.
    func endRequests() {
        let (task, waiters) = withRequests { $0.end() }
        task?.cancel()
        for waiter in waiters { waiter.resume() }
    }

    private func endRequest(_ number: Int? = nil, refused error: PlaybackError?) {
        guard withRequests({ requests in number.map { requests.isCurrent($0) } ?? true }) else { return }
        endRequests()
        if let error { requestFailed(error) } else { finishMediaData() }
    }

    /// Waits for room; false when request `number` is over.
    private func waitUntilReady(_ number: Int) async -> Bool {
        while !Task.isCancelled {
            guard withRequests({ $0.isCurrent(number) }) else { return false }
            if isReadyForMoreMediaData { return true }
            await withCheckedContinuation { continuation in
                let waits = !Task.isCancelled && withRequests { $0.wait(continuation, for: number) }
                if waits { update() } else { continuation.resume() }
            }
        }
        return false
    }

    /// Calls and wakes who is to be told that there is room.
    func deliver(_ ready: (call: MediaRequest?, waiters: [MediaRequests.Waiter])) {
        for waiter in ready.waiters { waiter.resume() }
        guard let call = ready.call else { return }
        call.courier.deliver { [weak self] in
            guard let self, withRequests({ $0.isCurrent(call.number) }) else { return }
            call.body()
            let isStillReady = isReadyForMoreMediaData
            withRequests { $0.called(call.number) }
            // One that leaves room has nothing at the moment.
            guard isStillReady else { return update() }
            clock.schedule(at: clock.now().advanced(byNanoseconds: patience)) { [weak self] in self?.update() }
        }
    }
}
