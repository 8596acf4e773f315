import Testing
import TuttiCore
import TuttiHost

struct RandomSourceTests {
    @Test func theSameSeedGivesTheSameNumbersAndCopiesShareThem() {
        let first = RandomSource(seed: 7)
        let second = RandomSource(seed: 7)
        let copy = first
        let drawn = [first.next(), copy.next(), first.next()]
        #expect(drawn == [second.next(), second.next(), second.next()])
        #expect(Set(drawn).count == 3)
        #expect(RandomSource(seed: 8).next() != drawn[0])
    }

    @Test func theSystemsNumbersDiffer() {
        #expect(RandomSource.system.next() != RandomSource.system.next())
    }

    @Test func aSimulatedClockSaysWhatItIsGiven() {
        let clock = HostClock { 42 }
        #expect(clock.now() == HostTime(nanoseconds: 42))
    }
}
