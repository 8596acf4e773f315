import Foundation
import Testing
import TuttiLab
import TuttiSchema

/// Reports made up of known offsets.
enum MadeUp {
    static let origin: Int64 = 1_000_000_000_000

    /// Two rooms, a window every 100 ms, `offset` µs as a function of seconds.
    static func report(
        seconds: Double = 70, resumptions: [ComparisonReport.Resumption] = [], _ offset: (Double) -> Double
    ) -> ComparisonReport {
        let offsets = (0..<Int(seconds * 10)).map { index in
            ComparisonReport.Offset(seconds: Double(index) / 10 + 0.04, microseconds: offset(Double(index) / 10 + 0.04))
        }
        return ComparisonReport(
            rooms: [room("h1", []), room("h2", resumptions)],
            pairs: [ComparisonReport.Pair(first: "h1", second: "h2", offsets: offsets)],
            firstSoundRawNanoseconds: origin)
    }

    private static func room(_ name: String, _ resumptions: [ComparisonReport.Resumption]) -> ComparisonReport.Room {
        var room = ComparisonReport.Room(name: name)
        (room.underruns, room.resumptions) = (resumptions.count, resumptions)
        return room
    }

    static func raw(_ seconds: Double) -> Int64 { origin + Int64(seconds * 1e9) }

    /// A result of the case with these figures.
    static func result(_ name: String, seed: UInt64, system: String = "tutti", _ offset: (Double) -> Double)
        -> BenchResult
    {
        var result = BenchResult(name: name, system: system, seed: seed)
        let report = report(offset)
        result.comparison = report
        result.figures = BenchFigures(report)
        return result
    }
}

@Suite("Figures of a run")
struct BenchFiguresTests {
    @Test("a room that is added is there from its first sound on, however long it was silent before")
    func additions() throws {
        var report = MadeUp.report { $0 < 13 ? 7 : 3 }
        report.rooms[1].firstSoundRawNanoseconds = MadeUp.raw(12.4)
        let added = BenchEvent.Record(
            text: BenchEvent(12, .addRoom("h2")).text, rawNanoseconds: MadeUp.raw(12), lasts: false)
        let figures = BenchFigures(report, events: [added])
        let back = try #require(figures.returns?.first)
        #expect(figures.returns?.count == 1 && back.room == "h2")
        #expect(abs(back.seconds - 0.4) < 0.001 && back.worstMicroseconds == 7)
    }

    @Test("parts of the run have figures of their own")
    func phases() throws {
        let figures = BenchFigures(
            MadeUp.report { time in time < 0.1 ? -500 : time < 10 ? 100 : time < 30 ? -50 : time < 60 ? 20 : 7 })
        #expect(figures[.first100ms]?.max == 500)
        #expect(figures[.first100ms]?.count == 1)
        #expect(figures[.to10s]?.p99 == 500 && figures[.to10s]?.median == 100)
        #expect(figures[.to30s]?.p99 == 50)
        #expect(figures[.after30s]?.p99 == 20)
        #expect(figures[.after60s]?.p99 == 7)
        #expect(figures[.whole]?.count == 700)
        #expect(figures.firstMicroseconds == 500)
        let short = BenchFigures(MadeUp.report(seconds: 20) { _ in 1 })
        #expect(short[.after30s] == nil)
    }

    @Test("what cannot be seen is taken off")
    func unobservable() {
        let figures = BenchFigures(MadeUp.report { _ in 904 }, unobservable: ["h2": 900])
        #expect(figures[.whole]?.max == 4)
        #expect(BenchFigures(MadeUp.report { _ in -904 }, unobservable: ["h1": 900])[.whole]?.max == 4)
    }

    @Test("an event's shift is that of the medians before and after it, of a lasting one before the next")
    func effects() throws {
        let events = [
            BenchEvent.Record(text: "link of s cut", rawNanoseconds: MadeUp.raw(20), lasts: true),
            BenchEvent.Record(text: "link of s direct", rawNanoseconds: MadeUp.raw(60)),
        ]
        let figures = BenchFigures(
            MadeUp.report { time in time < 20 ? 3 : time < 60 ? 3 + (time - 20) / 4 : 2 }, events: events)
        #expect(figures.effects.count == 2)
        let cut = try #require(figures.effects.first)
        #expect(abs(cut.seconds - 20) < 1e-6)
        // The median of the last 3 s before 60 s is that of 58.5 s.
        #expect(abs(cut.shiftMicroseconds - 9.6) < 0.1)
        #expect(abs(cut.worstMicroseconds - 13) < 0.1)
        let restored = try #require(figures.effects.last)
        #expect(abs(restored.shiftMicroseconds - 10.6) < 0.1)
    }

    @Test("a break is measured from the last frame before it")
    func recoveries() throws {
        let resumption = ComparisonReport.Resumption(
            stopRawNanoseconds: MadeUp.raw(10), restartRawNanoseconds: MadeUp.raw(10.015),
            soundRawNanoseconds: MadeUp.raw(10.022))
        let figures = BenchFigures(
            MadeUp.report(resumptions: [resumption]) { time in (10...10.5).contains(time) ? 40 : 2 },
            events: [BenchEvent.Record(text: "xrun in h2", rawNanoseconds: MadeUp.raw(9.99))])
        let recovery = try #require(figures.recoveries.first)
        #expect(recovery.room == "h2")
        #expect(abs(recovery.breakMilliseconds - 15) < 1e-3)
        #expect(abs(recovery.silenceMilliseconds - 7) < 1e-3)
        #expect(recovery.firstMicroseconds == 40)
        #expect(abs(recovery.insideAfterSeconds - 0.49) < 0.01)
        #expect(figures.underruns == 0, "the one there was had been forced")
    }

    @Test("the speakers' own figure beside the lab's")
    func selfReport() {
        func room(_ name: String, _ state: RoomStatus.State, _ p99: Double) -> RoomStatus {
            var room = RoomStatus(name: name, address: name + ":7700", state: state)
            room.syncErrorP99Us = p99
            return room
        }
        func line(_ state: PlayerStatus.State, _ rooms: RoomStatus...) -> Data {
            let queue = PlayerStatus.Queue(length: 1, index: 0)
            return Data(
                JSONLine.encode(PlayerStatus(state: state, position: 1, rate: 1, queue: queue, rooms: rooms)))
        }
        let lines = [
            line(.playing, room("h1", .playing, 40)),
            line(.playing, room("h1", .playing, 6), room("h2", .playing, 9)),
            line(.ended, room("h1", .idle, 99)), Data("not a status".utf8),
        ]
        let report = SelfReport(status: lines, truth: 6)
        #expect(report.p99Microseconds == ["h1": 6, "h2": 9])
        #expect(report.ratio == 1.5)
        #expect(SelfReport(status: [Data](), truth: 6).ratio == nil)
    }
}
