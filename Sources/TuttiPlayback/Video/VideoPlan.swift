package import TuttiCore

/// What a video renderer holds, what of it is decoded next, and which picture is shown when. Sans-I/O.
///
/// Pictures are decoded a little ahead of the playhead, beginning at a sync picture. A timeline that jumps begins a
/// second run of pictures, while what is left of the first is shown until the instant of the jump. Pictures are handed
/// out a little before their instants; those that have passed by then are left out and counted.
package struct VideoPlan: Sendable {
    /// What is to be done next with the decoder.
    package enum Step: Sendable {
        /// Decode a picture; `isFirst` where the decoder is to forget all before. One that is not `isSeen` is over before
        /// anything is shown: it is of use to others that refer to it alone. `decoded` takes what comes.
        case decode(VideoStore.Picture, run: Int, isFirst: Bool, isSeen: Bool)
        /// Nothing follows: take what the decoder holds back.
        case finish(run: Int)
    }

    /// A picture, and from when on it is shown.
    package struct Showing: Sendable {
        package let frame: VideoFrame
        package let instant: HostTime
    }

    /// Coded pictures that are held at most, unless it is said how many, and their bytes.
    package static let (maximumPictures, maximumBytes) = (16_384, 256 << 20)
    /// How much is wanted ahead of the playhead.
    package static let depth = MediaTime(frame: 2, sampleRate: 1)
    /// Decoded pictures that wait to be shown: at most, of large ones by their bytes, and at least.
    private static let framesAhead = (most: 6, bytes: 128 << 20, least: 2)
    /// For how long it is remembered what was handed out, in ns: more than any lead.
    private static let memory: Int64 = 2_000_000_000

    private let maximumPictures: Int
    package private(set) var store = VideoStore()
    /// The synchronizer's.
    package internal(set) var timeline: HostTimeline
    /// The pictures that are being decoded.
    var run = FrameRun()
    /// Those of before a jump, which are shown until `takeover`.
    var formerRun = FrameRun()
    /// When `run` takes over from `formerRun`.
    var takeover = HostTime(nanoseconds: .min)
    /// Where a jump to come leads that the run holds.
    var kept: MediaTime?
    /// A jump to come that nothing has been decoded for.
    var jump: (instant: HostTime, time: MediaTime)?
    /// Counts runs; what was decoded for an earlier one is not wanted.
    private var runNumber = 0
    /// The picture that is decoded next, where decoding has begun.
    var cursor: Int?
    /// The time of the picture that the run began with, and its number.
    var (runBegin, runFirst): (MediaTime?, Int?)
    /// Pictures of the run that have been shown, dropped, or were not to be shown.
    var settled = 0
    private var isDraining = false
    /// From when on pictures are not wanted that the decoder still holds; nil where all are.
    private var unwanted: MediaTime?
    /// Whether pictures of the run are shown that are late: it has been shown, or it is where a slow decoder goes on.
    var showsLate = false
    /// Whether nothing follows what is held.
    private var isFinished = false
    /// Until when it is settled what is shown.
    var decided = HostTime(nanoseconds: .min)
    /// What was handed out in the last seconds and not taken back, the newest last.
    package internal(set) var shown: [Showing] = []
    /// Pictures handed out.
    package internal(set) var shownCount = 0
    /// Pictures that were to be shown and came too late.
    package internal(set) var droppedCount = 0

    /// A plan that holds nothing.
    package init(timeline: HostTimeline, maximumPictures: Int = Self.maximumPictures) {
        (self.timeline, self.maximumPictures) = (timeline, maximumPictures)
    }

    // MARK: Pictures

    /// Takes the next picture in decoding order.
    ///
    /// - Throws: `negativeTime`, `bufferFull`.
    package mutating func append(_ picture: VideoStore.Picture) throws(PlaybackError) {
        guard picture.presentationTime >= .zero else { throw .negativeTime(picture.presentationTime) }
        guard store.numbers.count < maximumPictures, store.byteCount + picture.byteCount <= Self.maximumBytes
        else {
            throw .bufferFull
        }
        store.append(picture)
        isFinished = false
        run.isComplete = false
        isDraining = false
    }

    /// Nothing follows what is held.
    package mutating func finish() { isFinished = true }

    /// Drops all pictures that have not been handed out. The next one must be a sync picture.
    package mutating func flush() {
        store.removeAll()
        formerRun = FrameRun()
        beginRun(at: nil)
        isFinished = false
        // What was settled was so of other pictures.
        decided = HostTime(nanoseconds: .min)
    }

    /// Drops all pictures, also those that have been handed out for later.
    package mutating func removeAll(now: HostTime) {
        flush()
        let count = shown.count
        shown.removeAll { $0.instant >= now }
        shownCount -= count - shown.count
    }

    /// Drops the pictures from a media time on, and those that are decoded after the first of these. The next one must
    /// be a sync picture, and may be of an earlier time.
    ///
    /// - Returns: from when on what was handed out is not shown, if that has changed.
    package mutating func flush(from time: MediaTime, now: HostTime) -> HostTime? {
        guard let end = store.cut(from: time) else { return nil }
        (isFinished, isDraining) = (false, false)
        formerRun.remove(from: time)
        run.remove(from: time)
        if let cursor, cursor > end {
            // The decoder has seen what is no more: it gives what it holds of before, and begins anew with what comes.
            unwanted = min(unwanted ?? time, time)
            self.cursor = end
            (runBegin, runFirst, settled) = (run.frames.first?.presentationTime, end, 0)
        }
        lookAhead(timeline.lines(at: now))
        let first = shown.first { $0.instant > now && $0.frame.presentationTime >= time }
        return first.flatMap { takeBack(from: $0.instant) }
    }

    /// Whether more is wanted ahead of the playhead.
    package func isReady(now: HostTime) -> Bool {
        guard store.numbers.count < maximumPictures * 3 / 4, store.byteCount < Self.maximumBytes * 3 / 4 else {
            return false
        }
        guard let latest = store.latestTime else { return true }
        return latest < timeline.loadingPosition(at: now).time + Self.depth || isStarved(now)
    }

    /// Whether the decoder has had all that is held, and gave too little: some need many pictures to give the first one.
    private func isStarved(_ now: HostTime) -> Bool {
        guard !isFinished, let cursor, cursor >= store.numbers.upperBound else { return false }
        return run.frames(after: wanted(now)).count < Self.framesAhead.least
    }

    /// Whether it is known what is shown until `instant`.
    package func isDecided(until instant: HostTime) -> Bool { decided >= instant }

    // MARK: The timeline

    /// Follows the synchronizer's timeline.
    ///
    /// - Returns: from when on what was handed out is not shown, if that has changed.
    package mutating func follow(_ newTimeline: HostTimeline, now: HostTime) -> HostTime? {
        let before = timeline.lines(at: now)
        timeline = newTimeline
        let lines = timeline.lines(at: now)
        guard lines != before else { return nil }
        if takeover > now, !lines.contains(where: { Self.begin(of: $0) == takeover }) {
            // What was decoded for a jump is not wanted.
            takeover = HostTime(nanoseconds: .min)
            beginRun(at: wanted(now))
        }
        lookAhead(lines)
        if takeover <= now, !reaches(wanted(now)) { beginRun(at: wanted(now)) }
        return takeBack(from: Self.difference(before, lines, now: now))
    }

    /// Finds out where a jump to come leads.
    private mutating func lookAhead(_ lines: [Timebase]) {
        (jump, kept) = (nil, nil)
        guard let next = lines.last, lines.count > 1,
            lines[lines.count - 2].mediaTime(at: next.groupTime) != next.mediaTime
        else { return }
        let begin = Self.begin(of: next)
        guard begin != takeover else { return }
        if run.holds(next.mediaTime) { kept = next.mediaTime } else { jump = (begin, next.mediaTime) }
    }

    static func begin(of line: Timebase) -> HostTime { HostTime(nanoseconds: line.groupTime.nanoseconds) }

    /// From when on the second list of lines means something else than the first.
    private static func difference(_ before: [Timebase], _ after: [Timebase], now: HostTime) -> HostTime {
        let common = zip(before, after).prefix { $0 == $1 }.count
        let instants = [before, after].compactMap { $0.count > common ? begin(of: $0[common]) : nil }
        return max(instants.min() ?? now, now)
    }

    private mutating func takeBack(from instant: HostTime) -> HostTime? {
        guard decided > instant else { return nil }
        decided = instant
        let count = shown.count
        shown.removeAll { $0.instant >= instant }
        shownCount -= count - shown.count
        return count == shown.count ? nil : instant
    }

    /// Whether the run holds the picture of `time`, or comes to it by itself.
    private func reaches(_ time: MediaTime) -> Bool {
        if run.holds(time) { return true }
        guard let cursor, let begin = run.frames.first?.presentationTime ?? runBegin, begin <= time else {
            return false
        }
        return (store.sync(before: time) ?? 0) < cursor
    }

    /// Decodes from the sync picture before `time` on, or from the first one there will be.
    private mutating func beginRun(at time: MediaTime?) {
        runNumber += 1
        run = FrameRun()
        cursor = time.flatMap { store.sync(before: $0) }
        (runBegin, runFirst, settled) = (cursor.map { store[$0].presentationTime }, cursor, 0)
        (isDraining, showsLate, unwanted) = (false, false, nil)
    }

    // MARK: Decoding

    /// The media time that is shown next of the run: now, or when the run takes over.
    func wanted(_ now: HostTime) -> MediaTime { max(timeline.time(at: max(takeover, now)), .zero) }

    /// What is to be done next; nil when there is nothing at the moment.
    package mutating func nextStep(now: HostTime) -> Step? {
        turnToJump(now)
        let wanted = wanted(now)
        keep(now)
        if unwanted != nil { return .finish(run: runNumber) }
        guard wantsFrames(after: wanted) else { return nil }
        if let sync = store.sync(before: wanted), cursor.map({ $0 < sync && !run.holds(wanted) }) ?? true {
            // Too far behind, or not begun: what lies between is never seen.
            let isLag = cursor != nil && isRunning(now)
            if isLag, let runFirst { droppedCount += max(sync - runFirst - settled, 0) }
            beginRun(at: wanted)
            showsLate = isLag
        }
        guard let number = cursor ?? store.firstSync else {
            // Nothing at all is to be seen.
            if isFinished, store.numbers.isEmpty { run.isComplete = true }
            return nil
        }
        guard number < store.numbers.upperBound else {
            guard isFinished, !isDraining else { return nil }
            isDraining = true
            return .finish(run: runNumber)
        }
        if cursor == nil { runFirst = number }
        if number == runFirst, runBegin == nil { runBegin = store[number].presentationTime }
        cursor = number + 1
        let (picture, isFirst) = (store[number], number == runFirst)
        return .decode(picture, run: runNumber, isFirst: isFirst, isSeen: isSeen(picture, wanted))
    }

    /// Whether a picture may be shown. To go back to one that was not, decoding begins anew.
    private mutating func isSeen(_ picture: VideoStore.Picture, _ wanted: MediaTime) -> Bool {
        guard !showsLate, !isShowing, case .coded(let buffer) = picture, let duration = buffer.duration else {
            return true
        }
        let end = buffer.presentationTime + duration
        guard end <= min(wanted, kept ?? wanted) else { return true }
        runBegin = max(runBegin ?? end, end)
        return false
    }

    private func isRunning(_ now: HostTime) -> Bool { timeline.line(at: now).rate > 0 }

    /// Begins to decode for a jump once all is decoded that is shown until then.
    private mutating func turnToJump(_ now: HostTime) {
        guard let jump else { return }
        if jump.instant > now {
            let last = timeline.time(at: jump.instant.advanced(byNanoseconds: -1))
            let isAtEnd = (cursor ?? 0) >= store.numbers.upperBound
            guard run.holds(last) || isAtEnd else { return }
        }
        (formerRun, takeover) = (run, jump.instant)
        beginRun(at: jump.time)
        self.jump = nil
    }

    /// Whether more pictures are to be decoded than those which wait.
    private func wantsFrames(after time: MediaTime) -> Bool {
        let (waiting, limit) = (run.frames(after: time), Self.framesAhead)
        let bytes = waiting.reduce(0) { $0 + VideoStore.Picture.decoded($1).byteCount }
        // All until a jump is wanted before that.
        return waiting.count < limit.least || (waiting.count < (jump == nil ? limit.most : 64) && bytes < limit.bytes)
    }

    /// Drops coded and decoded pictures that are not shown any more.
    private mutating func keep(_ now: HostTime) {
        let places = timeline.scheduled.map(\.mediaTime) + [wanted(now), timeline.time(at: now)]
        if let first = places.min(), let sync = store.sync(before: first) {
            store.remove(before: min(sync, cursor ?? sync))
        }
        if takeover <= now { formerRun = FrameRun() }
        // The one that is seen stays, however long it is: it is not handed out again.
        shown.removeFirst(shown.dropLast().prefix { $0.instant.nanoseconds(since: now) < -Self.memory }.count)
    }

    /// Takes what came of a step.
    package mutating func decoded(_ frames: [VideoFrame], run number: Int, isLast: Bool = false, now: HostTime) {
        guard number == runNumber else { return }
        let wanted = wanted(now)
        for frame in frames where unwanted.map({ frame.presentationTime < $0 }) ?? true {
            run.append(frame)
            // On the way from the sync picture to the one that is wanted.
            if frame.presentationTime <= wanted, run.frames.count > 1, !isShowing {
                run.remove(before: min(wanted, kept ?? wanted))
            }
        }
        if isLast {
            run.isComplete = unwanted == nil
            unwanted = nil
        }
    }

    /// Whether a picture of this run has been handed out.
    private var isShowing: Bool {
        guard let last = shown.last else { return false }
        return run.frames.contains { $0 === last.frame }
    }
}
