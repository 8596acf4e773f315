/// When something is to happen: once, or again and again. Knows no clock: times are seconds since 1970 UTC, and where a
/// day begins is told by a `Zone`.
package struct Schedule: Sendable, Equatable {
    /// How far local time is ahead of UTC at an instant, in seconds: the zone's rules, daylight saving time included.
    package typealias Zone = @Sendable (Int64) -> Int64

    /// Days of the week, from Monday (0) to Sunday (6).
    package typealias Days = Set<Int>

    enum Kind: Equatable {
        /// At this time of day, the next time that comes after the schedule was made.
        case once(secondOfDay: Int64)
        /// At this time of day on these days of the week.
        case weekly(Days, secondOfDay: Int64)
        /// On this day, in days since 1970-01-01.
        case date(day: Int64, secondOfDay: Int64)
        /// So many seconds after the schedule was made.
        case after(seconds: Int64)
    }

    let kind: Kind

    /// The words that it was read from.
    package let text: String

    /// Whether it happens again and again.
    package var repeats: Bool { if case .weekly = kind { true } else { false } }

    private static let day: Int64 = 86_400
    /// The instants that are reckoned with, in seconds since 1970 UTC: 30 000 years either way. What is stored may be
    /// anything.
    private static let instants: ClosedRange<Int64> = -(1 << 40)...(1 << 40)

    /// The first time after `time`, in seconds since 1970 UTC; nil when there is none.
    ///
    /// - Parameter made: when the schedule was made.
    package func next(after time: Int64, made: Int64, in zone: Zone) -> Int64? {
        let (time, made) = (Self.clamped(time), Self.clamped(made))
        switch kind {
        case .after(let seconds): return made + seconds > time ? made + seconds : nil
        case .date(let day, let second):
            let instant = Self.instant(day: day, second: second, in: zone)
            return instant > time ? instant : nil
        case .once(let second):
            guard let instant = Self.first(after: made, second: second, on: nil, in: zone) else { return nil }
            return instant > time ? instant : nil
        case .weekly(let days, let second): return Self.first(after: time, second: second, on: days, in: zone)
        }
    }

    private static func clamped(_ time: Int64) -> Int64 { min(max(time, instants.lowerBound), instants.upperBound) }

    /// The first time of day after an instant, on one of these days.
    private static func first(after time: Int64, second: Int64, on days: Days?, in zone: Zone) -> Int64? {
        // From yesterday on: an instant's day here may be another one than at the time that is looked for.
        let today = floorDivide(time + zone(time), day)
        for day in today - 1...today + 8 where days?.contains(weekday(of: day)) ?? true {
            let instant = instant(day: day, second: second, in: zone)
            if instant > time { return instant }
        }
        return nil
    }

    /// The instant of a local time, as RFC 5545 (3.3.5) has it: the first one of a time that comes twice, and for a
    /// time that is left out the one that it would be, had the clocks not been moved.
    static func instant(day: Int64, second: Int64, in zone: Zone) -> Int64 {
        let local = day * Self.day + second
        // No zone is further than a day from UTC, and none moves its clocks twice within two.
        let before = zone(local - Self.day)
        let after = zone(local + Self.day)
        let early = local - before
        if zone(early) == before { return early }
        let late = local - after
        return zone(late) == after ? late : early
    }

    /// From Monday (0) to Sunday (6), of a day since 1970-01-01, which was a Thursday.
    static func weekday(of day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

    /// Days from 1970-01-01 to a day of the Gregorian calendar; nil for a day that it does not have.
    static func day(year: Int, month: Int, day: Int) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1970...9999).contains(year), (1...12).contains(month), (1...lengths[month - 1]).contains(day) else {
            return nil
        }
        let years = Int64(year - 1)
        let leaps = years / 4 - years / 100 + years / 400 - 477
        return 365 * (years - 1969) + leaps + Int64(lengths[..<(month - 1)].reduce(0, +) + day - 1)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
