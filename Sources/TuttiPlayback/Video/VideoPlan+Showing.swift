package import TuttiCore

/// Which picture is shown when.
extension VideoPlan {
    /// The pictures whose instants have come or come within `lead` ns, each once.
    package mutating func takeDue(now: HostTime, lead: Int64) -> [Showing] {
        timeline.advance(to: now)
        let end = now.advanced(byNanoseconds: lead)
        let lines = timeline.lines(at: now)
        var due: [Showing] = []
        for (index, line) in lines.enumerated() {
            let begin = Self.begin(of: line)
            let stop = index + 1 < lines.count ? Self.begin(of: lines[index + 1]) : nil
            let from = max(begin, decided, now)
            let limit = min(end, stop ?? end)
            guard from <= limit, stop.map({ from < $0 }) ?? true else { continue }
            guard show(line, from: from, until: limit, &due) else { break }
        }
        trim(now)
        return due
    }

    /// - Returns: whether it is known what is shown until `limit`.
    private mutating func show(
        _ line: Timebase, from: HostTime, until limit: HostTime, _ due: inout [Showing]
    ) -> Bool {
        if let jump, Self.begin(of: line) >= jump.instant { return false }
        let isFormer = line.groupTime.nanoseconds < takeover.nanoseconds
        let frames = isFormer ? formerRun : run
        guard let media = line.mediaTime(at: HostTimeline.group(from)) else { return false }
        switch frames.frame(at: media) {
        case .unknown:
            if showsLate, !isFormer, line.rate > 0, let late = frames.last(before: media), isNew(late) {
                countPassed(frames, until: late, since: line)
                hand(late, at: from, &due)
            }
            return false
        case .none: break
        case .frame(let frame):
            if isNew(frame), !isPassed(frame, since: line) {
                if !isFormer, !showsLate { settled = earlier(than: frame) }
                if line.rate > 0 { countPassed(frames, until: frame, since: line) }
                hand(frame, at: from, &due)
            }
            if !isFormer { showsLate = true }
        }
        guard line.rate > 0 else {
            decided = max(decided, limit)
            return true
        }
        for frame in frames.frames(after: media) {
            guard let host = Self.instant(of: frame, on: line) else { return false }
            guard host < limit else {
                decided = max(decided, limit)
                return true
            }
            decided = max(decided, host)
            hand(frame, at: max(host, from), &due)
        }
        if frames.isComplete { decided = max(decided, limit) }
        return frames.isComplete
    }

    /// The first nanosecond at which the line has reached a picture.
    private static func instant(of frame: VideoFrame, on line: Timebase) -> HostTime? {
        guard let instant = line.groupTimeWithFraction(of: frame.presentationTime) else { return nil }
        // Back in media time, another rate than 1 is rounded once more.
        let rest: Int64 = (instant.fraction > 0 ? 1 : 0) + (line.rate == 1 ? 0 : 1)
        return HostTime(nanoseconds: instant.nanoseconds + rest)
    }

    private mutating func hand(_ frame: VideoFrame, at instant: HostTime, _ due: inout [Showing]) {
        let showing = Showing(frame: frame, instant: instant)
        due.append(showing)
        shown.append(showing)
        shownCount += 1
        settled += 1
    }

    /// Whether one that follows it has been handed out on this line: at its very instant the line may be a rounding short
    /// of its time.
    private func isPassed(_ frame: VideoFrame, since line: Timebase) -> Bool {
        guard line.rate > 0, let last = shown.last else { return false }
        return last.instant.nanoseconds > line.groupTime.nanoseconds
            && last.frame.presentationTime > frame.presentationTime
    }

    private func isNew(_ frame: VideoFrame) -> Bool { shown.last.map { $0.frame !== frame } ?? true }

    /// Counts what lies between the picture that was shown last on this line and `frame`.
    private mutating func countPassed(_ frames: FrameRun, until frame: VideoFrame, since line: Timebase) {
        guard let last = shown.last, last.instant >= Self.begin(of: line),
            let first = frames.frames.firstIndex(where: { $0 === last.frame }),
            let next = frames.frames.firstIndex(where: { $0 === frame }), next > first
        else { return }
        droppedCount += next - first - 1
        settled += next - first - 1
    }

    /// Pictures of the run that are before the first one that is shown.
    private func earlier(than frame: VideoFrame) -> Int {
        guard let runFirst, let cursor else { return 0 }
        return (max(runFirst, store.numbers.lowerBound)..<max(cursor, runFirst)).count {
            store[$0].presentationTime < frame.presentationTime
        }
    }

    private mutating func trim(_ now: HostTime) {
        let wanted = wanted(now)
        // What was handed out last stays, to be found there.
        guard let last = shown.last?.frame, run.frames.contains(where: { $0 === last }) else { return }
        run.remove(before: min(wanted, last.presentationTime, kept ?? wanted))
    }

    /// Where something is due and waits for something else, it is looked at again after so many ns.
    private static let rest: Int64 = 1_000_000

    /// When something is to be done next, if nothing else happens; nil when nothing is.
    package func deadline(now: HostTime, lead: Int64) -> HostTime? {
        var deadlines: [HostTime] = []
        let line = timeline.line(at: now)
        if line.rate > 0 {
            let frames = takeover > now ? formerRun : run
            let last = max(shown.last?.frame.presentationTime ?? .zero, timeline.time(at: now))
            let stop = timeline.scheduled.first.map(Self.begin)
            if let next = frames.frames(after: last).first, let instant = Self.instant(of: next, on: line),
                stop.map({ instant < $0 }) ?? true
            {
                deadlines.append(instant.advanced(byNanoseconds: -lead))
            }
        }
        if let next = timeline.scheduled.first {
            let begin = Self.begin(of: next)
            deadlines += [begin, begin.advanced(byNanoseconds: -lead)].filter { $0 > now }
        }
        return deadlines.min().map { max($0, now.advanced(byNanoseconds: Self.rest)) }
    }
}
