package import TuttiCore

/// The sample buffers of one stream in the order of the programme.
///
/// No two buffers overlap by half a frame or more: a later insertion wins over what was there for the same span. Buffers
/// wholly inside its span go; buffers that reach over its edges are trimmed (both parts share the data). What does
/// not fit the limits is refused, so that memory is bounded: about the encoded bytes and 45 bytes a packet.
package struct PacketStore: Sendable {
    /// What became of an insertion.
    package enum InsertOutcome: Sendable, Hashable {
        /// Stored where nothing was before.
        case inserted
        /// Stored in place of all or part of what was there.
        case replaced
        /// Not stored: nothing of it is heard.
        case ignored
        /// Not stored: it would exceed a limit.
        case full
    }

    /// The most packets held.
    package let maximumPackets: Int
    /// The most payload bytes held.
    package let maximumBytes: Int
    /// Payload bytes held. O(1).
    package private(set) var byteCount = 0
    private var entries: [PacketEntry] = []
    /// Entries before this one are gone; their room is reclaimed now and then.
    private var head = 0
    private var formats = FormatTable()
    private var payloads = PayloadStore()
    private var ranges: [TimeRange] = []
    private var rangesAreStale = false

    /// An empty store with limits.
    package init(maximumPackets: Int, maximumBytes: Int) {
        self.maximumPackets = max(0, maximumPackets)
        self.maximumBytes = max(0, maximumBytes)
    }

    /// Packets held. O(1).
    package var count: Int { entries.count - head }

    /// True when nothing is held.
    package var isEmpty: Bool { count == 0 }

    /// Seconds of sound held. O(formats in use).
    package var bufferedSeconds: Double { formats.seconds }

    /// The first packet of the programme.
    package var first: SampleBuffer? { isEmpty ? nil : buffer(at: head) }

    /// The last packet of the programme.
    package var last: SampleBuffer? { isEmpty ? nil : buffer(at: entries.count - 1) }

    /// The packet that is heard at `time`; nil in a gap. O(log n).
    package func packet(covering time: MediaTime) -> SampleBuffer? {
        let index = firstIndex(atOrAfter: time)
        if index < entries.count, entries[index].start == time { return buffer(at: index) }
        guard index > head, end(of: index - 1) > time else { return nil }
        return buffer(at: index - 1)
    }

    /// The first packet that starts at or after `time`. O(log n).
    package func next(after time: MediaTime) -> SampleBuffer? {
        let index = firstIndex(atOrAfter: time)
        return index < entries.count ? buffer(at: index) : nil
    }

    /// The packets that are heard at `time` or later, in order. O(log n) and O(1) a packet.
    package func packets(from time: MediaTime) -> [SampleBuffer] {
        var index = firstIndex(atOrAfter: time)
        if index > head, end(of: index - 1) > time { index -= 1 }
        return (index..<entries.count).compactMap { buffer(at: $0) }
    }

    /// The spans of the programme that are held, with gaps of less than half a frame closed.
    ///
    /// - Complexity: O(spans) after insertions at the end and removals at the front, else O(n) once.
    package var loadedTimeRanges: [TimeRange] {
        mutating get {
            if rangesAreStale { rebuildRanges() }
            return ranges
        }
    }

    /// Stores `packet`. O(1) amortised at the end, O(n) moves of small entries elsewhere.
    package mutating func insert(_ packet: SampleBuffer) -> InsertOutcome {
        guard packet.audibleFrameCount > 0 else { return .ignored }
        guard count < maximumPackets, packet.byteCount <= maximumBytes - byteCount,
            payloads.heldBytes <= maximumBytes + PayloadStore.slack
        else { return .full }
        let span = packet.timeRange
        let tolerance = Self.halfFrame(of: packet.format)
        let isAtEnd = isEmpty || end(of: entries.count - 1) <= span.start + tolerance
        if isAtEnd {
            appendEntry(packet)
            extendRanges(with: span, tolerance: tolerance)
            return .inserted
        }
        let replaced = makeRoom(for: span, tolerance: tolerance)
        let index = firstIndex(atOrAfter: span.start)
        entries.insert(makeEntry(packet), at: index)
        rangesAreStale = true
        return replaced ? .replaced : .inserted
    }

    /// Removes what is heard from `time` on; a packet across it keeps its front.
    package mutating func remove(from time: MediaTime) {
        let index = firstIndex(atOrAfter: time)
        for victim in index..<max(index, entries.count) { forget(victim) }
        entries.removeSubrange(index..<entries.count)
        if index > head, end(of: index - 1) > time { cut(index - 1, from: time, to: end(of: index - 1)) }
        rangesAreStale = true
    }

    /// Removes the packets that end at or before `time`; one across it stays whole, since its decoder needs it. O(1)
    /// amortised a packet.
    package mutating func remove(before time: MediaTime) {
        while head < entries.count, end(of: head) <= time {
            forget(head)
            head += 1
        }
        trimRanges()
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 256 && head > entries.count / 4 {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = PacketStore(maximumPackets: maximumPackets, maximumBytes: maximumBytes)
    }
}

extension PacketStore {
    private static func halfFrame(of format: AudioFormat) -> MediaTime {
        // Exact: the timescale is twice the sample rate.
        MediaTime(frame: 1, sampleRate: 2 * format.sampleRate)
    }

    private func firstIndex(atOrAfter time: MediaTime) -> Int {
        var (low, high) = (head, entries.count)
        if low < high, entries[high - 1].start < time { return high }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func end(of index: Int) -> MediaTime {
        let entry = entries[index]
        return entry.start + MediaTime(frame: Int64(entry.audible), sampleRate: formats[entry.format].sampleRate)
    }

    private func buffer(at index: Int) -> SampleBuffer? {
        entries[index].buffer(format: formats[entries[index].format], payloads: payloads)
    }

    private mutating func makeEntry(_ packet: SampleBuffer) -> PacketEntry {
        byteCount += packet.byteCount
        return PacketEntry(
            packet, format: formats.use(packet.format, frames: packet.audibleFrameCount), payload: payloads.add(packet))
    }

    private mutating func appendEntry(_ packet: SampleBuffer) {
        // A tenth more at a time: a doubling array would waste up to half.
        if entries.count == entries.capacity { entries.reserveCapacity(entries.count + entries.count / 10 + 64) }
        entries.append(makeEntry(packet))
    }

    /// Takes an entry out of the accounts.
    private mutating func forget(_ index: Int) {
        byteCount -= payloads.byteCount(at: entries[index].payload)
        formats.release(entries[index].format, frames: entries[index].audible)
        payloads.release(entries[index].payload)
    }

    /// Clears `span` of other packets; true when any was in the way.
    private mutating func makeRoom(for span: TimeRange, tolerance: MediaTime) -> Bool {
        let (start, stop) = (span.start + tolerance, span.end - tolerance)
        var index = firstIndex(atOrAfter: span.start)
        if index > head { index -= 1 }
        var found = false
        while index < entries.count, entries[index].start < stop {
            let (entryStart, entryEnd) = (entries[index].start, end(of: index))
            guard entryEnd > start else {
                index += 1
                continue
            }
            found = true
            if entryEnd >= stop + tolerance + tolerance, count < maximumPackets - 1 || entryStart >= span.start {
                index += split(index, around: span)
            } else if entryStart + tolerance < span.start {
                cut(index, from: span.start, to: entryEnd)
                index += 1
            } else {
                forget(index)
                entries.remove(at: index)
            }
        }
        return found
    }

    /// Keeps what `index` has before and after `span`; returns how many entries that makes.
    private mutating func split(_ index: Int, around span: TimeRange) -> Int {
        let original = entries[index]
        let rate = formats[original.format].sampleRate
        let before = Int((span.start - original.start).frame(at: rate))
        let after = Int((span.end - original.start).frame(at: rate))
        // Its parts go on using its bytes.
        payloads.retain(original.payload)
        defer { payloads.release(original.payload) }
        forget(index)
        entries.remove(at: index)
        var made = 0
        for part in [original.part(from: 0, to: before, rate), original.part(from: after, to: original.audible, rate)] {
            guard let part else { continue }
            _ = formats.use(formats[part.format], frames: part.audible)
            payloads.retain(part.payload)
            byteCount += payloads.byteCount(at: part.payload)
            entries.insert(part, at: index + made)
            made += 1
        }
        return made
    }

    /// Drops what `index` has from `start` on, up to its end.
    private mutating func cut(_ index: Int, from start: MediaTime, to end: MediaTime) {
        _ = split(index, around: TimeRange(start: start, end: end))
    }

    private mutating func extendRanges(with span: TimeRange, tolerance: MediaTime) {
        guard !rangesAreStale else { return }
        if let last = ranges.last, span.start <= last.end + tolerance {
            ranges[ranges.count - 1] = TimeRange(start: last.start, end: span.end)
        } else {
            ranges.append(span)
        }
    }

    private mutating func trimRanges() {
        guard !rangesAreStale else { return }
        guard head < entries.count else {
            ranges.removeAll(keepingCapacity: true)
            return
        }
        let start = entries[head].start
        while let front = ranges.first, front.end <= start { ranges.removeFirst() }
        if let front = ranges.first, front.start < start {
            ranges[0] = TimeRange(start: start, end: front.end)
        }
    }

    private mutating func rebuildRanges() {
        ranges.removeAll(keepingCapacity: true)
        rangesAreStale = false
        for index in head..<entries.count {
            let span = TimeRange(start: entries[index].start, end: end(of: index))
            extendRanges(with: span, tolerance: Self.halfFrame(of: formats[entries[index].format]))
        }
    }
}
