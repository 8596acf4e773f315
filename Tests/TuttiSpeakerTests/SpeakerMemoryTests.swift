import Testing
import TuttiCore
import TuttiRendering
import TuttiSpeaker
import TuttiWire

/// What is remembered, and when it is written.
@Suite struct SpeakerMemoryTests {
    private func memory() -> SpeakerMemory { SpeakerMemory(SpeakerState(id: "kitchen"), device: "card") }

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func theFirstChangeIsWrittenAtOnceAndTheLastOfManyAfterASecond() {
        var memory = memory()
        memory.setLoudness(VolumeCommand(percent: 20, isMuted: true))
        memory.setOutputDelay(milliseconds: 12)
        #expect(memory.loudness == VolumeCommand(percent: 20, isMuted: true))
        #expect(memory.state.outputDelayMilliseconds == 12)
        #expect(memory.changed(now: at(0)) == 0)
        memory.saved(now: at(0))
        #expect(memory.changed(now: at(300)) == 700_000_000)
        #expect(memory.changed(now: at(400)) == nil)
        memory.saved(now: at(1_000))
        #expect(memory.changed(now: at(5_000)) == 0)
        // What fails to be written is tried with the next change.
        #expect(memory.changed(now: at(5_000)) == 0)
    }

    @Test func nothingIsLouderThanTheLimit() {
        var state = SpeakerState(id: "kitchen")
        state.volume = 90
        var memory = SpeakerMemory(state, device: "card", volumes: 0...60)
        #expect(memory.loudness.percent == 60)
        memory.setLoudness(VolumeCommand(percent: 100, isMuted: true))
        #expect(memory.loudness == VolumeCommand(percent: 60, isMuted: true))
        memory.setLoudness(VolumeCommand(percent: 59))
        #expect(memory.loudness.percent == 59)
        #expect(SpeakerMemory(state, device: "card", volumes: 100...100).loudness.percent == 100)
    }

    @Test func ratesAreLookedAtAfterFiveSecondsAndThenEachMinuteWhileTheDeviceIsOpen() {
        var memory = memory()
        let looks: [(isWanted: Bool, time: Int64)] = [
            (true, 0), (true, 4_999), (true, 5_000), (true, 64_999), (true, 65_000), (false, 200_000), (true, 200_000),
            (true, 205_000),
        ]
        let due = looks.map { memory.areRatesDue(isDeviceWanted: $0.isWanted, now: at($0.time)) }
        #expect(due == [false, false, true, false, true, false, false, true])
    }

    @Test func aRateIsNewsWhenItIsAnotherOrMuchSurer() {
        var memory = memory()
        func findings(_ ppm: Double, _ sigma: Double) -> SpeakerMemory.Findings {
            SpeakerMemory.Findings(card: RememberedRate(ppm: ppm, sigma: sigma))
        }
        let first = memory.learnNews(findings(10, 1))
        #expect(first && memory.state.devices == ["card": RememberedRate(ppm: 10, sigma: 1)])
        let same = memory.learnNews(findings(10.04, 0.8))
        #expect(!same && memory.state.devices["card"]?.ppm == 10)
        let surer = memory.learnNews(findings(10.04, 0.69))
        #expect(surer && memory.state.devices["card"]?.ppm == 10.04)
        var leader = SpeakerMemory.Findings()
        leader.leader = ("hall", RememberedRate(ppm: -3, sigma: 0.1))
        let other = memory.learnNews(leader)
        #expect(other && memory.state.leaders.keys.contains("hall"))
    }
}
