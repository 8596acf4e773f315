import Dispatch
package import Synchronization
package import TuttiClock
package import TuttiCore
package import TuttiPlayback

/// The packets of one stream that are here, and what is to happen with them: what the network loop and the decode
/// worker share.
///
/// The mutex guards everything; it is held for look-ups and insertions only, never while decoding or sending. The
/// render thread does not know this type.
package final class StreamBuffer: Sendable {
    /// What happened to the stream, in order, for the decode worker.
    package enum Event: Sendable {
        /// The stream stands elsewhere, or runs or stops, from an instant on.
        case timebase(Timebase)
        /// Audio from this media time on is gone; all of it when nil.
        case flushed(from: MediaTime?)
        /// The end of the stream is known, or known to be elsewhere.
        case endMoved
        /// There is no stream any more.
        case cleared
        /// The device has another rate: what is decoded sits in decks that are no more.
        case decksReplaced(DeckPair)
    }

    package struct State {
        package var store: PacketStore
        package var events: [Event] = []
        /// The command that holds, or will hold from its instant on.
        package var timebase: Timebase?
        /// The command before it, which holds until then.
        package var previousTimebase: Timebase?
        /// Where the stream ends, once the sender has said so.
        package var end: MediaTime?
        /// Whether enough is decoded to start at `timebase` at once; set by the decode worker.
        package var isStaged = false
        /// Whether this stream has played.
        package var hasStarted = false
        /// The format of the packet decoded last.
        package var decodedFormat: AudioFormat?
        /// Packets of this stream that could not be decoded, or only by concealment.
        package var damagedPackets = 0

        /// Events that may wait for the decode worker. It takes all of them many times a second; a sender that says
        /// more has no ear for what each of them sounds like.
        private static let maximumEvents = 256

        /// Adds an event. Where too many wait, the worker is to begin anew with the stream as it is now.
        mutating func note(_ event: Event) {
            events.append(event)
            guard events.count > Self.maximumEvents else { return }
            let decks = events.last { if case .decksReplaced = $0 { true } else { false } }
            events = [decks, .cleared, timebase.map { .timebase($0) }].compactMap(\.self)
        }
    }

    /// The most packets held: an hour in packets of 20 ms.
    package static let maximumPackets = 180_000
    /// Audio behind the playhead that is kept for a short way back, unless it is said how much.
    package static let history = MediaTime(frame: 10, sampleRate: 1)

    package let state: Mutex<State>
    /// How playback time, which timebases are in, runs against the group clock.
    package let reference = ReferenceRoom()
    private let wakeUps = DispatchSemaphore(value: 0)
    /// What shows the stream's pictures; nil where there is no screen.
    package let pictures: (any PictureOutput)?
    /// Told of signals besides, where no thread waits for them.
    private let listener: (@Sendable () -> Void)?
    private let history: MediaTime

    package init(
        maximumBytes: Int, history: MediaTime = StreamBuffer.history, pictures: (any PictureOutput)? = nil,
        onSignal listener: (@Sendable () -> Void)? = nil
    ) {
        self.pictures = pictures
        self.listener = listener
        self.history = history
        state = Mutex(State(store: PacketStore(maximumPackets: Self.maximumPackets, maximumBytes: maximumBytes)))
    }

    /// Wakes the decode worker.
    package func signal() {
        wakeUps.signal()
        listener?()
    }

    /// Waits for a signal or until `milliseconds` have passed.
    func wait(milliseconds: Int) { _ = wakeUps.wait(timeout: .now() + .milliseconds(milliseconds)) }

    /// Takes in a packet.
    ///
    /// - Returns: whether it is held now.
    package func insert(_ packet: SampleBuffer) -> Bool {
        let (isHeld, mayBeAwaited) = state.withLock { state -> (Bool, Bool) in
            let outcome = state.store.insert(packet)
            return (outcome == .inserted || outcome == .replaced, !state.isStaged || state.store.count < 64)
        }
        // Live, each packet is due soon.
        let isLive = reference.captureLatency.load(ordering: .relaxed) > 0
        if mayBeAwaited || isLive { signal() }
        return isHeld
    }

    /// Takes a timebase command. One that holds already, said again by a sender that has come back, changes nothing.
    package func set(_ timebase: Timebase) {
        state.withLock { state in
            guard timebase != state.timebase else { return }
            state.previousTimebase = state.timebase
            state.timebase = timebase
            state.isStaged = false
            state.note(.timebase(timebase))
        }
        signal()
    }

    /// Drops the audio from `time` on, or all of it.
    ///
    /// - Returns: what is still held.
    package func flush(from time: MediaTime?) -> [TimeRange] {
        let (loaded, end) = state.withLock { state -> ([TimeRange], MediaTime?) in
            if let time { state.store.remove(from: time) } else { state.store.removeAll() }
            if let end = state.end, time.map({ end >= $0 }) ?? true { state.end = nil }
            state.isStaged = false
            state.note(.flushed(from: time))
            return (state.store.loadedTimeRanges, state.end)
        }
        signal()
        pictures?.flush(from: time)
        pictures?.setEnd(end)
        return loaded
    }

    /// Audio from `time` on is not what it was when it may have been decoded: it is decoded again.
    package func reconsider(from time: MediaTime) {
        state.withLock { state in
            state.isStaged = false
            state.note(.flushed(from: time))
        }
        signal()
    }

    /// The stream ends at `time`.
    package func setEnd(_ time: MediaTime) {
        state.withLock { state in
            state.end = time
            state.note(.endMoved)
        }
        signal()
        pictures?.setEnd(time)
    }

    /// Forgets the stream.
    package func clear() {
        state.withLock { state in
            state.store.removeAll()
            state.timebase = nil
            state.previousTimebase = nil
            state.end = nil
            state.isStaged = false
            state.hasStarted = false
            state.decodedFormat = nil
            state.damagedPackets = 0
            state.note(.cleared)
        }
        reference.clear()
        signal()
        pictures?.clear()
    }

    /// Lets the worker use other decks from now on.
    package func replaceDecks(_ decks: DeckPair) {
        state.withLock { $0.note(.decksReplaced(decks)) }
        signal()
    }

    /// Drops what lies more than `history` behind `playhead`, or behind the end of what there is where the playhead has
    /// gone beyond that: the last there was is kept, and says where the sound ended.
    package func trim(playhead: MediaTime) {
        state.withLock { state in
            let place = state.store.end.map { min(playhead, $0) } ?? playhead
            state.store.remove(before: place - history)
        }
    }
}

extension StreamBuffer {
    /// The line from this host's clock to playback time; nil while no clock is known.
    package func estimate(_ clock: ClockEstimateSlot) -> ClockEstimate? {
        clock.read()?.following(reference.line.read())
    }

    /// What a plan is to know at `now`, which is at `position` and has these decks.
    package func moment(
        at now: HostTime, clock: ClockEstimateSlot, _ counters: RenderCounters, position: MediaTime?,
        decks: PlaybackPlan.Decks?
    ) -> PlaybackPlan.Moment {
        let (timebase, previous) = state.withLock { ($0.timebase, $0.previousTimebase) }
        return PlaybackPlan.Moment(
            now: estimate(clock)?.groupTime(at: now), isClockSteady: counters.isClockSteady(clock.read(), now: now),
            isDeviceSettled: counters.isDeviceSettled.load(ordering: .relaxed), changeLead: counters.changeLead,
            timebase: timebase, previousTimebase: previous, position: position, decks: decks)
    }

    /// Trims behind the playhead at `now`, while the stream runs.
    package func trimBehindPlayhead(at now: GroupTime) {
        guard let line = state.withLock({ $0.timebase(at: now) }), line.rate > 0,
            let playhead = line.mediaTime(at: now)
        else { return }
        trim(playhead: playhead)
    }
}

extension StreamBuffer {
    /// Tells whoever shows the stream's pictures where it stands by now.
    ///
    /// - Parameter delay: nanoseconds that pictures are to be said earlier.
    package func leadPictures(_ clock: ClockEstimateSlot, delay: Int64) {
        guard let pictures, let estimate = estimate(clock) else { return }
        let (timebase, previous) = state.withLock { ($0.timebase, $0.previousTimebase) }
        pictures.follow(
            [previous, timebase].compactMap { timebase in
                guard let timebase, let host = estimate.hostTime(of: timebase.groupTime) else { return nil }
                return PictureLine(
                    rate: timebase.rate, media: timebase.mediaTime, instant: host.advanced(byNanoseconds: -delay))
            })
    }

    /// Notes what waits for a start: whether it can start at once, and what it was decoded from.
    package func note(_ preroll: Preroll, format: AudioFormat?) {
        state.withLock { state in
            // Only what is decoded for the command that holds now counts.
            let isWanted = state.timebase.map { $0.mediaTime <= preroll.start } ?? false
            state.isStaged = preroll.isReady && state.events.isEmpty && isWanted
            if let format { state.decodedFormat = format }
        }
        if let format { reference.noteSource(format) }
    }
}

extension StreamBuffer.State {
    /// What there is at a place.
    package enum Look {
        case packet(SampleBuffer)
        /// Nothing, but something from this time on.
        case gap(until: MediaTime)
        /// Nothing there or behind it: it may still come.
        case starved
        /// The stream ends there.
        case ended
    }

    /// What there is at `place`.
    package func look(at place: MediaTime) -> Look {
        if let end, place >= end { return .ended }
        if let packet = store.packet(covering: place) { return .packet(packet) }
        return store.start(after: place).map { .gap(until: $0) } ?? .starved
    }

    /// Whether all audio between two places is held, or up to the end of the stream if that comes first.
    package mutating func holds(from start: MediaTime, until end: MediaTime) -> Bool {
        guard store.packet(covering: start) != nil,
            let range = store.loadedTimeRanges.first(where: { $0.contains(start) })
        else { return false }
        return range.end >= min(end, self.end ?? end)
    }

    /// The command that holds at `time`: the one before the last while the last lies ahead.
    package func timebase(at time: GroupTime) -> Timebase? {
        guard let timebase, timebase.groupTime.timescale == time.timescale,
            timebase.groupTime.nanoseconds > time.nanoseconds, let previousTimebase,
            previousTimebase.groupTime.timescale == time.timescale
        else { return timebase }
        return previousTimebase
    }
}
