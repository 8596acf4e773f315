import TuttiCore
import TuttiPlayback

/// What a processing port holds, and what of it is to be read next. Sans-I/O.
struct ProcessingPlan {
    /// What is to be done next, outside of any lock.
    enum Step {
        case read(ProcessingReader.Order)
        /// The run ends: nothing follows it without a gap.
        case finish
        /// Nothing follows at all; the port's time of the end.
        case end(MediaTime)
    }

    /// How far behind the playhead something is still read: a decoder's memory, and some.
    private static let history = MediaTime(frame: 1, sampleRate: 5)

    /// How far before a cut reading begins again where stretcher or engine hold something back.
    private static let lookBack = MediaTime(frame: 1, sampleRate: 1)

    /// How much the port keeps behind the place where another line takes over: that place is near, so dropping it may
    /// be refused, and nobody hears it.
    private static let slack = MediaTime(frame: 1, sampleRate: 1)
    /// No scale begins behind this, so that its times are not out of range.
    private static let farthestOrigin = MediaTime(frame: 1 << 30, sampleRate: 1)

    /// Whether an engine processes all sound.
    private let hasEngine: Bool
    private(set) var scale = PortScale(rate: 1, origin: 0)
    private(set) var store = PacketStore(
        maximumPackets: RendererCore.maximumPackets, maximumBytes: RendererCore.maximumBytes)
    private(set) var end: MediaTime?
    /// Counts the times that reading began elsewhere; what was read before that is not wanted.
    private(set) var generation = 0
    /// The last line, in media time.
    private var line: Timebase?
    /// The instant at which this scale takes over from one that is heard until then.
    private var takeover: GroupTime?
    /// What has been read since reading began: from here
    private var readStart = MediaTime.zero
    /// to here. Not as a range, whose end may be rounded.
    private var position = MediaTime.zero
    /// The end of all that was ever read at this scale: the port may be past what is read there again.
    private var furthestRead = MediaTime.zero
    /// The port's time up to which it was given audio.
    private var given = MediaTime.zero
    /// The end of all that the port was given.
    private var furthestGiven = MediaTime.zero
    private var isRunOpen = false
    private var isEndSaid = false
    /// Where the port is to look again once there is something.
    private var doubtful: MediaTime?

    /// A plan that holds nothing.
    init(hasEngine: Bool = false) { self.hasEngine = hasEngine }

    /// Whether sound is stretched, or goes through an engine.
    var isProcessing: Bool { scale.rate != 1 || hasEngine }

    // MARK: Holding

    /// Takes a buffer in. One that lies before what has been read takes reading back to it.
    mutating func insert(_ buffer: SampleBuffer, now: GroupTime) {
        let passed = passedTime(at: now)
        if let passed { store.remove(before: passed) }
        let outcome = store.insert(buffer)
        guard outcome == .inserted || outcome == .replaced else { return }
        if let end, buffer.timeRange.end > end { self.end = nil }
        if !isProcessing { noteGiven(scale.portTime(of: buffer.timeRange.end)) }
        let start = max(buffer.presentationTime, passed ?? .zero, firstWanted)
        if start + halfFrame(buffer) < position, buffer.timeRange.end > start { restart(at: start) }
    }

    /// Drops what is held from `time` on, or all of it.
    mutating func remove(from time: MediaTime?, now: GroupTime) {
        if let end, time.map({ end > $0 }) ?? true { self.end = nil }
        guard let time else {
            store.removeAll()
            return restart(at: max(line?.mediaTime(at: now) ?? .zero, firstWanted))
        }
        store.remove(from: time)
        guard time < position else { return }
        // What is held back of the time before is read again.
        restart(at: scale.portTime(of: time) <= given ? time : max(readStart, time - Self.lookBack))
    }

    /// Takes back that audio from `time` on was removed: the port has it still.
    mutating func restore(_ buffers: [SampleBuffer], end knownEnd: MediaTime?, from time: MediaTime) {
        store.restore(buffers, from: time)
        if end == nil, let knownEnd { setEnd(knownEnd) }
    }

    /// Nothing follows behind `time`.
    mutating func setEnd(_ time: MediaTime) { (end, isEndSaid) = (time, false) }

    /// Marks what lies at `time` or behind it as perhaps missed by the port. Only what lies before something that was
    /// read once can be.
    mutating func doubt(from time: MediaTime) {
        if time < furthestRead { doubtful = min(doubtful ?? time, time) }
    }

    /// All that is held.
    var buffers: [SampleBuffer] { store.packets(from: .zero) }

    /// Nothing before this is heard on the last line.
    private var firstWanted: MediaTime { line.map { $0.rate > 0 ? $0.mediaTime : .zero } ?? .zero }

    /// What lies before this has been heard; nil while nothing is.
    private func passedTime(at now: GroupTime) -> MediaTime? {
        guard let line, line.rate > 0, line.groupTime.nanoseconds <= now.nanoseconds else { return nil }
        return line.mediaTime(at: now).map { $0 - Self.history }
    }

    private func halfFrame(_ buffer: SampleBuffer) -> MediaTime {
        MediaTime(frame: 1, sampleRate: 2 * buffer.format.sampleRate)
    }

    // MARK: Lines

    /// Whether there is no line yet, so that nobody knows at which rate what is held is to be given.
    var isIdle: Bool { line == nil }

    /// Whether the port may hold anything.
    var hasGiven: Bool { furthestGiven.isPositive }

    /// Whether a line needs another scale.
    func needsOtherScale(_ line: Timebase) -> Bool { line.rate > 0 && line.rate != scale.rate }

    /// The programme goes on on `line`, with this scale.
    mutating func follow(_ newLine: Timebase) {
        line = newLine
        let start = newLine.mediaTime
        if newLine.rate > 0, isProcessing, start < readStart || start > position { restart(at: start) }
    }

    /// The programme goes on on `newLine` with another scale: behind all that the port may still play, or, when it
    /// plays nothing or has come too far, from 0 on.
    ///
    /// - Returns: from where on, in its own time, the port is to drop its audio first; nil for all of it.
    mutating func change(to newLine: Timebase, now: GroupTime) -> MediaTime? {
        var clearance = clearance(before: newLine, now: now)
        takeover = clearance == nil ? nil : newLine.groupTime
        if let line, let stop = line.mediaTime(at: newLine.groupTime) { noteGiven(scale.portTime(of: stop)) }
        if clearance == nil || furthestGiven > Self.farthestOrigin {
            (clearance, takeover, furthestGiven) = (nil, nil, .zero)
            scale = PortScale(rate: newLine.rate, origin: 0)
        } else {
            scale = scale.follower(rate: newLine.rate, behind: furthestGiven)
        }
        line = newLine
        (furthestRead, doubtful) = (.zero, nil)
        restart(at: newLine.mediaTime)
        return clearance
    }

    /// Whether the port still plays on the scale before this one.
    func isPending(_ now: GroupTime) -> Bool { takeover.map { $0.nanoseconds > now.nanoseconds } ?? false }

    /// Whether something may be heard of the last line, or of the one before it.
    private func isHeard(_ now: GroupTime) -> Bool {
        line.map { $0.rate > 0 || $0.groupTime.nanoseconds > now.nanoseconds } ?? false
    }

    /// From where on the port is to drop its audio, in its own time, for a flush of everything or for a line that takes
    /// over: what is heard until then stays. Nil for all of it.
    func clearance(before next: Timebase?, now: GroupTime) -> MediaTime? {
        if isPending(now) { return scale.portTime(of: .zero) }
        guard let next, isHeard(now), let stop = line?.mediaTime(at: next.groupTime) else { return nil }
        return scale.portTime(of: max(stop, .zero)) + Self.slack
    }

    // MARK: Reading

    private mutating func restart(at time: MediaTime) {
        generation += 1
        (readStart, position) = (time, time)
        given = scale.portTime(of: time)
        (isRunOpen, isEndSaid) = (false, false)
    }

    /// What is to be done next; nil when there is nothing yet.
    mutating func nextStep() -> Step? {
        guard isProcessing else { return nil }
        guard let packet = store.packet(covering: position) ?? store.next(after: position) else { return lastStep() }
        let start = max(packet.presentationTime, position)
        let isContinuation = isRunOpen && start - position <= halfFrame(packet)
        if isRunOpen && !isContinuation {
            isRunOpen = false
            return .finish
        }
        let skipped = (start - packet.presentationTime).frame(at: packet.format.sampleRate)
        isRunOpen = true
        position = packet.timeRange.end
        furthestRead = max(furthestRead, position)
        return .read(
            ProcessingReader.Order(
                packet: packet, skippedFrames: Int(skipped), portTime: scale.portTime(of: start),
                isContinuation: isContinuation, rate: scale.rate))
    }

    private mutating func lastStep() -> Step? {
        guard let end, !isEndSaid, position + MediaTime(frame: 1, sampleRate: 8_000) >= end else { return nil }
        if isRunOpen {
            isRunOpen = false
            return .finish
        }
        isEndSaid = true
        return .end(given)
    }

    /// The packets before one that a decoder begins anew with.
    func packets(before packet: SampleBuffer) -> [SampleBuffer] { store.packets(before: packet) }

    /// The port was given audio up to `time`, its own.
    ///
    /// - Returns: from where on it is to look again.
    mutating func noteGiven(upTo time: MediaTime) -> MediaTime? {
        given = time
        noteGiven(time)
        guard let doubtful, scale.portTime(of: doubtful) < given else { return nil }
        self.doubtful = nil
        return scale.portTime(of: doubtful)
    }

    private mutating func noteGiven(_ time: MediaTime) { furthestGiven = max(furthestGiven, time) }
}
