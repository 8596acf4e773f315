package import TuttiCore

/// Who wants to be told when the timeline reaches a time.
///
/// Sans-I/O: `advance` is called at every `deadline` and after every change of the timeline, and says who is due.
package struct TimeObservers: Sendable {
    /// What an observer waits for.
    package enum Kind: Sendable, Equatable {
        /// Every multiple of an interval, and every jump.
        case periodic(MediaTime)
        /// The passing of any of these times, in order.
        case boundary([MediaTime])
    }

    /// An observer that is due, and the media time it is due for.
    package struct Firing: Sendable, Equatable {
        package let id: Int
        package let time: MediaTime
    }

    /// The most multiples of an interval that are made up for in one step; older ones are left out.
    private static let maximumCatchUp: Int64 = 16
    /// Units a second in which periods are counted.
    private static let nanosecond: Int32 = 1_000_000_000

    private var observers: [Int: Kind] = [:]
    private var nextID = 0
    /// Up to where the timeline has been looked at, and on which line.
    private var examined: (line: Timebase, time: MediaTime)?

    /// Nobody.
    package init() {}

    /// Adds an observer and gives its number.
    ///
    /// - Throws: `invalidObserver` for an interval under a millisecond, or no times.
    package mutating func add(_ kind: Kind) throws(PlaybackError) -> Int {
        switch kind {
        case .periodic(let interval):
            guard interval.nanoseconds >= 1_000_000 else { throw .invalidObserver }
            observers[nextID] = kind
        case .boundary(let times):
            guard !times.isEmpty else { throw .invalidObserver }
            observers[nextID] = .boundary(times.sorted())
        }
        nextID += 1
        return nextID - 1
    }

    /// Forgets an observer.
    package mutating func remove(_ id: Int) { observers[id] = nil }

    /// Who is due for what has been played since the last call, in the order of time.
    package mutating func advance(_ timeline: HostTimeline, now: HostTime) -> [Firing] {
        let line = timeline.line(at: now)
        let time = timeline.time(at: now)
        defer { examined = (line, time) }
        guard let examined else { return [] }
        var firings: [Firing] = []
        var start = examined.time
        if line != examined.line {
            // What the old line played to its end, then the new one from its anchor on.
            let last = examined.line.mediaTime(at: line.groupTime) ?? start
            collect(from: start, to: last, includingStart: false, &firings)
            if last != line.mediaTime || line.rate != examined.line.rate {
                for (id, kind) in observers {
                    if case .periodic = kind { firings.append(Firing(id: id, time: line.mediaTime)) }
                }
            }
            start = line.mediaTime
            collect(from: start, to: time, includingStart: last != start, &firings)
        } else {
            collect(from: start, to: time, includingStart: false, &firings)
        }
        return firings
    }

    /// When somebody is due next; nil while that takes a command first.
    package func deadline(_ timeline: HostTimeline, now: HostTime) -> HostTime? {
        let line = timeline.line(at: now)
        let time = timeline.time(at: now)
        var earliest: HostTime?
        for kind in observers.values {
            guard let next = Self.next(kind, after: time), let instant = line.groupTimeWithFraction(of: next) else {
                continue
            }
            let due = HostTime(nanoseconds: instant.nanoseconds).advanced(byNanoseconds: instant.fraction > 0 ? 1 : 0)
            earliest = min(earliest ?? due, due)
        }
        // Never now: what is due by now has been told, but for what rounding put off to the next nanosecond.
        return earliest.map { max($0, now.advanced(byNanoseconds: 1)) }
    }

    private func collect(
        from start: MediaTime, to end: MediaTime, includingStart: Bool, _ firings: inout [Firing]
    ) {
        guard end > start || includingStart && end == start else { return }
        var found: [Firing] = []
        for (id, kind) in observers {
            switch kind {
            case .periodic(let interval):
                let step = interval.nanoseconds
                let last = Self.count(end, step)
                let first = max(Self.count(start, step) + 1, last - Self.maximumCatchUp + 1)
                guard first <= last else { continue }
                for index in first...last {
                    guard let time = Self.multiple(index, step) else { continue }
                    found.append(Firing(id: id, time: time))
                }
            case .boundary(let times):
                for time in times where time <= end && (time > start || includingStart && time == start) {
                    found.append(Firing(id: id, time: time))
                }
            }
        }
        firings += found.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// How many whole steps fit before `time`.
    private static func count(_ time: MediaTime, _ step: Int64) -> Int64 {
        let nanoseconds = time.converted(to: nanosecond, rounding: .down).value
        return nanoseconds >= 0 ? nanoseconds / step : -((-nanoseconds + step - 1) / step)
    }

    private static func multiple(_ index: Int64, _ step: Int64) -> MediaTime? {
        let (product, overflow) = index.multipliedReportingOverflow(by: step)
        return overflow ? nil : MediaTime(value: product, timescale: nanosecond)
    }

    private static func next(_ kind: Kind, after time: MediaTime) -> MediaTime? {
        switch kind {
        case .periodic(let interval):
            let step = interval.nanoseconds
            return multiple(count(time, step) + 1, step)
        case .boundary(let times): return times.first { $0 > time }
        }
    }
}
