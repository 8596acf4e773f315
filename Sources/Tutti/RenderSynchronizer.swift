import Synchronization
public import TuttiCore
public import TuttiPlayback

/// One timeline for several renderers: where the programme stands, and at which rate it goes on.
///
/// Rate and time change in one step, at an instant of the host's clock. Without one, it is the earliest that all routes
/// can keep to: for cards 60 ms (a stop) to 100 ms (a start) from now, 500 ms for another rate, 600 ms for a card that
/// has yet to be opened. Until then what held before goes on. `currentTime` is what is heard.
public final class RenderSynchronizer: Sendable {
    struct Target {
        let courier: Courier
        let body: @Sendable (MediaTime) -> Void
    }

    struct State {
        var timeline: HostTimeline
        var observers = TimeObservers()
        var targets: [Int: Target] = [:]
        var renderers: [any TimelineRenderer] = []
        var alarm: UInt64?
    }

    /// What the synchronizer and its renderers run on.
    public let clock: PlaybackClock
    let state: Mutex<State>

    /// A synchronizer that stands still at media time 0.
    ///
    /// - Parameter clock: this host's, or an `OfflineOutput`'s.
    public init(clock: PlaybackClock = .system) {
        self.clock = clock
        var state = State(timeline: HostTimeline(now: clock.now()))
        _ = state.timeline.takeNews(at: clock.now())
        _ = state.observers.advance(state.timeline, now: clock.now())
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { state in
            clock.cancel(state.alarm)
            for renderer in state.renderers { renderer.detach() }
        }
    }

    // MARK: Time

    /// The rates at which programmes play: seconds of media a second. The pitch is kept.
    public static let rates: ClosedRange<Double> = HostTimeline.rates

    /// The rate that was asked for last: 0, or one of `rates`. Set, it holds as soon as all routes can keep to it, as
    /// `setRate` does without an instant; a value that is neither 0 nor one of `rates` changes nothing.
    public var rate: Double {
        get { state.withLock { $0.timeline.rate } }
        set { try? setRate(newValue) }
    }

    /// Where the programme stands: what is heard now.
    public var currentTime: MediaTime { state.withLock { $0.timeline.time(at: clock.now()) } }

    /// The programme's place at a host time, past or to come, by what is known now.
    public func time(atHostTime host: HostTime) -> MediaTime { state.withLock { $0.timeline.time(at: host) } }

    /// Goes on at `rate` from where the programme stands, or to `time`; both in one step.
    ///
    /// A host time that has passed is allowed: the programme then stands where it would stand had it begun then. A
    /// command replaces those that were to hold at its instant or later.
    ///
    /// A change from one rate to another flushes the renderers automatically, shortly before the instant: they drop
    /// what they hold, play on at the old rate up to it, and say from which time on to enqueue again. Pausing, and
    /// going on at any rate, flush nothing.
    ///
    /// - Parameters:
    ///   - rate: 0, or one of `rates`; at 1 the sound is left as it is.
    ///   - time: where the programme stands at the instant; nil for where it stands anyway.
    ///   - host: the instant, by `clock`; nil for the earliest that all routes can keep to.
    /// - Throws: `invalidRate`, `unsupportedRate`, `negativeTime`, `timeOutOfRange`; nothing has changed then.
    public func setRate(
        _ rate: Double, time: MediaTime? = nil, atHostTime host: HostTime? = nil
    ) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in
            let now = clock.now()
            let lead = state.renderers.map { $0.lead(forRate: rate) }.max() ?? 0
            try state.timeline.set(rate: rate, time: time, at: host ?? now.advanced(byNanoseconds: lead), now: now)
        }
        step()
    }

    // MARK: Renderers

    /// The renderers of sound that follow the timeline.
    public var renderers: [AudioRenderer] { state.withLock { $0.renderers.compactMap { $0 as? AudioRenderer } } }

    /// The renderers of pictures that follow the timeline.
    public var videoRenderers: [VideoRenderer] { state.withLock { $0.renderers.compactMap { $0 as? VideoRenderer } } }

    /// Lets a renderer follow the timeline.
    ///
    /// - Parameters:
    ///   - renderer: the renderer; it has this synchronizer's clock.
    ///   - time: the media time from which on it plays, when playback is to pass that; nil for at once.
    /// - Throws: `alreadyAttached`, `otherClock`, or `output` when its output cannot be opened.
    public func addRenderer(_ renderer: AudioRenderer, at time: MediaTime? = nil) throws(PlaybackError) {
        try add(renderer, at: time)
    }

    /// Lets a renderer of pictures follow the timeline.
    ///
    /// - Parameter renderer: the renderer; it has this synchronizer's clock.
    /// - Throws: `alreadyAttached`, `otherClock`.
    public func addRenderer(_ renderer: VideoRenderer) throws(PlaybackError) { try add(renderer, at: nil) }

    private func add(_ renderer: any TimelineRenderer, at time: MediaTime?) throws(PlaybackError) {
        guard renderer.clock === clock else { throw .otherClock }
        let timeline = state.withLock { state in
            state.timeline.advance(to: clock.now())
            return state.timeline
        }
        try renderer.attach(to: timeline, from: time)
        state.withLock { state in
            state.renderers.append(renderer)
            // A command may have come while the output was opened.
            if state.timeline != timeline {
                renderer.follow(state.timeline, news: state.timeline.lines(at: clock.now()))
            }
        }
        step()
    }

    /// Lets a renderer go, at once or when the programme passes `time`. Its output is closed then; what it holds stays.
    ///
    /// - Parameters:
    ///   - renderer: the renderer.
    ///   - time: a media time that lies ahead; nil, or one that is not reached by what is known, for at once. A change
    ///     of rate or time meanwhile does not change the instant.
    /// - Returns: whether the renderer was one of this synchronizer's.
    @discardableResult
    public func removeRenderer(_ renderer: AudioRenderer, at time: MediaTime? = nil) -> Bool {
        remove(renderer, at: time)
    }

    /// Lets a renderer of pictures go, at once or when the programme passes `time`: the picture of then stays.
    ///
    /// - Returns: whether the renderer was one of this synchronizer's.
    @discardableResult
    public func removeRenderer(_ renderer: VideoRenderer, at time: MediaTime? = nil) -> Bool {
        remove(renderer, at: time)
    }

    private func remove(_ renderer: any TimelineRenderer, at time: MediaTime?) -> Bool {
        let isMine = state.withLock { state in
            defer { state.renderers.removeAll { $0 === renderer } }
            return state.renderers.contains { $0 === renderer }
        }
        guard isMine else { return false }
        if let time, let instant = renderer.stop(at: time) {
            // The fade is over by then.
            clock.schedule(at: instant.advanced(byNanoseconds: 100_000_000)) { renderer.detach() }
        } else {
            renderer.detach()
        }
        return true
    }

    // MARK: Steps

    /// Lets hold what has come, tells renderers and observers, and sets the alarm for the next step.
    func step() {
        let due = state.withLock { state -> [(Target, MediaTime)] in
            let now = clock.now()
            state.timeline.horizon = state.renderers.map(\.handoverLead).max() ?? 0
            state.timeline.advance(to: now)
            let news = state.timeline.takeNews(at: now)
            for renderer in state.renderers { renderer.follow(state.timeline, news: news) }
            let due = state.observers.advance(state.timeline, now: now).compactMap { firing in
                state.targets[firing.id].map { ($0, firing.time) }
            }
            clock.cancel(state.alarm)
            let deadlines = [state.timeline.deadline(after: now), state.observers.deadline(state.timeline, now: now)]
            state.alarm = deadlines.compactMap(\.self).min().map { deadline in
                clock.schedule(at: deadline) { [weak self] in self?.step() }
            }
            return due
        }
        for (target, time) in due {
            target.courier.deliver { target.body(time) }
        }
    }
}
