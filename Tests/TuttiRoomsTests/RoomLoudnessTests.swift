import Testing
import TuttiCore
import TuttiRooms
import TuttiWire

@Suite struct RoomLoudnessTests {
    private static func time(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
    private let loud = VolumeCommand(percent: 80)
    private let soft = VolumeCommand(percent: 20)

    @Test("a room that has reported nothing is not known; its first report is believed")
    func firstReport() {
        var loudness = RoomLoudness()
        #expect(!loudness.isKnown)
        #expect(loudness.take(soft, now: Self.time(0)) == nil)
        #expect(loudness.isKnown)
        #expect(loudness.level == soft)
    }

    @Test("reports from before a change are not believed, and a confirmed one ends the matter")
    func confirmed() {
        var loudness = RoomLoudness()
        loudness.set(loud, now: Self.time(0))
        #expect(loudness.take(soft, now: Self.time(100)) == nil)
        #expect(loudness.level == loud)
        #expect(loudness.take(loud, now: Self.time(200)) == nil)
        #expect(loudness.unconfirmed == nil)
    }

    @Test("a room that did not hear it is told once more; after that its own volume counts")
    func toldAgain() {
        var loudness = RoomLoudness()
        loudness.set(loud, now: Self.time(0))
        #expect(loudness.take(soft, now: Self.time(600)) == loud)
        #expect(loudness.take(soft, now: Self.time(700)) == nil)
        #expect(loudness.level == loud)
        #expect(loudness.take(soft, now: Self.time(1200)) == nil)
        #expect(loudness.unconfirmed == nil)
        #expect(loudness.level == soft)
    }

    @Test("what was written down is told after a restart, and impossible values are dropped")
    func restored() {
        var loudness = RoomLoudness(balance: -10, unconfirmed: loud)
        #expect(loudness.take(soft, now: Self.time(0)) == loud)
        #expect(RoomLoudness(balance: 1e9, unconfirmed: VolumeCommand(percent: -1)).unconfirmed == nil)
        #expect(RoomLoudness(balance: .nan, unconfirmed: nil).balance == nil)
    }

    @Test("a room with a limit is told no more than that, and confirms it; what it was told before counts as that")
    func limited() {
        var loudness = RoomLoudness()
        loudness.set(loud, now: Self.time(0))
        // The speaker has cut it to 60.
        let cut = VolumeCommand(percent: 60)
        #expect(loudness.take(cut, range: 0...60, now: Self.time(600)) == nil)
        #expect(loudness.unconfirmed == nil)
        #expect(loudness.level == cut)
        #expect(loudness.set(loud, now: Self.time(1_000)) == cut)
        loudness.balance = 85
        #expect(loudness.balancedPercent == 85)
        #expect(loudness.set(soft, now: Self.time(1_000)) == soft)
        #expect(loudness.balancedPercent == 20)
    }

    @Test("a balance beyond the scale counts until the volume is set alone")
    func balance() {
        var loudness = RoomLoudness()
        loudness.set(VolumeCommand(percent: 0), now: Self.time(0))
        loudness.balance = -15
        #expect(loudness.balancedPercent == -15)
        loudness.set(soft, now: Self.time(0))
        #expect(loudness.balancedPercent == 20)
    }
}
