import Testing
import TuttiCore
import TuttiOutput
import TuttiRendering

/// How often a card's pointer is looked at, and how its runs follow each other.
@Suite struct LookPlanTests {
    private let new: Int64 = 100_000_000
    private let young: Int64 = 1_000_000_000
    private let known: Int64 = 3_000_000_000

    @Test func aNewCardsStepsAreWatchedAndItIsLookedAtFourTimesAPeriod() {
        var plan = LookPlan()
        let fine = plan.next(age: new, step: 1, periods: 1)
        #expect(fine.watch == .now && fine.looks == .random(4))
        let coarse = plan.next(age: new, step: 48, periods: 1)
        #expect(coarse.watch == .meet(else: .always) && coarse.looks == .random(4))
        let unknown = plan.next(age: young, step: 0, periods: 1)
        #expect(unknown.watch == .meet(else: .never) && unknown.looks == .random(4))
        let due = plan.next(age: young, step: 48, periods: 5)
        #expect(due.watch == .meet(else: .seldom))
    }

    @Test func aFinePointerThatIsKnownIsLookedAtEveryEightPeriodsAndEachFourthTimeAtRandom() {
        var plan = LookPlan()
        var looks: [LookPlan.Looks] = []
        for _ in 0..<32 {
            let next = plan.next(age: known, step: 1, periods: 2)
            #expect(next.watch == .none)
            looks.append(next.looks)
        }
        #expect(looks.indices.filter { looks[$0] != .none } == [3, 7, 11, 15, 19, 23, 27, 31])
        #expect(looks.filter { $0 != .none } == [.now, .now, .now, .random(1), .now, .now, .now, .random(1)])
    }

    @Test func aCoarsePointersStepIsMetEveryEightPeriods() {
        var plan = LookPlan()
        let watches = (0..<16).map { _ in plan.next(age: known, step: 48, periods: 1) }
        #expect(watches.allSatisfy { $0.looks == .random(1) })
        #expect(watches.indices.filter { watches[$0].watch == .meet(else: .seldom) } == [7, 15])
    }

    @Test func theThreadRestsForTwoPeriodsWhereTheCardHoldsEnoughThen() {
        func shape(_ period: Int, _ buffer: Int) -> DeviceShape {
            DeviceShape(
                OutputParameters(
                    sampleRate: 48_000, channelCount: 2, sampleType: .int16, periodFrames: period,
                    bufferFrames: buffer, name: "card", kind: .hda))
        }
        #expect(LookPlan.wakePeriods(age: known, shape(480, 2_160)) == 2)
        #expect(LookPlan.wakePeriods(age: known, shape(480, 2_159)) == 1)
        #expect(LookPlan.wakePeriods(age: young, shape(480, 2_160)) == 1)
    }

    @Test func theNextPeriodIsToldOnceOfAnotherRunAndOfAnotherLine() {
        var run = CardRun(began: HostTime(nanoseconds: 5))
        var isAnother = run.enter(1)
        #expect(!isAnother && run.generation == 1)
        var changes = run.takeChanges()
        #expect(!changes.isDiscontinuity && !changes.isRelocated)
        isAnother = run.enter(1)
        #expect(!isAnother)
        isAnother = run.enter(2)
        run.noteReplacements(1)
        run.noteReplacements(1)
        changes = run.takeChanges()
        #expect(isAnother && changes.isDiscontinuity && changes.isRelocated)
        changes = run.takeChanges()
        #expect(!changes.isDiscontinuity && !changes.isRelocated)
        run.restart(at: HostTime(nanoseconds: 9))
        #expect(run.began == HostTime(nanoseconds: 9))
    }
}
