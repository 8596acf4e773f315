import Testing
import TuttiCore
import TuttiSpeaker

/// When the output device is open.
@Suite struct DeviceUseTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("usually it is open while a sender is here, and for three seconds after")
    func afterSenders() {
        var device = DeviceUse(.afterSenders)
        #expect(!device.isOpen(now: at(0)))
        #expect(device.isNeeded(isOccupied: true, isSounding: false))
        #expect(device.isNeeded(isOccupied: false, isSounding: true), "a buffer plays on when its sender is gone")
        #expect(!device.isNeeded(isOccupied: false, isSounding: false))
        device.note(now: at(10))
        #expect(device.isOpen(now: at(12.9)) && device.isInUse(now: at(12.9)))
        #expect(!device.isOpen(now: at(13)) && !device.isInUse(now: at(13)))
    }

    @Test("with a time it is let go so long after the last sound, also in a pause")
    func afterSilence() {
        var device = DeviceUse(.after(30_000_000_000))
        #expect(!device.isNeeded(isOccupied: true, isSounding: false))
        #expect(device.isNeeded(isOccupied: false, isSounding: true))
        device.note(now: at(10))
        #expect(device.isOpen(now: at(39.9)))
        #expect(!device.isInUse(now: at(39.9)), "whether it is open does not make it used")
        #expect(!device.isOpen(now: at(40)))
        device.note(now: at(50))
        #expect(device.isOpen(now: at(50)))
    }

    @Test("with never it is open from the start on")
    func never() {
        let device = DeviceUse(.never)
        #expect(device.isOpen(now: at(0)))
        #expect(!device.isInUse(now: at(0)))
    }
}
