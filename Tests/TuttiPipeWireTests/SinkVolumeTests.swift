import Testing
import TuttiPipeWire
import TuttiRemote

@Suite("Volumes of sinks and groups") struct SinkVolumeTests {
    @Test("what people see is the cube root of what PipeWire scales by")
    func cubic() {
        #expect(CubicVolume.linear(ofPercent: 50) == 0.125)
        #expect(abs(CubicVolume.percent(ofLinear: 0.125) - 50) < 1e-4)
        for percent in stride(from: 0.0, through: 100, by: 1) {
            #expect(abs(CubicVolume.percent(ofLinear: CubicVolume.linear(ofPercent: percent)) - percent) < 1e-3)
        }
        for wild in [Float.nan, -Float.infinity, -1, 0] { #expect(CubicVolume.percent(ofLinear: wild) == 0) }
        #expect(CubicVolume.percent(ofLinear: Float.infinity) == 0)
        #expect(CubicVolume.percent(ofLinear: 8) == 200)
        #expect(CubicVolume.linear(ofPercent: 200) == 1 && CubicVolume.linear(ofPercent: -3) == 0)
    }

    @Test("the house's volume is shown, once")
    func told() {
        var volume = SinkVolume(at: -100)
        #expect(volume.told(Self.level(40), at: 0) == .show(Self.level(40)))
        #expect(volume.told(Self.level(40.2), at: 1) == nil)
        #expect(volume.told(Self.level(40, true), at: 2) == .show(Self.level(40, true)))
    }

    @Test("a slider that moves asks for its last place, one request at a time, and never jumps back")
    func slider() {
        var volume = SinkVolume(at: -100)
        volume.spacing = 0.2
        _ = volume.told(Self.level(40), at: 0)
        #expect(volume.set(Self.level(50), at: 1) == .ask(Self.level(50), before: Self.level(40)))
        #expect(volume.set(Self.level(60), at: 1.1) == nil)
        #expect(volume.set(Self.level(70), at: 1.2) == nil)
        #expect(volume.told(Self.level(50), at: 1.3) == nil)
        #expect(volume.answered(isDone: true, at: 1.4) == nil && volume.deadline == 1.4 + volume.spacing)
        #expect(volume.told(Self.level(50), at: 1.5) == nil)
        #expect(volume.settle(at: 1.7) == .ask(Self.level(70), before: Self.level(50)))
        #expect(volume.answered(isDone: true, at: 1.8) == nil)
        #expect(volume.told(Self.level(50), at: 1.9) == nil, "it may be an old one")
        #expect(volume.told(Self.level(70), at: 2) == nil)
        #expect(volume.deadline == 1.8 + SinkVolume.settling)
        #expect(volume.settle(at: 2.4) == nil && volume.deadline == nil)
        #expect(volume.told(Self.level(50), at: 3) == .show(Self.level(50)))
    }

    @Test("what the house makes of it is shown in the end: a room that is not to be so loud, or a refusal")
    func limits() {
        var volume = SinkVolume(at: -100)
        _ = volume.told(Self.level(40), at: 0)
        _ = volume.set(Self.level(153), at: 1)
        #expect(volume.answered(isDone: true, at: 1.1) == nil)
        #expect(volume.told(Self.level(80), at: 1.2) == nil)
        #expect(volume.settle(at: 2) == .show(Self.level(80)))
        #expect(volume.set(Self.level(20), at: 3) == .ask(Self.level(20), before: Self.level(80)))
        #expect(volume.answered(isDone: false, at: 3.1) == .show(Self.level(80)))
        #expect(volume.answered(isDone: true, at: 4) == nil)
    }

    @Test("what is set as the house has it already is not asked for")
    func same() {
        var volume = SinkVolume(at: -100)
        _ = volume.told(Self.level(40), at: 0)
        #expect(volume.set(Self.level(40), at: 1) == nil)
    }

    @Test("what the session manager remembers of a sink never makes rooms loud")
    func restored() {
        var volume = SinkVolume(at: 10)
        #expect(volume.set(Self.level(100), at: 10) == nil)
        #expect(volume.told(Self.level(20), at: 10.1) == .show(Self.level(20)))
        #expect(volume.set(Self.level(100, true), at: 10.5) == .show(Self.level(20)))
        #expect(volume.set(Self.level(20), at: 10.6) == nil)
        #expect(volume.set(Self.level(30), at: 12) == .ask(Self.level(30), before: Self.level(20)))
    }

    private static func level(_ volume: Double, _ isMuted: Bool = false) -> GroupLevel {
        GroupLevel(volume: volume, isMuted: isMuted)
    }
}
