import Testing
import TuttiCore
import TuttiRooms

/// Loading makes no queue, and is quick all the same.
@Suite struct LinkPaceTests {
    private typealias Link = SharedLinkModel.Link

    /// Five minutes of FLAC.
    private static let timeline = 27e6
    private static let seeds: [UInt64] = [1, 2, 3]

    @Test("one that begins beside many is sent what is played all the same, and no more")
    func besideMany() {
        let pace = LinkPace(besides: 199)
        #expect(pace.limit(share: 0.85) < 20_000)
        #expect(pace.limit(share: 0.85, least: 156_250) == 156_250)
        #expect(LinkPace().limit(share: 0.85, least: 156_250) > 1_000_000)
    }

    @Test("of many that begin at once, none is sent less than is played because all stood still for a moment")
    func manyAfterAPause() {
        var pace = LinkPace(besides: 199)
        let last = load(&pace, besides: 199, until: 0.4, carrying: 1e9)
        // Nothing comes for 0.15 s, and what comes after that has waited.
        _ = load(&pace, besides: 199, from: last, until: 1.5, carrying: 1e9, pause: 0.15, queue: 30_000_000, for: 0.2)
        #expect(pace.limit(share: 0.85, least: Self.needed) >= 0.9 * Self.needed)
        #expect(pace.capacity.map { $0 >= Self.needed } ?? true)
    }

    @Test("beside many, a link that carries less than is played is found out all the same")
    func slowBesideMany() throws {
        var pace = LinkPace(besides: 199)
        _ = load(&pace, besides: 199, until: 3, carrying: 40_000, queue: 50_000_000, for: 3)
        let capacity = try #require(pace.capacity)
        #expect((20_000...60_000).contains(capacity), "\(capacity)")
    }

    /// Bytes a second of a room that plays FLAC.
    private static let needed = 156_250.0

    /// Looks at a connection as one of two hundred is looked at, every 40 ms, while its link carries so many bytes a
    /// second.
    ///
    /// - Parameters:
    ///   - pause: seconds at the beginning in which nothing arrives.
    ///   - queue: nanoseconds by which round trips are longer for `time` seconds after that.
    /// - Returns: bytes that have arrived, and when.
    private func load(
        _ pace: inout LinkPace, besides others: Int, from start: (at: Double, arrived: Double) = (0, 0),
        until end: Double, carrying rate: Double, pause: Double = 0, queue: Int64 = 0, for time: Double = 0
    ) -> (at: Double, arrived: Double) {
        var (at, arrived) = start
        while at < end {
            let limit = pace.limit(share: 0.85, least: Self.needed)
            at += 0.04
            if at - start.at > pause { arrived += min(limit, rate) * 0.04 }
            let isQueueing = at - start.at <= pause + time
            pace.take(
                LinkPace.Look(
                    now: self.time(at), arrived: UInt64(arrived), underway: 20_000,
                    roundTrip: 250_000 + (isQueueing ? queue : 0), leastRoundTrip: 220_000, isCrowded: true,
                    pace: limit), besides: others, needed: Self.needed)
            var paces = [pace]
            LinkPace.share(&paces, now: self.time(at))
            pace = paces[0]
        }
        return (at, arrived)
    }

    // MARK: Links that others use

    @Test(arguments: seeds) func roomsBehindOneLinkShareItWithoutAQueue(seed: UInt64) {
        var model = SharedLinkModel(
            Link(rate: 95e6), starts: [0, 0, 0, 0, 0], bytes: Self.timeline, seed: seed)
        model.run(0.5)
        #expect(model.queue(1) < 0.012, "while it was found out: \(model.queue(1))")
        model.begin()
        model.run()
        #expect(model.queue(0.5) < 0.000_5 && model.queue(0.9) < 0.001, "\(model.queue(0.5)), \(model.queue(0.9))")
        #expect(model.queue(1) < 0.006, "\(model.queue(1))")
        #expect(model.time < 1.25 * model.neededTime, "\(model.time) s where \(model.neededTime) are needed")
    }

    @Test(arguments: seeds) func oneThatComesLaterGetsItsShare(seed: UInt64) {
        var model = SharedLinkModel(Link(rate: 95e6), starts: [0, 0, 0, 0, 3], bytes: Self.timeline, seed: seed)
        model.run()
        #expect(model.time < 1.3 * model.neededTime, "\(model.time) s where \(model.neededTime) are needed")
        #expect(model.queue(0.9) < 0.001, "\(model.queue(0.9))")
    }

    @Test func manyRoomsShareAGigabit() {
        var model = SharedLinkModel(
            Link(rate: 950e6, queue: 0.005), starts: Array(repeating: 0, count: 40), bytes: 4e6, seed: 1)
        model.run()
        #expect(model.time < 1.5 * model.neededTime, "\(model.time) s where \(model.neededTime) are needed")
        #expect(model.queue(0.9) < 0.001, "\(model.queue(0.9))")
    }

    @Test(arguments: seeds) func roomsOnOneRadioShareIt(seed: UInt64) {
        var link = Link(rate: 40e6, queue: 0.1, trip: 0.001_8, jitter: 0.000_9)
        link.stalls = (2, 0.008, 0.04)
        var model = SharedLinkModel(link, starts: [0, 0, 0], bytes: 8e6, seed: seed)
        model.run(0.5)
        model.begin()
        model.run()
        #expect(model.queue(0.5) < 0.001 && model.queue(0.99) < 0.008, "\(model.queue(0.5)), \(model.queue(0.99))")
        #expect(model.time < 2 * model.neededTime, "\(model.time) s where \(model.neededTime) are needed")
    }

    // MARK: Links that carry plenty

    @Test func aFreeLinkIsUsed() {
        var model = SharedLinkModel(Link(rate: 1e9), starts: [0], bytes: Self.timeline, seed: 1)
        model.run()
        #expect(model.time < 4, "\(model.time) s")
        #expect(model.paces[0].capacity == nil)
    }

    @Test(arguments: seeds) func radiosThatStallAreNoSlowLinks(seed: UInt64) {
        var link = Link(rate: 1e9, trip: 0.001_8, jitter: 0.000_9)
        link.stalls = (2, 0.008, 0.04)
        var model = SharedLinkModel(link, starts: [0], bytes: Self.timeline, seed: seed)
        model.run()
        #expect(model.time < 7, "\(model.time) s")
        (link.trip, link.jitter, link.stalls) = (0.004, 0.003, (2, 0.04, 0.25))
        model = SharedLinkModel(link, starts: [0], bytes: Self.timeline, seed: seed)
        model.run()
        #expect(model.time < 10, "\(model.time) s")
    }

    // MARK: Slow links

    @Test(arguments: [64e3, 350e3, 1.2e6, 5e6]) func aSlowLinkIsNotFlooded(rate: Double) throws {
        var link = Link(rate: rate, queue: 65_536 * 8 / rate, trip: 0.005)
        link.jitter = 0.000_1
        var model = SharedLinkModel(link, starts: [0], bytes: 40e6, seed: 1)
        model.run(10)
        let known = try #require(model.paces[0].capacity)
        #expect((0.6...1.3).contains(known * 8 / rate), "\(known * 8)")
        let before = model.arrivedBytes
        model.begin()
        model.run(20)
        // And what travels together.
        #expect(model.queue(0.99) < 0.2 + 4 * 1514 * 8 / rate, "\(model.queue(0.99)) s of queue")
        let share = (model.arrivedBytes - before) * 8 / 20 / rate
        #expect(share > 0.6, "\(share) of the link is used")
    }

    @Test func aLinkThatIsWellAgainIsFoundOut() {
        var model = SharedLinkModel(Link(rate: 350e3, queue: 1, trip: 0.005), starts: [0], bytes: 100e6, seed: 1)
        model.run(30)
        #expect(model.paces[0].capacity != nil)
        (model.link.rate, model.link.trip) = (1e9, 0.000_3)
        model.run(30)
        #expect(model.paces[0].capacity == nil, "\(model.limits)")
    }

    @Test func aLinkThatGetsSlowerIsFoundOut() throws {
        var model = SharedLinkModel(Link(rate: 1e9, queue: 0.05), starts: [0], bytes: 100e6, seed: 1)
        model.run(2)
        model.link.rate = 10e6
        model.run(1)
        model.begin()
        model.run(5)
        #expect(model.queue(0.9) < 0.006, "\(model.queue(0.9))")
        #expect((0.6e6...1.25e6).contains(model.limits[0]), "\(model.limits)")
    }

    // MARK: Rests and haste

    @Test func whatIsNotUsedSaysNothing() throws {
        var model = SharedLinkModel(Link(rate: 350e3, queue: 1, trip: 0.005), starts: [0], bytes: 1e6, seed: 1)
        model.run(5)
        var pace = model.paces[0]
        let known = try #require(pace.capacity)
        for tenth in 51..<600 { pace.take(idle(at: Double(tenth) / 10)) }
        #expect(pace.capacity == known)
    }

    @Test func afterARestItBeginsSlowlyUnlessInHaste() {
        var pace = LinkPace()
        var arrived: UInt64 = 0
        for look in 0..<100 {
            pace.take(
                LinkPace.Look(
                    now: time(Double(look) / 100), arrived: arrived, underway: 3_000, roundTrip: 250_000,
                    leastRoundTrip: 220_000, isCrowded: true, pace: pace.limit(share: 1)))
            arrived += UInt64(pace.limit(share: 1) / 100)
        }
        #expect(pace.limit(share: 1) == LinkPace.usualMost)
        for tenth in 10..<25 { pace.take(idle(at: Double(tenth) / 10)) }
        #expect(pace.limit(share: 1) < LinkPace.usualMost / 2)
        pace.hasten(now: time(2.5))
        #expect(pace.limit(share: 1) >= LinkPace.usualMost, "what was proven")
    }

    @Test(arguments: [true, false]) func inHasteAShortQueueStopsNobodyAndALongOneDoes(isShort: Bool) {
        var pace = LinkPace()
        var arrived: UInt64 = 0
        func look(_ index: Int, queue: Int64) {
            pace.take(
                LinkPace.Look(
                    now: time(Double(index) / 100), arrived: arrived, underway: 3_000, roundTrip: 250_000 + queue,
                    leastRoundTrip: 220_000, isCrowded: true, pace: pace.limit(share: 1)))
            arrived += UInt64(pace.limit(share: 1) / 100)
        }
        for index in 0..<100 { look(index, queue: 0) }
        pace.hasten(now: time(1))
        for index in 100..<110 { look(index, queue: isShort ? 4_000_000 : 30_000_000) }
        #expect(isShort ? pace.limit(share: 1) == 40e6 : pace.limit(share: 1) < 20e6, "\(pace.limit(share: 1))")
        for index in 110..<140 { look(index, queue: 4_000_000) }
        #expect(pace.limit(share: 1) <= LinkPace.usualMost, "it is over, and the queue is one too many")
    }

    @Test func aLinkOfWhichALimitIsKnownIsTriedInHasteToo() {
        var model = SharedLinkModel(Link(rate: 40e6), starts: [0], bytes: Self.timeline, seed: 1)
        model.run(1.5)
        var pace = model.paces[0]
        let known = pace.limit(share: 1)
        pace.hasten(now: time(1.5))
        #expect(known < 6e6 && pace.limit(share: 1) >= known)
        var slow = LinkPace()
        slow.learn(100_000, now: time(0))
        slow.hasten(now: time(0))
        #expect(slow.capacity == 100_000, "one that carries little is left alone")
    }

    @Test func whatElseIsFoundOutCounts() {
        var pace = LinkPace()
        pace.learn(30_000, now: time(0))
        #expect(pace.capacity == 30_000 && pace.limit(share: 0.5) == 15_000)
        pace.learn(20_000, now: time(0))
        #expect(pace.capacity == 30_000, "what was measured is better")
    }

    private func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private func idle(at seconds: Double) -> LinkPace.Look {
        LinkPace.Look(
            now: time(seconds), arrived: 0, underway: 0, roundTrip: 0, leastRoundTrip: 0, isCrowded: false, pace: 0)
    }
}
