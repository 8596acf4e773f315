import Testing
import TuttiClock
import TuttiCore

@Suite struct SharedClockTests {
    @Test(
        "the clock that most know is shared, and of two the one of the smaller number",
        arguments: [
            ([], nil), ([9], 9), ([9, 7], 7), ([7, 9], 7), ([9, 7, 9], 9), ([1, 2, 2, 3, 3], 2),
        ] as [([UInt64], UInt64?)])
    func best(known: [UInt64], expected: UInt64?) {
        #expect(SharedClock.best(of: known.map(TimescaleID.init))?.rawValue == expected)
    }
}
