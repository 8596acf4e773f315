/// A half-open span of the programme: from `start` up to but not including `end`.
public struct TimeRange: Sendable, Hashable {
    /// The first instant in the range.
    public var start: MediaTime
    /// The length; never negative.
    public var duration: MediaTime

    /// A range of `duration` from `start`; a negative duration counts as none.
    public init(start: MediaTime, duration: MediaTime) {
        self.start = start
        self.duration = max(duration, .zero)
    }

    /// A range from `start` up to `end`; empty when `end` is not after `start`.
    public init(start: MediaTime, end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// The first instant after the range.
    public var end: MediaTime { start + duration }

    /// True when the range holds no instant.
    public var isEmpty: Bool { !duration.isPositive }

    /// Whether `time` lies inside.
    public func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// The common part of two ranges; nil when they share no instant.
    public func intersection(_ other: TimeRange) -> TimeRange? {
        let common = TimeRange(start: max(start, other.start), end: min(end, other.end))
        return common.isEmpty ? nil : common
    }
}

extension Sequence where Element == TimeRange {
    /// The ranges in order, with those that touch or overlap (or leave gaps no longer than `tolerance`) made one.
    ///
    /// - Complexity: O(n log n).
    public func coalesced(tolerance: MediaTime = .zero) -> [TimeRange] {
        var result: [TimeRange] = []
        for range in sorted(by: { $0.start < $1.start }) where !range.isEmpty {
            if let last = result.last, range.start <= last.end + tolerance {
                result[result.count - 1] = TimeRange(start: last.start, end: Swift.max(last.end, range.end))
            } else {
                result.append(range)
            }
        }
        return result
    }
    /// What of the ranges lies before `time`.
    public func before(_ time: MediaTime) -> [TimeRange] {
        compactMap { range in
            range.start < time ? TimeRange(start: range.start, end: Swift.min(range.end, time)) : nil
        }
    }
}
