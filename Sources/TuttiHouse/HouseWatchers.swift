import TuttiSchema

/// Those who watch all that a service does. Who does not keep up is let go, and has to begin anew.
struct HouseWatchers {
    /// Events that wait for one watcher: some minutes of them.
    private static let capacity = 1024

    private var continuations: [Int: AsyncStream<ControlEvent>.Continuation] = [:]
    private var last = 0

    /// Whether nobody watches.
    var isEmpty: Bool { continuations.isEmpty }

    /// Begins to watch.
    ///
    /// - Parameter onEnd: called with the watcher's number when it has gone.
    mutating func add(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<ControlEvent> {
        let (stream, continuation) = AsyncStream<ControlEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.capacity))
        last += 1
        continuation.onTermination = { [last] _ in onEnd(last) }
        continuations[last] = continuation
        return stream
    }

    /// Forgets a watcher that has gone.
    mutating func remove(_ number: Int) { continuations[number] = nil }

    /// Tells all of them.
    mutating func tell(_ event: ControlEvent) {
        for (number, continuation) in continuations {
            guard case .enqueued = continuation.yield(event) else {
                continuations[number] = nil
                continuation.finish()
                continue
            }
        }
    }
}
