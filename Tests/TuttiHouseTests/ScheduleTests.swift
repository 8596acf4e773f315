import Foundation
import Testing
import TuttiHouse

@Suite("Schedules") struct ScheduleTests {
    private static let berlin: Schedule.Zone = zone("Europe/Berlin")

    private static func zone(_ name: String) -> Schedule.Zone {
        guard let zone = TimeZone(identifier: name) else { return { _ in 0 } }
        return { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
    }

    /// `2026-03-28T12:00:00Z` and the like.
    private func time(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
    }

    private func next(_ words: String, after: String, made: String? = nil, _ zone: Schedule.Zone = berlin) throws
        -> String?
    {
        let schedule = try #require(Schedule(parsing: words), "\(words)")
        let next = schedule.next(after: try time(after), made: try time(made ?? after), in: zone)
        return next.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) }
    }

    @Test("a time of day is the next one, once")
    func once() throws {
        // In November Berlin is an hour ahead; the 21st was a Saturday.
        #expect(try next("07:00", after: "2026-11-21T05:59:59Z") == "2026-11-21T06:00:00Z")
        #expect(try next("7:00", after: "2026-11-21T06:00:00Z") == "2026-11-22T06:00:00Z")
        #expect(try next("07:00", after: "2026-11-21T06:00:00Z", made: "2026-11-21T05:00:00Z") == nil)
        #expect(try next("00:30", after: "2026-11-21T23:00:00Z") == "2026-11-21T23:30:00Z")
        #expect(try next("23:59:30", after: "2026-11-21T05:00:00Z") == "2026-11-21T22:59:30Z")
    }

    @Test("days of the week come again and again")
    func weekly() throws {
        #expect(try next("mon-fri 07:00", after: "2026-11-21T12:00:00Z") == "2026-11-23T06:00:00Z")
        #expect(try next("mon-fri 07:00", after: "2026-11-23T06:00:00Z") == "2026-11-24T06:00:00Z")
        #expect(try next("mon-fri 07:00", after: "2026-11-27T06:00:00Z") == "2026-11-30T06:00:00Z")
        #expect(try next("sat,sun 9:30", after: "2026-11-21T08:30:00Z") == "2026-11-22T08:30:00Z")
        #expect(try next("fri-mon 9:30", after: "2026-11-23T08:30:00Z") == "2026-11-27T08:30:00Z")
        #expect(try next("DAILY 22:00", after: "2026-11-21T21:00:00Z") == "2026-11-22T21:00:00Z")
        #expect(try next("sat 07:00", after: "2026-11-21T06:00:00Z") == "2026-11-28T06:00:00Z")
    }

    @Test("dates and whiles happen once")
    func single() throws {
        #expect(try next("2026-12-24 18:00", after: "2026-11-21T12:00:00Z") == "2026-12-24T17:00:00Z")
        #expect(try next("2026-12-24 18:00", after: "2026-12-24T17:00:00Z") == nil)
        #expect(try next("2028-02-29 00:00", after: "2026-11-21T12:00:00Z") == "2028-02-28T23:00:00Z")
        #expect(try next("in 20m", after: "2026-11-21T12:00:00Z") == "2026-11-21T12:20:00Z")
        #expect(try next("in 1h30m5s", after: "2026-11-21T12:00:00Z") == "2026-11-21T13:30:05Z")
        #expect(try next("in 20m", after: "2026-11-21T12:20:00Z", made: "2026-11-21T12:00:00Z") == nil)
    }

    @Test("what is left out in spring is an hour later, what comes twice in autumn counts once")
    func daylightSaving() throws {
        // 2026-03-29 02:00 becomes 03:00 at 01:00 UTC; 2026-10-25 03:00 becomes 02:00 at 01:00 UTC.
        #expect(try next("02:30", after: "2026-03-28T12:00:00Z") == "2026-03-29T01:30:00Z")
        #expect(try next("daily 02:30", after: "2026-03-29T01:30:00Z") == "2026-03-30T00:30:00Z")
        #expect(try next("daily 07:00", after: "2026-03-28T12:00:00Z") == "2026-03-29T05:00:00Z")
        #expect(try next("01:59", after: "2026-03-28T12:00:00Z") == "2026-03-29T00:59:00Z")
        #expect(try next("02:30", after: "2026-10-24T12:00:00Z") == "2026-10-25T00:30:00Z")
        #expect(try next("daily 02:30", after: "2026-10-25T00:30:00Z") == "2026-10-26T01:30:00Z")
        #expect(try next("daily 07:00", after: "2026-10-24T12:00:00Z") == "2026-10-25T06:00:00Z")
        // Half an hour, on the other side of the world.
        let lordHowe = Self.zone("Australia/Lord_Howe")
        #expect(try next("daily 07:00", after: "2026-10-03T12:00:00Z", lordHowe) == "2026-10-03T20:00:00Z")
        #expect(try next("daily 07:00", after: "2026-04-03T12:00:00Z", lordHowe) == "2026-04-03T20:00:00Z")
        #expect(try next("daily 07:00", after: "2026-04-04T12:00:00Z", lordHowe) == "2026-04-04T20:30:00Z")
        #expect(
            try next("00:10", after: "2026-11-21T12:00:00Z", Self.zone("Pacific/Kiritimati")) == "2026-11-22T10:10:00Z")
        #expect(
            try next("00:10", after: "2026-11-21T12:00:00Z", Self.zone("Pacific/Pago_Pago")) == "2026-11-22T11:10:00Z")
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "soon", "24:00", "7", "07:60", "07:0", "7:00:60", "mon", "mon-fri", "mon-xyz 07:00", "07:00 mon", "in",
            "in 20",
            "in 0m", "in 5m1h", "in 9999999999h", "in -5m", "2026-02-29 07:00", "2026-13-01 07:00", "26-12-24 07:00",
            "2026-12-24", "mon-tue-wed 07:00", "mon, 07:00", "07:00 07:00 07:00", "１:00", "in 600000m",
        ])
    func refused(words: String) { #expect(Schedule(parsing: words) == nil) }

    @Test("every day of four years is found, by the calendar of others")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var date = try Date("2027-01-01T11:00:00Z", strategy: .iso8601)
        for _ in 0..<1_461 {
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            let words = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day) 12:00"
            let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: date)
            let before = Int64(date.timeIntervalSince1970) - 90_000
            let found = Schedule(parsing: words)?.next(after: before, made: before, in: Self.berlin)
            #expect(found.map(Double.init) == noon?.timeIntervalSince1970, "\(words)")
            let name = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][(parts.weekday ?? 1) - 1]
            let midnight = Int64(calendar.startOfDay(for: date).timeIntervalSince1970)
            let weekly = Schedule(parsing: "\(name) 12:00")?.next(after: midnight, made: 0, in: Self.berlin)
            #expect(weekly == found, "\(name) \(words)")
            date = try #require(calendar.date(byAdding: .day, value: 1, to: date))
        }
    }

    @Test(
        "what is stored may be any number",
        arguments: ["07:00", "daily 07:00", "mon 7:00", "2026-12-24 18:00", "in 20m"])
    func anyNumbers(words: String) throws {
        let schedule = try #require(Schedule(parsing: words))
        let numbers: [Int64] = [.min, .min + 1, -(1 << 40), -1, 0, 1 << 40, 1 << 61, .max - 1, .max]
        for made in numbers {
            for done in numbers {
                for zone in [Self.berlin, LocalZone.offset] {
                    let next = schedule.next(after: done, made: made, in: zone)
                    #expect(next.map { $0.magnitude < 1 << 41 } ?? true)
                }
            }
        }
    }
}
