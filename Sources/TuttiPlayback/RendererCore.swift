package import TuttiCore

/// A renderer's decisions: what it holds, whether it wants more, what a flush does.
///
/// Sans-I/O: the effects say what the route is to be told, in order. The core holds what was enqueued and has not been
/// heard, so that another route can take it over.
package struct RendererCore: Sendable {
    /// What the route is to be told.
    package enum Effect: Sendable, Equatable {
        /// Take this buffer.
        case insert(SampleBuffer)
        /// What was inserted at or behind this time may have been decoded without regard to the last insertion.
        case reconsider(from: MediaTime)
        /// Drop the audio from this time on; all of it when nil.
        case flush(from: MediaTime?)
        /// Nothing follows behind this time.
        case setEnd(MediaTime)
    }

    /// The most bytes held.
    package static let maximumBytes = 256 << 20
    /// The most buffers held.
    package static let maximumPackets = 180_000
    /// What is kept behind the playhead, in seconds: enough for a decoder's memory.
    private static let history = MediaTime(frame: 1, sampleRate: 5)

    /// How much is wanted, and when it is too late to take something back.
    package private(set) var traits: RouteTraits
    /// Where the data end, once that is known.
    package private(set) var end: MediaTime?
    private var store: PacketStore
    /// Whether more is asked for: until the depth is reached, then not before it has fallen to `resumeDepth`.
    private var isFilling = true

    /// A core that holds nothing.
    package init(traits: RouteTraits, maximumBytes: Int = Self.maximumBytes) {
        self.traits = traits
        store = PacketStore(maximumPackets: Self.maximumPackets, maximumBytes: maximumBytes)
    }

    // MARK: Holding

    /// The spans that are held.
    package var loadedTimeRanges: [TimeRange] {
        mutating get { store.loadedTimeRanges }
    }

    /// Takes a buffer in. One that overlaps what is held takes its place; buffers may come in any order.
    ///
    /// - Throws: `negativeTime`, `timeOutOfRange`, `bufferFull`; nothing has changed then.
    package mutating func enqueue(
        _ buffer: SampleBuffer, timeline: HostTimeline, now: HostTime
    ) throws(PlaybackError) -> [Effect] {
        guard buffer.presentationTime >= .zero else { throw .negativeTime(buffer.presentationTime) }
        // Behind this, times are no more than clamped.
        guard buffer.timeRange.end.seconds < Double(MediaTime.maximumSeconds - 1) else { throw .timeOutOfRange }
        trim(timeline, now)
        switch store.insert(buffer) {
        case .full: throw .bufferFull
        case .ignored: return []
        case .inserted, .replaced: break
        }
        if let end, buffer.timeRange.end > end { self.end = nil }
        var effects = [Effect.insert(buffer)]
        // The route may have gone past a hole that this fills.
        if isFlushable(from: buffer.presentationTime, timeline: timeline, now: now) {
            effects.append(.reconsider(from: buffer.presentationTime))
        }
        return effects
    }

    /// The buffers that play at `time` or later, for another route.
    package func buffers(from time: MediaTime) -> [SampleBuffer] { store.packets(from: time) }

    /// Nothing follows behind what is held; more data make it untrue again.
    package mutating func finish() -> [Effect] {
        let last = store.last?.timeRange.end ?? .zero
        end = last
        return [.setEnd(last)]
    }

    private mutating func trim(_ timeline: HostTimeline, _ now: HostTime) {
        let position = timeline.loadingPosition(at: now)
        guard position.rate > 0 else { return }
        store.remove(before: min(position.time, timeline.time(at: now)) - Self.history)
    }

    // MARK: Asking

    /// Whether more should be enqueued now.
    package mutating func isReady(timeline: HostTimeline, now: HostTime) -> Bool {
        guard store.byteCount < store.maximumBytes / 4 * 3, store.count < store.maximumPackets / 4 * 3 else {
            return false
        }
        let ahead = secondsAhead(timeline: timeline, now: now)
        isFilling = isFilling ? ahead < traits.depth : ahead <= traits.resumeDepth
        return isFilling
    }

    /// When `isReady` should be asked again, unless something happens before; nil while nothing is played.
    package mutating func deadline(timeline: HostTimeline, now: HostTime) -> HostTime? {
        let position = timeline.loadingPosition(at: now)
        guard position.rate > 0 else { return nil }
        let seconds = secondsAhead(timeline: timeline, now: now) - traits.resumeDepth
        let wait = Int64((min(max(seconds, 0.005), 3_600) * 1e9).rounded(.up))
        let start = timeline.line(at: now).rate > 0 ? now : timeline.firstInstant(from: position.time, now: now) ?? now
        return start.advanced(byNanoseconds: wait)
    }

    /// Seconds that the audio buffered and still to play lasts at the timeline's rate; while that stands still, all
    /// that is held, at rate 1.
    package mutating func secondsAhead(timeline: HostTimeline, now: HostTime) -> Double {
        trim(timeline, now)
        let position = timeline.loadingPosition(at: now)
        guard position.rate > 0 else { return store.bufferedSeconds }
        let seconds = store.loadedTimeRanges.reduce(0) { sum, range in
            range.end <= position.time ? sum : sum + (range.end - max(range.start, position.time)).seconds
        }
        return seconds / position.rate
    }

    /// Whether there is enough to play on.
    package mutating func bufferingState(timeline: HostTimeline, now: HostTime) -> BufferingState {
        let position = timeline.loadingPosition(at: now)
        return BufferingState(
            loaded: store.loadedTimeRanges, playhead: position.time, end: end, depth: traits.depth, rate: position.rate)
    }

    /// When `bufferingState` is another one, unless something happens before; nil while nothing is played.
    package mutating func bufferingDeadline(timeline: HostTimeline, now: HostTime) -> HostTime? {
        guard timeline.line(at: now).rate > 0 else { return nil }
        let position = timeline.loadingPosition(at: now)
        let seconds = BufferingState.secondsUntilChange(
            loaded: store.loadedTimeRanges, playhead: position.time, depth: traits.depth, rate: position.rate)
        return seconds.map { now.advanced(byNanoseconds: Int64(($0 * 1e9).rounded(.up)) + 1) }
    }

    /// Another route wants another amount.
    package mutating func setTraits(_ newTraits: RouteTraits) {
        traits = newTraits
        isFilling = true
    }

    // MARK: Flushing

    /// Drops everything.
    package mutating func flush() -> [Effect] {
        store.removeAll()
        end = nil
        isFilling = true
        return [.flush(from: nil)]
    }

    /// Whether audio from `time` on can be taken back: nothing of it plays, or is about to, within the margin.
    package func isFlushable(from time: MediaTime, timeline: HostTimeline, now: HostTime) -> Bool {
        guard let first = timeline.firstInstant(from: time, now: now) else { return true }
        return first.nanoseconds(since: now) >= max(traits.flushMargin, 1)
    }

    /// Drops the audio from `time` on; nil when it is too late for that, and nothing has changed.
    package mutating func flush(from time: MediaTime, timeline: HostTimeline, now: HostTime) -> [Effect]? {
        guard isFlushable(from: time, timeline: timeline, now: now) else { return nil }
        store.remove(from: time)
        if let end, end > time { self.end = nil }
        isFilling = true
        return [.flush(from: time)]
    }

    /// Takes a flush back that the route could not keep to.
    ///
    /// - Parameters:
    ///   - buffers: what was held at `time` or later.
    ///   - knownEnd: where the data ended.
    package mutating func restore(_ buffers: [SampleBuffer], end knownEnd: MediaTime?, from time: MediaTime) {
        store.restore(buffers, from: time)
        end = end ?? knownEnd
    }
}
