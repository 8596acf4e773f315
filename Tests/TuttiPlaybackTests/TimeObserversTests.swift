import Testing
import TuttiCore
import TuttiPlayback

private func host(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
private func media(_ milliseconds: Int64) -> MediaTime { MediaTime(frame: milliseconds, sampleRate: 1_000) }

@Suite struct TimeObserversTests {
    /// Looks at every deadline up to `end`, as the shell does.
    private func run(_ observers: inout TimeObservers, _ timeline: HostTimeline, from start: HostTime, to end: HostTime)
        -> [(id: Int, time: MediaTime, at: HostTime)]
    {
        var found: [(id: Int, time: MediaTime, at: HostTime)] = []
        var (now, timeline) = (start, timeline)
        while true {
            timeline.advance(to: now)
            _ = timeline.takeNews(at: now)
            found += observers.advance(timeline, now: now).map { ($0.id, $0.time, now) }
            let next = [observers.deadline(timeline, now: now), timeline.deadline(after: now)].compactMap(\.self).min()
            guard let next, next <= end else { break }
            now = max(next, now.advanced(byNanoseconds: 1))
        }
        return found + observers.advance(timeline, now: end).map { ($0.id, $0.time, end) }
    }

    @Test func periodsAreCalledAtTheirMultiplesAndAtJumps() throws {
        var observers = TimeObservers()
        var timeline = HostTimeline(now: host(0))
        _ = observers.advance(timeline, now: host(0))
        let id = try observers.add(.periodic(media(500)))
        try timeline.set(rate: 1, time: media(250), at: host(1_000), now: host(0))
        let found = run(&observers, timeline, from: host(0), to: host(2_300))
        #expect(found.allSatisfy { $0.id == id })
        #expect(found.map(\.time) == [media(250), media(500), media(1_000), media(1_500)])
        #expect(found.map(\.at) == [host(1_000), host(1_250), host(1_750), host(2_250)])
    }

    @Test func boundariesAreCalledWhenPassedAndOnlyThen() throws {
        var observers = TimeObservers()
        var timeline = HostTimeline(now: host(0))
        _ = observers.advance(timeline, now: host(0))
        _ = try observers.add(.boundary([media(3_000), media(100), media(10_000)]))
        try timeline.set(rate: 1, time: .zero, at: host(0), now: host(0))
        // A jump over 3 s does not pass it; one onto 10 s counts.
        try timeline.set(rate: 1, time: media(9_900), at: host(1_000), now: host(0))
        try timeline.set(rate: 1, time: media(10_000), at: host(1_050), now: host(0))
        let found = run(&observers, timeline, from: host(0), to: host(2_000))
        #expect(found.map(\.time) == [media(100), media(10_000)])
        #expect(found.map(\.at) == [host(100), host(1_050)])
    }

    @Test func aLateLookMakesUpForAFewPeriodsOnly() throws {
        var observers = TimeObservers()
        var timeline = HostTimeline(now: host(0))
        try timeline.set(rate: 1, time: .zero, at: host(0), now: host(0))
        _ = observers.advance(timeline, now: host(0))
        let id = try observers.add(.periodic(media(1)))
        var firings = observers.advance(timeline, now: host(1_000_000))
        #expect(firings.count == 16)
        observers.remove(id)
        #expect(observers.deadline(timeline, now: host(0)) == nil)
        firings = observers.advance(timeline, now: host(2_000_000))
        #expect(firings.isEmpty)
    }

    @Test func uselessObserversAreRefused() {
        var observers = TimeObservers()
        #expect(throws: PlaybackError.invalidObserver) { try observers.add(.periodic(.zero)) }
        #expect(throws: PlaybackError.invalidObserver) { try observers.add(.periodic(media(-5))) }
        #expect(throws: PlaybackError.invalidObserver) { try observers.add(.boundary([])) }
    }

    @Test func anyTimescaleIsMetWithoutACallTooManyOrTooFew() throws {
        var observers = TimeObservers()
        var timeline = HostTimeline(now: host(0))
        _ = observers.advance(timeline, now: host(0))
        let times = (1...40).map { MediaTime(frame: Int64($0) * 777, sampleRate: 44_100) }
        _ = try observers.add(.boundary(times))
        try timeline.set(rate: 1, time: MediaTime(frame: 1, sampleRate: 96_001), at: host(7), now: host(0))
        let found = run(&observers, timeline, from: host(0), to: host(60_000))
        #expect(found.map(\.time) == times)
    }
}
