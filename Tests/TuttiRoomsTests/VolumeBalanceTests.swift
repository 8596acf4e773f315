import Testing
import TuttiRooms

/// Changes of all rooms keep the balance between them.
@Suite struct VolumeBalanceTests {
    /// Of rooms that have the whole scale.
    private func moved(_ levels: [Double], by step: Double) -> [Double] {
        VolumeBalance.moved(levels, by: step, within: levels.map { _ in 0...100 })
    }

    @Test("a room plays no louder than its limit, and comes back when the others do; the last one ends the step")
    func limits() {
        let up = VolumeBalance.moved([50, 40], by: 30, within: [0...60, 0...100])
        #expect(up == [80, 70])
        #expect(VolumeBalance.moved(up, by: -30, within: [0...60, 0...100]) == [50, 40])
        #expect(VolumeBalance.moved(up, by: 100, within: [0...60, 0...100]) == [110, 100])
        #expect(VolumeBalance.moved([60, 30], by: 10, within: [0...60, 0...30]) == [60, 30])
        // A room whose volume is fixed ends no step.
        #expect(VolumeBalance.moved([100, 40], by: -50, within: [100...100, 0...100]) == [60, 0])
    }

    @Test("5 and 40 are 5 and 40 again after a way down and back, also when it went to the end")
    func there() {
        for step in [10.0, 35, 40] {
            let low = moved([5, 40], by: -step)
            #expect(moved(low, by: step) == [5, 40], "\(low)")
            let high = moved([60, 95], by: step)
            #expect(moved(high, by: -step) == [60, 95], "\(high)")
        }
        // Beyond silence there is nothing: one step up is heard at once.
        let silent = moved(moved([5, 40], by: -100), by: -100)
        #expect(silent == [-35, 0])
        #expect(moved(silent, by: 10) == [-25, 10])
        #expect(moved([], by: 5) == [])
    }
}
