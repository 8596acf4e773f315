import Synchronization
import TuttiCodecs
public import TuttiCore
import TuttiDecoding
public import TuttiPlayback

/// Takes coded or decoded pictures for media times, and says which one is to be seen when, on the line of the
/// synchronizer that it is added to: pictures in step with the sound of `AudioRenderer`s there, in whatever rooms.
///
/// Pictures are enqueued in decoding order, and begin with a sync picture, at first and after a flush. They are decoded
/// a little ahead and handed to `sink` and to `presentations` about `presentationLead` before their instants. A picture
/// that comes too late is left out, and counted. After a jump the picture of that place is shown, also in a pause; a
/// place that is not held needs a flush, and pictures from the sync picture before it on. All calls may come from any
/// thread.
public final class VideoRenderer: Sendable {
    struct State {
        var plan: VideoPlan
        var sink: (any VideoSink)?
        var isAttached = false
        var isWorking = false
        var alarm: UInt64?
        /// From when on nothing more is shown.
        var stop: HostTime?
        var damagedFrames = 0
        var status = AudioRendererStatus.unknown
        var error: PlaybackError?
        var requests = MediaRequests()
        var decodable = DecodableFormats<VideoFormat>()
    }

    private struct Work: ~Copyable {
        var decoder: (any VideoDecoder)?
        var format: VideoFormat?
    }

    /// How long before its instant a picture is handed out, in ns.
    private static let lead: Int64 = 60_000_000

    /// What the renderer runs on.
    public let clock: PlaybackClock
    let state: Mutex<State>
    private let work = Mutex(Work())
    private let worker: Courier
    private let courier: Courier
    private let broadcaster = Broadcaster<VideoPresentation>()

    /// A renderer that holds nothing.
    ///
    /// - Parameters:
    ///   - clock: that of the synchronizer: this host's, or an `OfflineOutput`'s.
    ///   - sink: what shows the pictures.
    public convenience init(clock: PlaybackClock = .system, sink: (any VideoSink)? = nil) {
        self.init(clock: clock, sink: sink, maximumPictures: VideoPlan.maximumPictures)
    }

    /// - Parameter maximumPictures: coded pictures that are held at most.
    init(clock: PlaybackClock, sink: (any VideoSink)?, maximumPictures: Int) {
        self.clock = clock
        let plan = VideoPlan(timeline: HostTimeline(now: clock.now()), maximumPictures: maximumPictures)
        state = Mutex(State(plan: plan, sink: sink))
        worker = Courier(workOn: clock, label: "tutti.video")
        courier = Courier(workOn: clock, label: "tutti.video.show")
    }

    deinit { state.withLock { clock.cancel($0.alarm) } }

    // MARK: Standing

    /// How long before its instant a picture is handed out, where it is decoded by then.
    public static var presentationLead: Duration { .nanoseconds(lead) }

    /// What is to be seen from now on, for one listener.
    public var presentations: AsyncStream<VideoPresentation> { broadcaster.subscribe() }

    /// What shows the pictures. Another one begins with the next picture.
    public var sink: (any VideoSink)? {
        get { state.withLock { $0.sink } }
        set { state.withLock { $0.sink = newValue } }
    }

    /// How the renderer is: `failed` after a picture that could not be decoded, until one can.
    public var status: AudioRendererStatus { state.withLock { $0.status } }

    /// Why the status is `failed`; nil otherwise.
    public var error: PlaybackError? { state.withLock { $0.error } }

    /// How well it has done since it was made.
    public var performance: VideoPerformance {
        state.withLock { state in
            VideoPerformance(
                shownFrames: state.plan.shownCount, droppedFrames: state.plan.droppedCount,
                damagedFrames: state.damagedFrames)
        }
    }

    /// Bytes of coded pictures that are held, and at most.
    package var load: (bytes: Int, maximum: Int) {
        (state.withLock { $0.plan.store.byteCount }, VideoPlan.maximumBytes)
    }

    // MARK: Pictures

    /// Takes the next coded picture in decoding order.
    ///
    /// - Throws: `unsupportedFormat`, `negativeTime`, `bufferFull`; the picture is then not held.
    public func enqueue(_ buffer: VideoSampleBuffer) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in
            try state.decodable.check(buffer.format, Decoding.refusal)
            try state.plan.append(.coded(buffer))
        }
        step()
    }

    /// Takes the next picture, decoded, in the order of times.
    ///
    /// - Throws: `negativeTime`, `bufferFull`; the picture is then not held.
    public func enqueue(_ frame: VideoFrame) throws(PlaybackError) {
        try state.withLock { state throws(PlaybackError) in try state.plan.append(.decoded(frame)) }
        step()
    }

    /// Says that nothing follows what is held: the last picture is shown to the end.
    public func finishMediaData() {
        state.withLock { $0.plan.finish() }
        step()
    }

    /// Drops all pictures that have not been handed out; the one that is seen stays.
    public func flush() {
        state.withLock { $0.plan.flush() }
        step()
    }

    /// Drops the pictures from a media time on that have not been seen, and those that are decoded after the first of
    /// these; what is before it is shown on. The next picture to be enqueued must be a sync picture, and may be of an
    /// earlier time: what is shown of the pictures then held from its own time on is up to it.
    public func flush(fromSourceTime time: MediaTime) {
        let now = clock.now()
        state.withLock { state in
            if let instant = state.plan.flush(from: time, now: now) { send(.takeBack(fromHostTime: instant), state) }
        }
        step()
    }

    /// Drops all pictures, also the one that is seen.
    public func flushAndRemoveImage() {
        let now = clock.now()
        state.withLock { state in
            state.plan.removeAll(now: now)
            send(.takeBack(fromHostTime: now), state)
            send(.removeImage, state)
        }
        step()
    }

    // MARK: Work

    /// Says something to sink and listeners, in the order of the calls. Under the state's lock.
    private func send(_ presentation: VideoPresentation, _ state: State) {
        courier.deliver { [broadcaster, sink = state.sink] in
            sink?.present(presentation)
            broadcaster.send(presentation)
        }
    }

    /// Has everything done that there is to do: after whatever may change that.
    func step() {
        let begins = state.withLock { state in
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if begins { worker.deliver { [weak self] in self?.workOff() } }
    }

    private func workOff() {
        decodeAhead()
        update()
    }

    /// Decodes and hands out what is to be seen next, as far as it is there.
    func decodeAhead() {
        work.withLock { work in
            while true {
                let now = clock.now()
                let step = state.withLock { state -> VideoPlan.Step? in
                    show(&state, now)
                    let step = state.plan.nextStep(now: now)
                    if step == nil { rest(&state, now) }
                    return step
                }
                guard let step else { break }
                perform(step, &work)
            }
        }
    }

    private func show(_ state: inout State, _ now: HostTime) {
        guard state.isAttached else { return }
        for showing in state.plan.takeDue(now: now, lead: Self.lead) {
            if let stop = state.stop, showing.instant >= stop { continue }
            send(.show(showing.frame, atHostTime: showing.instant), state)
        }
    }

    /// There is nothing to do until a later time.
    private func rest(_ state: inout State, _ now: HostTime) {
        state.isWorking = false
        clock.cancel(state.alarm)
        state.alarm =
            state.isAttached
            ? state.plan.deadline(now: now, lead: Self.lead).map { deadline in
                clock.schedule(at: deadline) { [weak self] in self?.step() }
            } : nil
    }

    private func perform(_ step: VideoPlan.Step, _ work: inout Work) {
        switch step {
        case .decode(let picture, let run, let isFirst, let isSeen):
            if isFirst { work.decoder?.reset() }
            let outcome = decode(picture, isSeen: isSeen, &work)
            let now = clock.now()
            state.withLock { state in
                switch outcome {
                case .success(let frames):
                    if state.status != .rendering { (state.status, state.error) = (.rendering, nil) }
                    state.plan.decoded(frames, run: run, now: now)
                case .failure(let error):
                    state.damagedFrames += 1
                    (state.status, state.error) = (.failed, .media(error.description))
                }
            }
        case .finish(let run):
            let frames = work.decoder?.finish() ?? []
            state.withLock { $0.plan.decoded(frames, run: run, isLast: true, now: clock.now()) }
        }
    }

    private func decode(
        _ picture: VideoStore.Picture, isSeen: Bool, _ work: inout Work
    ) -> Result<[VideoFrame], CodecError> {
        guard case .coded(let buffer) = picture else {
            if case .decoded(let frame) = picture { return .success([frame]) }
            return .success([])
        }
        do throws(CodecError) {
            var frames: [VideoFrame] = []
            if work.format != buffer.format {
                // What the one before holds back comes first.
                frames = work.decoder?.finish() ?? []
                (work.decoder, work.format) = (nil, nil)
                work.decoder = try Decoders.makeVideo(for: buffer.format)
                work.format = buffer.format
            }
            work.decoder?.skipsUnreferenced = !isSeen
            return .success(frames + (try work.decoder?.decode(buffer) ?? []))
        } catch {
            return .failure(error)
        }
    }
}

extension VideoRenderer: TimelineRenderer {
    /// Ahead of a jump the pictures behind it are decoded.
    private static let preparation: Int64 = 250_000_000

    var handoverLead: Int64 { Self.preparation }

    /// Sound decides: pictures are there when they are decoded.
    func lead(forRate rate: Double) -> Int64 { 0 }

    func attach(to timeline: HostTimeline, from start: MediaTime?) throws(PlaybackError) {
        let isTaken = state.withLock { state in
            defer { (state.isAttached, state.stop) = (true, nil) }
            return state.isAttached
        }
        if isTaken { throw .alreadyAttached }
        follow(timeline, news: [])
    }

    func detach() {
        let now = clock.now()
        state.withLock { state in
            state.isAttached = false
            clock.cancel(state.alarm)
            send(.takeBack(fromHostTime: now), state)
        }
    }

    func follow(_ timeline: HostTimeline, news: [Timebase]) {
        let now = clock.now()
        state.withLock { state in
            if let instant = state.plan.follow(timeline, now: now) { send(.takeBack(fromHostTime: instant), state) }
        }
        step()
    }

    func stop(at time: MediaTime) -> HostTime? {
        let now = clock.now()
        return state.withLock { state in
            state.stop = state.plan.timeline.instant(of: time, now: now)
            if let stop = state.stop { send(.takeBack(fromHostTime: stop), state) }
            return state.stop
        }
    }
}
