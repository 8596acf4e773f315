import Synchronization
public import TuttiCore
public import TuttiPlayback

/// Takes sample buffers for media times and plays them on a route, on the line of the synchronizer that it is added to.
///
/// Buffers may be of any format that there is a decoder for, and of another one than the buffer before; one to two
/// seconds of audio each, interleaved, in the source's own format is what suits best. They may come in any order; one
/// that overlaps what is held takes its place, unless that is about to be heard. Times before zero and formats without
/// a decoder are refused; a buffer whose data are damaged is silent (Opus: concealed), and no other.
///
/// While data are missing there is silence, and the programme goes on in time; when they come, sound goes on where the
/// programme stands by then. All calls may come from any thread.
public final class AudioRenderer: Sendable {
    struct State {
        var core: RendererCore
        var timeline = HostTimeline(now: HostTime(nanoseconds: 0))
        var route: PlaybackRoute
        var port: ProcessingPort?
        /// The rate of the last line that the port was told of.
        var rate = 0.0
        /// Ports that play on until another one takes over.
        var retiring: [RetiringPort] = []
        /// Counts ports, so that events of an old one are known.
        var portNumber = 0
        /// The port that has said that its device is gone.
        var lostPort = 0
        var isAttached = false
        var isSuspended = false
        var volume: Float = 1
        var isMuted = false
        var status = AudioRendererStatus.unknown
        var error: PlaybackError?
        var requests = MediaRequests()
        var alarm: UInt64?
        var buffering = BufferingState()
        var decodable = DecodableFormats<AudioFormat>()
    }

    /// A port that is to be closed after `instant`, from which on another one plays.
    struct RetiringPort {
        let port: any RoutePort
        let instant: HostTime
    }

    let state: Mutex<State>
    let clock: PlaybackClock
    let broadcaster = Broadcaster<AudioRendererEvent>()
    let bufferingBroadcaster = Broadcaster<BufferingState>()

    /// A renderer for `route`, whose output is opened when a synchronizer takes the renderer.
    public init(route: PlaybackRoute = .local()) {
        clock = route.clock
        state = Mutex(State(core: RendererCore(traits: route.traits), route: route))
    }

    deinit {
        state.withLock { state in
            clock.cancel(state.alarm)
            for retiring in state.retiring { retiring.port.close() }
            state.port?.close()
        }
    }

    // MARK: Standing

    /// What happens from now on, for one listener.
    public var events: AsyncStream<AudioRendererEvent> { broadcaster.subscribe() }

    /// How the renderer is.
    public var status: AudioRendererStatus { state.withLock { $0.status } }

    /// Why the status is `failed`; nil otherwise.
    public var error: PlaybackError? { state.withLock { $0.error } }

    /// The spans of the programme that are held and have yet to be heard (and a fifth of a second before them).
    public var loadedTimeRanges: [TimeRange] { state.withLock { $0.core.loadedTimeRanges } }

    /// Whether there is enough to play on where the programme stands.
    public var bufferingState: BufferingState {
        state.withLock { $0.core.bufferingState(timeline: $0.timeline, now: clock.now()) }
    }

    /// `bufferingState` whenever it is another one than before, for one listener.
    public var bufferingStates: AsyncStream<BufferingState> { bufferingBroadcaster.subscribe() }

    // MARK: Level

    /// The level as a linear factor, 0 … 1; values outside count as the nearest of these, and those that are no number
    /// change nothing. Reached within 20 ms.
    public var volume: Float {
        get { state.withLock { $0.volume } }
        set {
            guard !newValue.isNaN else { return }
            state.withLock { state in
                state.volume = min(max(newValue, 0), 1)
                state.applyGain()
            }
        }
    }

    /// Whether nothing is heard, whatever the volume. Reached within 20 ms.
    public var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set {
            state.withLock { state in
                state.isMuted = newValue
                state.applyGain()
            }
        }
    }

    // MARK: Data

    /// Takes a buffer. It need not be asked for, but what is not asked for may exceed what can be held.
    ///
    /// - Throws: `unsupportedFormat`, `negativeTime`, `timeOutOfRange`, `bufferFull`; the buffer is then not held.
    public func enqueue(_ buffer: SampleBuffer) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in
            try state.decodable.check(buffer.format, Decoding.refusal)
            let now = clock.now()
            let effects = try state.core.enqueue(buffer, timeline: state.timeline, now: now)
            state.perform(effects)
            if state.status == .unknown { state.status = .rendering }
        }
        update()
    }

    /// Says that nothing follows what is held: it is played to its end, and no stall is counted there. Requests do this
    /// when they are answered with nil; enqueuing more makes it untrue again.
    public func finishMediaData() {
        state.withLock { state in
            let effects = state.core.finish()
            state.perform(effects)
        }
        update()
    }

    /// Drops all that is held, and what is about to be heard, within 8 ms.
    public func flush() {
        state.withLock { state in
            let effects = state.core.flush()
            state.perform(effects)
        }
        update()
    }

    /// Drops what is held from a media time on; what lies before it plays on undisturbed.
    ///
    /// Stop requesting first, and go on requesting, from that time, when this has returned.
    ///
    /// - Returns: false when the time is too close to the playhead, or after it, for the route to take its audio back,
    ///   or when one of its rooms cannot. Then nothing is dropped, in no room. `flush()` drops everything, and
    ///   interrupts.
    public func flush(fromSourceTime time: MediaTime) async -> Bool {
        let outcome: FlushOutcome = await withCheckedContinuation { continuation in
            state.withLock { state in
                let (buffers, end) = (state.core.buffers(from: time), state.core.end)
                let effects = state.core.flush(from: time, timeline: state.timeline, now: clock.now())
                guard effects != nil else { return continuation.resume(returning: .refused) }
                guard let port = state.port else { return continuation.resume(returning: .done) }
                port.flush(from: time) { isDone in
                    continuation.resume(returning: isDone ? .done : .undone(buffers, end: end))
                }
            }
        }
        state.withLock { state in
            switch outcome {
            case .refused: break
            case .done: for retiring in state.retiring { retiring.port.flush(from: time) { _ in } }
            case .undone(let buffers, let end): state.core.restore(buffers, end: end, from: time)
            }
        }
        update()
        if case .done = outcome { return true }
        return false
    }

    /// What became of a flush from a time on.
    private enum FlushOutcome {
        /// It was too late for it.
        case refused
        case done
        /// The route could not keep to it: these buffers are held still, and the data end where they did.
        case undone([SampleBuffer], end: MediaTime?)
    }
}

extension AudioRenderer.State {
    /// Tells the route what the core decided.
    func perform(_ effects: [RendererCore.Effect]) {
        for effect in effects {
            switch effect {
            case .insert(let buffer): port?.insert(buffer)
            case .reconsider(let time): port?.reconsider(from: time)
            case .flush(let time):
                for retiring in retiring { retiring.port.flush(from: time) { _ in } }
                port?.flush(from: time) { _ in }
            case .setEnd(let time): port?.setEnd(time)
            }
        }
    }

    func applyGain(rampMilliseconds: Int = 20) {
        port?.setGain(isMuted ? 0 : volume, rampMilliseconds: rampMilliseconds)
    }
}
