import TuttiCore

/// The spans of the timeline that a store has packets for, in order.
struct HeldRanges: Sendable {
    private(set) var spans: [TimeRange] = []
    /// Whether they have to be collected again before anyone reads them.
    private(set) var isStale = false

    /// Packets have changed in the midst of others.
    mutating func invalidate() { isStale = true }

    /// Begins to collect them again.
    mutating func restart() {
        spans.removeAll(keepingCapacity: true)
        isStale = false
    }

    /// Adds a span that begins no earlier than the others. One that begins within `tolerance` of the last one's end
    /// continues that.
    mutating func append(_ span: TimeRange, tolerance: MediaTime) {
        guard !isStale else { return }
        guard let last = spans.last else { return spans.append(span) }
        precondition(span.start >= last.start, "spans come in order")
        if span.start <= last.end + tolerance {
            spans[spans.count - 1] = TimeRange(start: last.start, end: span.end)
        } else {
            spans.append(span)
        }
    }

    /// Removes what lies before `start`, where the first packet begins; everything if there is none.
    mutating func trim(before start: MediaTime?) {
        guard !isStale else { return }
        guard let start else { return spans.removeAll(keepingCapacity: true) }
        spans.removeFirst(spans.firstIndex { $0.end > start } ?? spans.count)
        if let front = spans.first, front.start < start { spans[0] = TimeRange(start: start, end: front.end) }
    }
}
