import Testing
import TuttiCore
import TuttiPlayback

/// What is taken back, and what begins instead.
@Suite struct PlaybackPlanFlushTests {
    private static let second = PlanBench.second

    @Test func aFlushAmidTheRunTakesItsFramesBack() throws {
        var bench = PlanBench.playing()
        let takeBack = try Self.takeBack(bench.flush(PlanBench.media(2_000)))
        #expect(takeBack.deck == .first && takeBack.frame == 96_000 && takeBack.margin == 4_800)
        #expect(bench.tookBack(takeBack, isDone: true) == [.seek(to: PlanBench.media(2_000))])
        #expect(bench.plan.run?.isFinished == false)
        #expect(bench.read(frames: 480) == [.write(.first)])
    }

    @Test func aFlushTooNearToTheRenderThreadIsFollowedByTheOtherDeck() throws {
        var bench = PlanBench.playing()
        let takeBack = try Self.takeBack(bench.flush(PlanBench.media(1_200)))
        #expect(
            bench.tookBack(takeBack, isDone: false) == [
                .end(.first, atGroupNanoseconds: 11_200_000_000, fadeOutNanoseconds: PlanBench.fade),
                .preroll(from: PlanBench.media(1_200)),
            ])
        _ = bench.read(frames: 9_600)
        guard case .program(.second, let run)? = bench.start().first else { throw Missing() }
        #expect(run.startGroupNanoseconds == 11_200_000_000)
    }

    @Test func aFlushOfWhatTheDeckHadNoRoomForDropsThat() {
        var bench = PlanBench.playing()
        bench.stand(.first, .playing, written: 90_000)
        #expect(bench.flush(PlanBench.media(2_000)) == [.keepRest(frames: 6_000), .seek(to: PlanBench.media(2_000))])
    }

    @Test func aFlushBehindWhatIsReadChangesNothing() {
        var bench = PlanBench.playing()
        #expect(bench.flush(PlanBench.media(2_500)).isEmpty)
        #expect(bench.plan.run != nil)
    }

    @Test func aFlushOfAllBeginsWhereTheCommandIs() {
        var bench = PlanBench.playing()
        #expect(
            bench.flush(nil) == [
                .end(.first, atGroupNanoseconds: .min, fadeOutNanoseconds: PlanBench.fade), .preroll(from: .zero),
            ])
        #expect(bench.start() == [.preroll(from: PlanBench.media(1_155))])
    }

    @Test func aRunNobodyHasHeardOfIsTakenBackAtOnce() {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(PlanBench.media(1_000), at: 10 * Self.second))
        _ = bench.read(frames: 48_000)
        _ = bench.start()
        bench.stand(.first, .armed, written: 48_000)
        #expect(
            bench.flush(PlanBench.media(1_000)) == [
                .end(.first, atGroupNanoseconds: .min, fadeOutNanoseconds: 0), .preroll(from: PlanBench.media(1_000)),
            ])
        _ = bench.read(frames: 9_600)
        #expect(bench.start().last == .arm(.first))
    }

    @Test func anArmedDeckGivesBackAnyFrameWhileItsStartIsFarEnough() throws {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(.zero, at: 10 * Self.second))
        _ = bench.read(frames: 48_000)
        _ = bench.start()
        bench.stand(.first, .armed, written: 48_000)
        #expect(try Self.takeBack(bench.flush(PlanBench.media(10))).margin == 0)
        bench.moment.now = PlanBench.time(9_860_000_000)
        #expect(bench.flush(PlanBench.media(10)).last == .preroll(from: PlanBench.media(10)))
    }

    @Test func aPrerollBeginsAgainWhereItsCommandPutsIt() {
        var bench = PlanBench()
        _ = bench.set(PlanBench.timebase(PlanBench.media(1_000), at: 10 * Self.second))
        _ = bench.read(.gap(until: PlanBench.media(1_500)))
        _ = bench.read(frames: 9_600)
        #expect(bench.flush(PlanBench.media(1_600)) == [.preroll(from: PlanBench.media(1_000))])
        // By then it has moved on.
        bench.moment.now = PlanBench.time(10_200_000_000)
        _ = bench.read(.gap(until: PlanBench.media(1_500)))
        _ = bench.read(frames: 9_600)
        #expect(bench.flush(PlanBench.media(1_600)) == [.preroll(from: PlanBench.media(1_200))])
    }

    @Test func whatPlaysOnTheTimebaseBeforeEndsWhereThatHasTheTime() {
        var bench = PlanBench.playing()
        _ = bench.set(PlanBench.timebase(PlanBench.media(2_000), at: 20 * Self.second))
        _ = bench.read(frames: 48_000)
        // The command puts 1.5 s before its start; what sounds until then has it at 11.5 s.
        #expect(
            bench.flush(PlanBench.media(1_500)) == [
                .end(.first, atGroupNanoseconds: 11_500_000_000, fadeOutNanoseconds: PlanBench.fade),
                .preroll(from: PlanBench.media(2_000)),
            ])
    }

    @Test func withoutAStreamAFlushOnlyEndsWhatRingsOut() {
        var bench = PlanBench.playing()
        _ = bench.plan.cleared(bench.moment)
        bench.moment.position = nil
        #expect(bench.flush(nil).isEmpty)
        bench = PlanBench()
        bench.stand(.second, .playing)
        #expect(
            bench.flush(.zero) == [
                .end(.second, atGroupNanoseconds: .min, fadeOutNanoseconds: PlanBench.fade)
            ])
    }

    private static func takeBack(_ effects: [PlaybackPlan.Effect]) throws -> PlaybackPlan.TakeBack {
        guard case .takeBack(let takeBack)? = effects.first, effects.count == 1 else { throw Missing() }
        return takeBack
    }

    private struct Missing: Error {}
}
