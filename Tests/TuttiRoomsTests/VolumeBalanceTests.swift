import Testing
import TuttiRooms

/// Changes of all rooms keep the balance between them.
@Suite struct VolumeBalanceTests {
    @Test("5 and 40 are 5 and 40 again after a way down and back, also when it went to the end")
    func there() {
        for step in [10.0, 35, 40] {
            let low = VolumeBalance.moved([5, 40], by: -step)
            #expect(VolumeBalance.moved(low, by: step) == [5, 40], "\(low)")
            let high = VolumeBalance.moved([60, 95], by: step)
            #expect(VolumeBalance.moved(high, by: -step) == [60, 95], "\(high)")
        }
        // Beyond silence there is nothing: one step up is heard at once.
        let silent = VolumeBalance.moved(VolumeBalance.moved([5, 40], by: -100), by: -100)
        #expect(silent == [-35, 0])
        #expect(VolumeBalance.moved(silent, by: 10) == [-25, 10])
        #expect(VolumeBalance.moved([], by: 5) == [])
    }
}
