package import TuttiCore

/// The timebase of a render synchronizer: where the timeline stands on this host's clock, now and as far as it is
/// settled.
///
/// A command (rate and time) holds from its instant on; until then the one before it does. A command takes the place of
/// those that were to come at its instant or later. Renderers are handed the next command shortly before its instant,
/// since a deck that was told to end takes nothing more.
package struct HostTimeline: Sendable, Equatable {
    /// The timescale of timebases that are anchored in host time.
    package static let timescale = TimescaleID(rawValue: 1)
    /// The rates that there are beside 0.
    package static let rates = 0.5...2.0
    /// How far away an instant may lie, in ns: as far as media times go.
    private static let reach = UInt64(MediaTime.maximumSeconds) * 1_000_000_000
    /// Commands that may wait for their instant.
    package static let maximumScheduled = 64

    /// The line that holds.
    package private(set) var current: Timebase
    /// How long before its instant a command is handed over while the timeline runs, in ns: what the routes need,
    /// since what has yet to begin does not begin any more once they know of the next line.
    package var horizon: Int64 = 0
    /// The lines to come, the next one first.
    package private(set) var scheduled: [Timebase] = []
    /// What the renderers know.
    private var handed: [Timebase] = []

    /// A timeline that stands still at its origin.
    package init(now: HostTime) {
        current = Timebase(rate: 0, mediaTime: .zero, groupTime: Self.group(now))
    }

    /// The host time as a time of the line's timescale.
    package static func group(_ host: HostTime) -> GroupTime {
        GroupTime(nanoseconds: host.nanoseconds, timescale: timescale)
    }

    /// Takes a command: the timeline stands at `time` (nil: where it stands anyway) at `instant`, and goes on at
    /// `rate`.
    ///
    /// - Throws: `invalidRate`, `unsupportedRate`, `negativeTime`, `timeOutOfRange`; the line is then as it was.
    package mutating func set(
        rate: Double, time: MediaTime?, at instant: HostTime, now: HostTime
    ) throws(PlaybackError) {
        guard rate.isFinite, rate >= 0 else { throw .invalidRate }
        guard rate == 0 || Self.rates.contains(rate) else { throw .unsupportedRate(rate) }
        if let time, time < .zero { throw .negativeTime(time) }
        guard instant.nanoseconds(since: now).magnitude < Self.reach else { throw .timeOutOfRange }
        advance(to: now)
        let group = Self.group(instant)
        scheduled.removeAll { $0.groupTime.nanoseconds >= group.nanoseconds }
        if scheduled.count >= Self.maximumScheduled { scheduled.removeLast() }
        let media = time ?? (scheduled.last ?? current).mediaTime(at: group) ?? current.mediaTime
        scheduled.append(Timebase(rate: rate, mediaTime: max(media, .zero), groupTime: group))
        advance(to: now)
    }

    /// Lets the commands hold whose instant has come.
    package mutating func advance(to now: HostTime) {
        while let next = scheduled.first, next.groupTime.nanoseconds <= now.nanoseconds {
            current = next
            scheduled.removeFirst()
        }
    }

    /// What renderers are to know at `now`: the line that holds, and those to come as far as they are near or follow a
    /// pause. What follows a start is not for them before the start has come, since it would take its place.
    package func lines(at now: HostTime) -> [Timebase] {
        var lines = [current]
        for next in scheduled {
            guard let last = lines.last else { break }
            guard last.rate == 0 || lines.count == 1 && isNear(next, now) else { break }
            lines.append(next)
        }
        return lines
    }

    /// Those of `lines` that have not been handed to the renderers; they count as handed then.
    package mutating func takeNews(at now: HostTime) -> [Timebase] {
        let lines = lines(at: now)
        defer { handed = lines }
        return lines.filter { !handed.contains($0) }
    }

    private func isNear(_ line: Timebase, _ now: HostTime) -> Bool {
        HostTime(nanoseconds: line.groupTime.nanoseconds).nanoseconds(since: now) <= horizon
    }

    /// When `advance` and `takeNews` are to be called next; nil while nothing is to come.
    package func deadline(after now: HostTime) -> HostTime? {
        guard let next = scheduled.first else { return nil }
        let instant = HostTime(nanoseconds: next.groupTime.nanoseconds)
        return handed.contains(next) ? instant : max(now, instant.advanced(byNanoseconds: -horizon))
    }

    /// The line that holds at `now`.
    package func line(at now: HostTime) -> Timebase {
        scheduled.last { $0.groupTime.nanoseconds <= now.nanoseconds } ?? current
    }

    /// Where the timeline stands at `now`.
    package func time(at now: HostTime) -> MediaTime {
        let line = line(at: now)
        return line.mediaTime(at: Self.group(now)) ?? line.mediaTime
    }

    /// The rate that was asked for last, whether it holds yet or not.
    package var rate: Double { (scheduled.last ?? current).rate }

    /// When `media` itself plays first, now or later; nil when it is not by the commands known.
    package func instant(of media: MediaTime, now: HostTime) -> HostTime? {
        firstInstant(of: media, now: now, orLater: false)
    }

    /// The first instant at which anything of `media` or behind it plays; nil when nothing is by the commands known.
    package func firstInstant(from media: MediaTime, now: HostTime) -> HostTime? {
        firstInstant(of: media, now: now, orLater: true)
    }

    private func firstInstant(of media: MediaTime, now: HostTime, orLater: Bool) -> HostTime? {
        let upcoming = scheduled.filter { $0.groupTime.nanoseconds > now.nanoseconds }
        var (line, start) = (line(at: now), now.nanoseconds)
        for index in 0...upcoming.count {
            let stop = index < upcoming.count ? upcoming[index].groupTime.nanoseconds : Int64.max
            if let instant = line.groupTime(of: media)?.nanoseconds, orLater || instant >= start {
                let first = max(instant, start)
                if first < stop { return HostTime(nanoseconds: first) }
            }
            if index < upcoming.count { (line, start) = (upcoming[index], stop) }
        }
        return nil
    }

    /// Where audio is needed next and at which rate the timeline runs, or is to run: the last start counts, since what
    /// is loaded is loaded for it.
    package func loadingPosition(at now: HostTime) -> (time: MediaTime, rate: Double) {
        let start = scheduled.last { $0.rate > 0 && $0.groupTime.nanoseconds > now.nanoseconds }
        if let start { return (start.mediaTime, start.rate) }
        return (time(at: now), line(at: now).rate)
    }
}
