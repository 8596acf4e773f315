import Testing
import TuttiCore
import TuttiPlayback

/// When and with what a deck begins.
@Suite struct PlaybackPlanStartTests {
    private static let second = PlanBench.second

    @Test func aStartAheadBeginsAtItsInstantOnceEnoughIsPrerolled() throws {
        var bench = PlanBench()
        let timebase = PlanBench.timebase(.zero, at: 10 * Self.second)
        #expect(bench.set(timebase) == [.preroll(from: .zero)])
        #expect(bench.plan.isPrerolling)
        #expect(bench.read(frames: 7_199) == [.keep])
        #expect(bench.start().isEmpty)
        #expect(bench.plan.isStartDue(bench.moment))
        #expect(bench.read(frames: 1) == [.keep])
        #expect(!bench.plan.isPrerolling)
        // The group's clock is enough: the card is known by then.
        bench.moment.isDeviceSettled = false
        let run = DeckRun(
            sourceRate: 48_000, anchorFrame: 0, anchorGroupNanoseconds: 10 * Self.second, anchorFraction: 0,
            startGroupNanoseconds: 10 * Self.second)
        #expect(bench.start() == [.program(.first, run), .writePreroll(.first), .arm(.first)])
        let playing = try #require(bench.plan.run)
        #expect(playing.deck == .first && playing.timebase == timebase && playing.start == .zero)
        #expect(bench.start().isEmpty && !bench.plan.isStartDue(bench.moment))
    }

    @Test func aStartAmidTheProgrammeFadesIn() throws {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(PlanBench.media(5_000), at: 10 * Self.second))
        _ = bench.read(frames: 9_600)
        guard case .program(_, let run)? = bench.start().first else { throw Missing() }
        #expect(run.fadeInNanoseconds == PlanBench.fade)
    }

    @Test func aStartThatComesTooLateJoinsALittleLater() throws {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(.zero, at: Self.second / 2))
        _ = bench.read(frames: 9_600)
        bench.moment.isDeviceSettled = false
        #expect(bench.start().isEmpty)
        bench.moment.isDeviceSettled = true
        let late = PlanBench.lead + PlanBench.lateness
        #expect(bench.start() == [.preroll(from: PlanBench.media(655))])
        #expect(bench.start().isEmpty)
        _ = bench.read(frames: 9_600)
        guard case .program(.first, let run)? = bench.start().first else { throw Missing() }
        #expect(run.startGroupNanoseconds == Self.second + late)
        #expect(run.anchorGroupNanoseconds == Self.second + late && run.anchorFrame == 0)
    }

    @Test func anEndOnAnotherClockTakesThePlaceOfALaterInstantOnTheOldOne() {
        var bench = PlanBench.playing()
        #expect(bench.set(PlanBench.timebase(.zero, at: 12 * Self.second, rate: 0)).first == Self.end(12))
        #expect(bench.set(PlanBench.timebase(.zero, at: 13 * Self.second, rate: 0)).isEmpty)
        // The new clock's epoch is earlier: its instants are greater numbers.
        let other = GroupTime(nanoseconds: 1_000 * Self.second, timescale: TimescaleID(rawValue: 8))
        #expect(bench.set(Timebase(rate: 0, mediaTime: .zero, groupTime: other)) == [Self.end(1_000)])
    }

    private static func end(_ seconds: Int64) -> PlaybackPlan.Effect {
        .end(.first, atGroupNanoseconds: seconds * second, fadeOutNanoseconds: PlanBench.fade)
    }

    @Test func offlineALateStartIsNow() throws {
        var bench = PlanBench(leads: .offline)
        _ = bench.set(PlanBench.timebase(.zero, at: Self.second / 2))
        #expect(bench.start() == [.preroll(from: PlanBench.media(500))])
        _ = bench.read(frames: 9_600)
        guard case .program(.first, let run)? = bench.start().first else { throw Missing() }
        #expect(run.startGroupNanoseconds == Self.second)
        // And one that is now is in time.
        bench = PlanBench(leads: .offline)
        _ = bench.set(PlanBench.timebase(.zero, at: Self.second))
        _ = bench.read(frames: 9_600)
        #expect(bench.start().count == 3)
    }

    @Test func nothingBeginsWithoutClockDeckOrAudio() {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(.zero, at: 10 * Self.second))
        _ = bench.read(frames: 9_600)
        let whole = bench.moment
        bench.moment.now = nil
        #expect(bench.start().isEmpty)
        bench.moment.now = GroupTime(nanoseconds: Self.second, timescale: TimescaleID(rawValue: 8))
        #expect(bench.start().isEmpty)
        bench.moment = whole
        bench.moment.isClockSteady = false
        #expect(bench.start().isEmpty)
        bench.moment = whole
        bench.moment.decks = nil
        #expect(bench.start().isEmpty)
        bench.moment = whole
        bench.stand(.first, .playing)
        bench.stand(.second, .armed)
        #expect(bench.start().isEmpty)
        // What plays has ended.
        bench.stand(.first, .finished)
        #expect(bench.start().last == .arm(.first))
    }

    @Test func aPauseEndsWhatPlaysAtItsInstantAndResumingKeepsWhatIsPrerolled() {
        var bench = PlanBench.playing()
        let paused = PlanBench.timebase(PlanBench.media(2_000), at: 12 * Self.second, rate: 0)
        #expect(
            bench.set(paused) == [
                .end(.first, atGroupNanoseconds: 12 * Self.second, fadeOutNanoseconds: PlanBench.fade),
                .preroll(from: PlanBench.media(2_000)),
            ])
        _ = bench.read(frames: 9_600)
        #expect(bench.start().isEmpty && !bench.plan.isStartDue(bench.moment))
        bench.stand(.first, .finished)
        #expect(bench.set(PlanBench.timebase(PlanBench.media(2_000), at: 20 * Self.second)).isEmpty)
        #expect(bench.start().last == .arm(.first))
    }

    @Test func aDeckKeepsTheEarlierOfItsEnds() {
        var bench = PlanBench.playing()
        let (sooner, later) = (12 * Self.second, 13 * Self.second)
        #expect(bench.set(PlanBench.timebase(.zero, at: later)).count == 2)
        #expect(bench.set(PlanBench.timebase(PlanBench.media(1), at: later)).count == 1)
        #expect(
            bench.set(PlanBench.timebase(PlanBench.media(2), at: sooner)).first
                == .end(.first, atGroupNanoseconds: sooner, fadeOutNanoseconds: PlanBench.fade))
    }

    @Test func otherDecksBeginWhereTheCommandIsByNow() {
        var bench = PlanBench.playing()
        #expect(bench.plan.decksReplaced(bench.moment) == [.preroll(from: .zero)])
        #expect(bench.plan.run == nil && bench.plan.isStartDue(bench.moment))
    }

    @Test func aClearedStreamIsForgotten() {
        var bench = PlanBench.playing()
        #expect(
            bench.plan.cleared(bench.moment) == [
                .end(.first, atGroupNanoseconds: .min, fadeOutNanoseconds: PlanBench.fade), .forget,
            ])
        #expect(bench.plan.run == nil && bench.plan.preroll == nil)
        #expect(bench.start().isEmpty && bench.read(.starved).isEmpty)
    }

    private struct Missing: Error {}
}
