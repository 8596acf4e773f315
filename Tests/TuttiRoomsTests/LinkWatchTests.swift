import Testing
import TuttiCore
import TuttiRooms

@Suite struct LinkWatchTests {
    /// Looks four times a second at a room that gets `rate` seconds of sound in a second while it plays.
    ///
    /// - Returns: the first finding that is not fine, and after how many seconds.
    private func watch(
        rate: Double, from lead: Double = 0.2, seconds: Double = 30, isCrowded: Bool = true,
        stall: ClosedRange<Double>? = nil
    ) -> (finding: LinkWatch.Finding, after: Double)? {
        var watch = LinkWatch()
        var end = lead
        for step in 0...Int(seconds * 4) {
            let time = Double(step) / 4
            let finding = watch.take(look(at: time, end: end, lead: max(0, end - time), isCrowded: isCrowded))
            if finding != .fine { return (finding, time) }
            if stall?.contains(time) != true { end += rate / 4 }
        }
        return nil
    }

    private func look(at time: Double, end: Double, lead: Double, isCrowded: Bool = true) -> LinkWatch.Look {
        LinkWatch.Look(
            now: HostTime(nanoseconds: 7_000_000_000 + Int64(time * 1e9)), end: end, lead: lead, isCrowded: isCrowded)
    }

    @Test func aLinkThatCarriesLessThanIsPlayedIsFoundOutInTwoSeconds() throws {
        let found = try #require(watch(rate: 0.7))
        guard case .tooSlow(let rate) = found.finding else { throw CancellationError() }
        #expect(abs(rate - 0.7) < 0.01 && (1.5...2).contains(found.after))
    }

    @Test func aRoomThatHoldsMoreWaitsLonger() throws {
        let found = try #require(watch(rate: 0.7, from: 10))
        #expect((4...6).contains(found.after))
        #expect(watch(rate: 0.9, from: 60) == nil, "half a minute costs it three seconds of sixty")
    }

    @Test func aLinkThatCarriesMoreIsFine() {
        #expect(watch(rate: 1.1) == nil)
        #expect(watch(rate: 20, stall: 1...1.5) == nil, "a stall is made up for")
        #expect(watch(rate: 1, isCrowded: false) == nil, "all that there is has arrived")
    }

    @Test func whereNothingArrivesAtAllIsStuck() throws {
        let found = try #require(watch(rate: 0))
        #expect(found.finding == .stuck && (2.5...3).contains(found.after))
        let later = try #require(watch(rate: 30, stall: 5...30))
        #expect(later.finding == .stuck && (7.5...8).contains(later.after))
    }

    @Test func aRoomThatIsSilentItselfSaysNothingOfItsLink() {
        var watch = LinkWatch()
        #expect(watch.take(look(at: 0, end: 1, lead: 1)) == .fine)
        #expect(watch.take(look(at: 0.25, end: 1, lead: 1)) == .fine)
        #expect(watch.take(look(at: 4, end: 1, lead: 1)) == .fine, "the link was down")
        #expect(watch.take(look(at: 6, end: 1, lead: 1)) == .fine)
    }

    @Test func whatIsDroppedByAFlushIsNoSlowness() {
        var watch = LinkWatch()
        for step in 0..<6 { _ = watch.take(look(at: Double(step) / 4, end: 100 + Double(step) * 3, lead: 100)) }
        #expect(watch.take(look(at: 1.5, end: 2, lead: 2)) == .fine)
        #expect(watch.take(look(at: 1.75, end: 4, lead: 4)) == .fine)
    }
}
