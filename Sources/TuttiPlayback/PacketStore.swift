package import TuttiCore

/// The sample buffers of one stream in the order of the timeline.
///
/// No two buffers overlap by half a frame or more: a later insertion wins over what was there for the same span.
/// Buffers wholly inside its span go; buffers that reach over its edges are trimmed (both parts share the data). What
/// does not fit the limits is refused, so that memory is bounded: about the encoded bytes, 8 bytes for each packet of a
/// pre-roll, the formats' cookies, and 48 bytes a packet.
package struct PacketStore: Sendable {
    /// What became of an insertion.
    package enum InsertOutcome: Sendable, Hashable {
        /// Stored where nothing was before.
        case inserted
        /// Stored in place of all or part of what was there.
        case replaced
        /// Not stored: nothing of it plays.
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
    /// Bytes that packets and pre-rolls take, without formats.
    private var packetCost = 0
    private var entries = PacketList()
    private var formats = StoredFormats()
    private var payloads = PayloadStore()
    private var ranges = HeldRanges()

    /// An empty store with limits.
    package init(maximumPackets: Int, maximumBytes: Int) {
        self.maximumPackets = max(0, maximumPackets)
        self.maximumBytes = max(0, maximumBytes)
    }

    /// Packets held. O(1).
    package var count: Int { entries.count }

    /// True when nothing is held.
    package var isEmpty: Bool { count == 0 }

    /// Bytes that what is held takes, of which `maximumBytes` may be held: payloads, what a pre-roll takes besides, and
    /// the formats with their cookies. O(1).
    package var cost: Int { packetCost + formats.cost }

    /// Seconds of sound held. O(formats in use).
    package var bufferedSeconds: Double { formats.seconds }

    /// The first packet of the timeline.
    package var first: SampleBuffer? { entries.first.flatMap(buffer) }

    /// The last packet of the timeline.
    package var last: SampleBuffer? { entries.last.flatMap(buffer) }

    /// Where the last packet ends.
    package var end: MediaTime? { entries.last.map(end(of:)) }

    /// The packet that plays at `time`; nil in a gap. O(log n).
    package func packet(covering time: MediaTime) -> SampleBuffer? {
        let place = entries.place(atOrAfter: time)
        if place < entries.end, entries[place].start == time { return buffer(entries[place]) }
        guard let before = entries.place(before: place), end(of: entries[before]) > time else { return nil }
        return buffer(entries[before])
    }

    /// The first packet that starts at or after `time`. O(log n).
    package func next(after time: MediaTime) -> SampleBuffer? {
        let place = entries.place(atOrAfter: time)
        return place < entries.end ? buffer(entries[place]) : nil
    }

    /// Where that one starts. O(log n).
    package func start(after time: MediaTime) -> MediaTime? {
        let place = entries.place(atOrAfter: time)
        return place < entries.end ? entries[place].start : nil
    }

    /// The packets that play at `time` or later, in order. O(log n) and O(1) a packet.
    package func packets(from time: MediaTime) -> [SampleBuffer] {
        var place = entries.place(atOrAfter: time)
        if let before = entries.place(before: place), end(of: entries[before]) > time { place = before }
        var packets: [SampleBuffer] = []
        while place < entries.end {
            if let packet = buffer(entries[place]) { packets.append(packet) }
            place = entries.place(after: place)
        }
        return packets
    }

    /// The last `limit` of the packets that play after `start` and begin before `stop`, in order.
    func packets(from start: MediaTime, to stop: MediaTime, last limit: Int) -> [SampleBuffer] {
        var place = entries.place(atOrAfter: stop)
        var packets: [SampleBuffer] = []
        while packets.count < limit, let before = entries.place(before: place), end(of: entries[before]) > start {
            if let packet = buffer(entries[before]) { packets.append(packet) }
            place = before
        }
        return packets.reversed()
    }

    /// The spans of the timeline that are held, with gaps of less than half a frame closed.
    ///
    /// - Complexity: O(spans) after insertions at the end and removals at the front, else O(spans + n / 512) once, and
    ///   O(1) for each packet beside one that has changed, 512 at most.
    package var loadedTimeRanges: [TimeRange] {
        mutating get {
            if ranges.isStale { rebuildRanges() }
            return ranges.spans
        }
    }

    /// Stores `packet`. O(log n) and moves of at most some hundreds of small entries.
    package mutating func insert(_ packet: SampleBuffer) -> InsertOutcome {
        guard packet.audibleFrameCount > 0 else { return .ignored }
        let added = PayloadStore.cost(of: packet) + formats.cost(of: packet.format)
        guard count < maximumPackets, packet.byteCount <= maximumBytes - byteCount,
            added <= maximumBytes + Self.slack - cost, payloads.heldBytes <= maximumBytes + Self.slack
        else { return .full }
        let span = packet.timeRange
        let tolerance = Self.halfFrame(of: packet.format)
        if end.map({ $0 <= span.start + tolerance }) ?? true, entries.last.map({ $0.start <= span.start }) ?? true {
            entries.append(makeEntry(packet))
            ranges.append(span, tolerance: tolerance)
            return .inserted
        }
        let replaced = makeRoom(for: span, tolerance: tolerance)
        entries.insert(makeEntry(packet), at: entries.place(atOrAfter: span.start))
        ranges.invalidate()
        return replaced ? .replaced : .inserted
    }

    /// Removes what plays from `time` on; a packet across it keeps its front.
    package mutating func remove(from time: MediaTime) {
        let place = entries.place(atOrAfter: time)
        remove(place..<entries.end)
        if let last = entries.last, end(of: last) > time {
            _ = makeRoom(for: TimeRange(start: time, end: end(of: last)))
        }
        ranges.invalidate()
    }

    /// Removes the packets that end at or before `time`; one across it stays whole, since its decoder needs it. O(1)
    /// amortised a packet.
    package mutating func remove(before time: MediaTime) {
        var place = entries.start
        while place < entries.end, end(of: entries[place]) <= time { place = entries.place(after: place) }
        remove(entries.start..<place)
        ranges.trim(before: entries.first?.start)
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = PacketStore(maximumPackets: maximumPackets, maximumBytes: maximumBytes)
    }
}

extension PacketStore {
    /// Bytes that may be taken beyond the limit: by what comes with packets that were sent when there was room for
    /// them, and by what is left of allocations.
    private static var slack: Int { PayloadStore.slack }

    private static func halfFrame(of format: AudioFormat) -> MediaTime {
        // Exact: the timescale is twice the sample rate.
        MediaTime(frame: 1, sampleRate: 2 * format.sampleRate)
    }

    private func end(of entry: PacketEntry) -> MediaTime {
        entry.start + MediaTime(frame: Int64(entry.audible), sampleRate: formats[entry.format].sampleRate)
    }

    private func buffer(_ entry: PacketEntry) -> SampleBuffer? {
        entry.buffer(format: formats[entry.format], payloads: payloads)
    }

    private mutating func makeEntry(_ packet: SampleBuffer) -> PacketEntry {
        byteCount += packet.byteCount
        packetCost += PayloadStore.cost(of: packet)
        return PacketEntry(
            packet, format: formats.use(packet.format, frames: packet.audibleFrameCount), payload: payloads.add(packet))
    }

    /// Takes part of an entry that is in the accounts into them.
    private mutating func note(_ part: PacketEntry) {
        byteCount += payloads.byteCount(at: part.payload)
        packetCost += payloads.cost(at: part.payload)
        formats.retain(part.format, frames: part.audible)
        payloads.retain(part.payload)
    }

    /// Takes an entry out of the accounts.
    private mutating func forget(_ entry: PacketEntry) {
        byteCount -= payloads.byteCount(at: entry.payload)
        packetCost -= payloads.cost(at: entry.payload)
        precondition(byteCount >= 0 && packetCost >= 0, "a packet leaves the accounts once")
        formats.release(entry.format, frames: entry.audible)
        payloads.release(entry.payload)
    }

    private mutating func remove(_ range: Range<PacketList.Place>) {
        var place = range.lowerBound
        while place < range.upperBound {
            forget(entries[place])
            place = entries.place(after: place)
        }
        entries.remove(range)
    }

    /// Clears `span` of other packets; true when any was in the way. Whatever their number, the list is changed once.
    private mutating func makeRoom(for span: TimeRange, tolerance: MediaTime = .zero) -> Bool {
        let (start, stop) = (span.start + tolerance, span.end - tolerance)
        var place = entries.place(atOrAfter: span.start)
        if let before = entries.place(before: place) { place = before }
        let first = place
        var kept: [PacketEntry] = []
        var rests: [PacketEntry] = []
        var (found, more) = (false, 0)
        while place < entries.end, entries[place].start < stop {
            let entry = entries[place]
            place = entries.place(after: place)
            let entryEnd = end(of: entry)
            guard entryEnd > start else {
                note(entry)
                kept.append(entry)
                continue
            }
            found = true
            let rate = formats[entry.format].sampleRate
            // In two parts only where there is room for both, and what comes between them.
            let hasRoom = entry.start >= span.start || count + more < maximumPackets - 1
            let hasRest = entryEnd >= span.end + tolerance && hasRoom
            more -= 1
            let before = entry.part(from: 0, to: Int((span.start - entry.start).frame(at: rate)), rate)
            if hasRest || entry.start + tolerance < span.start, let before {
                note(before)
                kept.append(before)
                more += 1
            }
            let rest = entry.part(from: Int((span.end - entry.start).frame(at: rate)), to: entry.audible, rate)
            if hasRest, let rest {
                note(rest)
                rests.append(rest)
                more += 1
            }
        }
        guard found else {
            for entry in kept { forget(entry) }
            return false
        }
        remove(first..<place)
        for entry in kept + rests { entries.insert(entry, at: entries.place(atOrAfter: entry.start)) }
        return true
    }

    // MARK: Ranges

    private mutating func rebuildRanges() {
        ranges.restart()
        for block in entries.blocks.indices {
            let spans = entries.blocks[block].spans ?? spans(of: entries.blocks[block])
            if entries.blocks[block].spans == nil { entries.keep(spans, ofBlock: block) }
            guard let first = entries.blocks[block].entries.first else { continue }
            let tolerance = Self.halfFrame(of: formats[first.format])
            for (index, span) in spans.enumerated() {
                ranges.append(span, tolerance: index == 0 ? tolerance : .zero)
            }
        }
    }

    private func spans(of block: PacketList.Block) -> [TimeRange] {
        var ranges = HeldRanges()
        for entry in block.entries {
            let span = TimeRange(start: entry.start, end: end(of: entry))
            ranges.append(span, tolerance: Self.halfFrame(of: formats[entry.format]))
        }
        return ranges.spans
    }
}
