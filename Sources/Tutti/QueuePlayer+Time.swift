public import TuttiCore
public import TuttiPlayback
import TuttiRooms
import TuttiSchema
import TuttiSender

/// Where it stands, and what is loaded.
extension QueuePlayer {
    /// How often changes are looked for.
    private static let interval = Duration.milliseconds(100)

    /// The place in the current item that is heard.
    public var currentTime: MediaTime { get async { await player.currentTime() } }

    /// Goes to a place in the current item, to the frame; behind its end the next one begins. Where all outputs have
    /// loaded the place, nothing is sent again. Before `play()` it says where to begin.
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

    /// `currentTime` now, at every multiple of `interval` that is passed, and within a tenth of a second after jumps;
    /// for one listener.
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
        return Self.stream { continuation in
            for await passed in times { continuation.yield(passed.time) }
        }
    }

    /// Each of `times` in the current item as it is passed, within a tenth of a second; for one listener. What a seek
    /// leaves out is not told, and each item begins anew.
    public func boundaryTimes(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
        let boundaries = times.sorted()
        return Self.stream { [player] continuation in
            var last: (id: UInt64?, time: MediaTime, at: ContinuousClock.Instant)?
            while !Task.isCancelled, await player.isAlive {
                let (id, time, rate) = await player.standing()
                let now = ContinuousClock.now
                let start = last.flatMap {
                    Self.start($0, id, time, seconds: (now - $0.at) / .seconds(1) * max(rate, 1))
                }
                for boundary in boundaries
                where boundary <= time && (start.map { boundary > $0 } ?? (boundary == time)) {
                    continuation.yield(boundary)
                }
                last = (id, time, now)
                let next = boundaries.first { $0 > time }.map {
                    Duration.seconds(($0 - time).seconds / max(rate, 0.5))
                }
                try? await Task.sleep(for: min(max(next ?? Self.interval, .milliseconds(1)), Self.interval))
            }
        }
    }

    /// From where on, exclusively, it has played up to `time` since the last look; nil when it came there by a jump.
    private static func start(
        _ last: (id: UInt64?, time: MediaTime, at: ContinuousClock.Instant), _ id: UInt64?, _ time: MediaTime,
        seconds: Double
    ) -> MediaTime? {
        // Looks are late at times.
        let reach = seconds + 0.25
        if last.id == id, time >= last.time { return (time - last.time).seconds <= reach ? last.time : nil }
        return time.seconds <= reach ? MediaTime(frame: -1, sampleRate: 1) : nil
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
        Self.stream { [player] continuation in
            var last: Value?
            while !Task.isCancelled, await player.isAlive {
                let (value, next) = await look(player)
                if value != last { continuation.yield(value) }
                last = value
                try? await Task.sleep(for: next)
            }
        }
    }

    /// What `tell` yields, until it returns or nobody listens.
    private static func stream<Value: Sendable>(
        _ tell: @escaping @Sendable (AsyncStream<Value>.Continuation) async -> Void
    ) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task {
                await tell(continuation)
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
