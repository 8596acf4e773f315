public import TuttiCore
public import TuttiPlayback
import TuttiSender

/// Where it stands, and what is loaded.
extension QueuePlayer {
    /// How often changes are looked for.
    private static let interval = Duration.milliseconds(100)

    /// The place in the current item that is heard.
    public var currentTime: MediaTime { get async { await player.currentTime() } }

    /// Goes to a place in the current item, to the frame; behind its end the next one begins. Where all outputs have loaded
    /// the place, nothing is sent again. Before `play()` it says where to begin.
    ///
    /// - Throws: `notNow` behind the end of the last item, and while `play()` connects; `ended`.
    public func seek(to time: MediaTime) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.seek(.to(time)) }
    }

    /// What all outputs hold of the current item, a second ago at most.
    public var loadedTimeRanges: [TimeRange] { get async { await player.loadedTimeRanges() } }

    /// Whether all outputs hold enough to play on.
    public var bufferingState: BufferingState { get async { await player.bufferingState() } }

    /// `bufferingState` now and whenever it changes, for one listener.
    public var bufferingStates: AsyncStream<BufferingState> {
        watch { player in (await player.bufferingState(), Self.interval) }
    }

    /// `currentTime` now, at every multiple of `interval` that is passed, and within a tenth of a second after jumps; for
    /// one listener.
    ///
    /// - Parameter interval: a millisecond or more; less counts as that.
    public func periodicTimes(forInterval interval: Duration) -> AsyncStream<MediaTime> {
        let step = max(interval / .seconds(1), 1e-3)
        let times = watch { player in
            let time = await player.currentTime()
            let count = (time.seconds / step).rounded(.down)
            let rest = Duration.seconds((count + 1) * step - time.seconds)
            return (PassedTime(count: count, time: time), min(max(rest, .milliseconds(1)), Self.interval))
        }
        return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task {
                for await passed in times { continuation.yield(passed.time) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// A time that counts as another one only when another multiple has been passed.
    private struct PassedTime: Sendable, Equatable {
        let count: Double
        let time: MediaTime

        static func == (lhs: PassedTime, rhs: PassedTime) -> Bool { lhs.count == rhs.count }
    }

    /// Looks again and again, as soon as each look asks for, and tells when there is something else to see.
    private func watch<Value: Sendable & Equatable>(
        _ look: @escaping @Sendable (Player) async -> (value: Value, next: Duration)
    ) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task { [player] in
                var last: Value?
                while !Task.isCancelled, await player.isAlive {
                    let (value, next) = await look(player)
                    if value != last { continuation.yield(value) }
                    last = value
                    try? await Task.sleep(for: next)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
