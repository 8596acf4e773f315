import Testing
import TuttiCore
import TuttiPlayback

/// Seams, gaps, starvation and the end.
@Suite struct PlaybackPlanReadingTests {
    private static let second = PlanBench.second

    @Test func anotherSampleRateBeginsOnTheOtherDeckExactlyWhereTheFirstEnds() throws {
        var bench = PlanBench.playing()
        #expect(bench.read(frames: 4_410, at: 44_100) == [.finish(.first), .keep, .lookAgain(milliseconds: 4)])
        #expect(bench.plan.run == nil)
        _ = bench.read(frames: 4_410, at: 44_100)
        // 2.5 s after the start, without a fade, and with the deck that rings out left alone.
        let run = DeckRun(
            sourceRate: 44_100, anchorFrame: 0, anchorGroupNanoseconds: 12_500_000_000, anchorFraction: 0,
            startGroupNanoseconds: 12_500_000_000)
        #expect(bench.start() == [.program(.second, run), .writePreroll(.second), .arm(.second)])
    }

    @Test func aPrerollEndsWhereTheSampleRateChanges() {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(.zero, at: 10 * Self.second))
        _ = bench.read(frames: 4_800)
        #expect(bench.read(frames: 4_410, at: 44_100) == [.seek(to: PlanBench.media(100))])
        #expect(!bench.plan.isPrerolling)
        #expect(bench.start().count == 3)
    }

    @Test func aShortGapIsWaitedForAndThenLeftSilent() {
        var bench = PlanBench.playing()
        let end = PlanBench.media(3_000)
        #expect(bench.read(.gap(until: end)) == [.lookAgain(milliseconds: 50)])
        bench.moment.now = PlanBench.time(12_200_000_000)
        #expect(
            bench.read(.gap(until: end)) == [
                .writeSilence(.first, frames: 24_000, until: end), .lookAgain(milliseconds: 4),
            ])
        #expect(bench.plan.run != nil)
        bench.moment.now = nil
        #expect(bench.read(.gap(until: end)) == [.lookAgain(milliseconds: 50)])
    }

    @Test func behindALongGapTheStreamBeginsAgainUnlessWhatFillsItComes() throws {
        var bench = PlanBench.playing()
        bench.moment.now = PlanBench.time(12_200_000_000)
        let end = PlanBench.media(10_000)
        #expect(
            bench.read(.gap(until: end)) == [.finish(.first), .preroll(from: end), .lookAgain(milliseconds: 4)])
        _ = bench.read(frames: 9_600)
        // No deck is bound to a start that lies so far ahead.
        #expect(bench.start().isEmpty && !bench.plan.isStartDue(bench.moment))
        let gap = try #require(bench.plan.fillableGap(bench.moment))
        #expect(gap.place == PlanBench.media(2_500) && gap.end == PlanBench.media(3_500))
        bench.moment.now = PlanBench.time(15 * Self.second)
        let later = try #require(bench.plan.fillableGap(bench.moment))
        #expect(later.place == PlanBench.media(5_155) && later.end == PlanBench.media(6_155))
        // It has not come.
        var unfilled = bench
        unfilled.moment.now = PlanBench.time(19_500_000_000)
        #expect(unfilled.plan.isStartDue(unfilled.moment))
        #expect(unfilled.start().last == .arm(.second))
        // It has.
        #expect(bench.plan.gapFilled(from: later.place) == [.preroll(from: later.place)])
        bench.moment.position = later.place
        _ = bench.read(frames: 9_600)
        #expect(bench.start().last == .arm(.second))
    }

    @Test func aPrerollSkipsAGapOfLessThanASecondAndWaitsAtALongerOne() {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(.zero, at: 10 * Self.second))
        #expect(bench.read(.gap(until: PlanBench.media(1_000))).isEmpty)
        #expect(bench.read(.gap(until: PlanBench.media(999))) == [.skip(to: PlanBench.media(999))])
        #expect(bench.plan.preroll?.start == PlanBench.media(999))
        #expect(bench.plan.preroll?.gap == .zero)
        #expect(bench.read(.starved).isEmpty && bench.plan.isPrerolling)
        _ = bench.read(frames: 100)
        // The deck leaves what follows silent.
        #expect(bench.read(.gap(until: PlanBench.media(5_000))).isEmpty)
        #expect(!bench.plan.isPrerolling)
    }

    @Test func whoHasNothingWaitsAQuarterOfASecondAndThenJoinsWhereTheOthersAre() {
        var bench = PlanBench.playing()
        #expect(bench.read(.starved) == [.lookAgain(milliseconds: 20)])
        bench.moment.now = PlanBench.time(12_750_000_000)
        #expect(bench.read(.starved) == [.lookAgain(milliseconds: 20)])
        bench.moment.now = PlanBench.time(12_750_000_001)
        let place = MediaTime(frame: 2_750_000_001, sampleRate: 1_000_000_000)
        #expect(
            bench.read(.starved) == [
                .end(.first, atGroupNanoseconds: .min, fadeOutNanoseconds: PlanBench.fade), .preroll(from: place),
                .lookAgain(milliseconds: 20),
            ])
        #expect(bench.plan.isStartDue(bench.moment))
    }

    @Test func theEndIsPlayedOutAndOpensAgainOnTheSameDeckOrTheOther() throws {
        var bench = PlanBench.playing()
        #expect(bench.read(.ended) == [.finish(.first), .lookAgain(milliseconds: 250)])
        #expect(bench.plan.run?.isFinished == true)
        guard case .takeBack(let takeBack)? = bench.plan.endMoved(bench.moment).first else { throw Missing() }
        #expect(takeBack.deck == .first && takeBack.frame == 120_000 && takeBack.margin == 4_800)
        var other = bench
        #expect(bench.tookBack(takeBack, isDone: true).isEmpty)
        #expect(bench.plan.run?.isFinished == false)
        #expect(bench.read(frames: 480) == [.write(.first)])
        // The render thread was too near: the other deck follows without a seam.
        #expect(other.tookBack(takeBack, isDone: false).isEmpty)
        #expect(other.plan.preroll?.start == PlanBench.media(2_500))
        _ = other.read(frames: 9_600)
        guard case .program(.second, let run)? = other.start().first else { throw Missing() }
        #expect(run.fadeInNanoseconds == 0 && run.startGroupNanoseconds == 12_500_000_000)
    }

    private struct Missing: Error {}
}
