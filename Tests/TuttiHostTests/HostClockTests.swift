import Glibc
import Testing
import TuttiCore
import TuttiHost

@Suite struct HostClockTests {
    @Test func withoutTheVariableItIsTheRawClock() throws {
        let clock = try HostClock.system(environment: [:])
        let before = HostClock.rawNow()
        let now = clock.now().nanoseconds
        #expect(before <= now && now <= HostClock.rawNow())
        #expect(clock.hostTime(raw: 123_456).nanoseconds == 123_456)
    }

    @Test func warpShiftsAndStretches() throws {
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "ppm=20, offset=3.5s"])
        #expect(clock.hostTime(raw: 0).nanoseconds == 3_500_000_000)
        // 20 ppm of 1000 s are 20 ms.
        #expect(clock.hostTime(raw: 1_000_000_000_000).nanoseconds == 1_000_000_000_000 + 3_500_000_000 + 20_000_000)
    }

    @Test func kernelStampsAreWarpedAlike() throws {
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "ppm=-35,offset=-2ms"])
        let bridge = ClockBridge(measuredAt: 0, offset: -1_000, uncertainty: 0)
        #expect(clock.hostTime(realtime: 5_000_000_000, bridge: bridge) == clock.hostTime(raw: 4_999_999_000))
    }

    @Test func driftBendsFromTheStartOn() throws {
        let origin = HostClock.rawNow()
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "drift=60"])
        // ½ · 60 ppm/min · (10 min)² = 300 ppm·min·10 = 180 ms, less what passed between the two readings above.
        let tenMinutes: Int64 = 600_000_000_000
        let gained = clock.hostTime(raw: origin + tenMinutes).nanoseconds - (origin + tenMinutes)
        #expect(abs(gained - 180_000_000) < 1_000_000)
    }

    @Test func aClockThatSleepsStandsStillAndTells() throws {
        let origin = HostClock.rawNow()
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "sleep=5s@100s"])
        func reading(_ seconds: Int64) -> Int64 { clock.hostTime(raw: origin + seconds * 1_000_000_000).nanoseconds }
        #expect(reading(99) - reading(0) == 99_000_000_000)
        #expect(abs(reading(104) - reading(101)) < 10_000_000)
        #expect(abs(reading(200) - reading(0) - 195_000_000_000) < 10_000_000)
        let now = clock.slept()
        #expect(now.lowerBound <= now.upperBound && clock.slept().lowerBound <= now.upperBound)
    }

    @Test(arguments: [
        "ppm", "ppm=", "ppm=x", "offset=3", "offset=3.5", "speed=2", "ppm=1e9", "offset=1e300s", "ppm=nan",
        "sleep=5s", "sleep=5@3s", "sleep=-1s@3s", "sleep=1s@2s@3s",
    ])
    func nonsenseIsRefused(text: String) {
        #expect(throws: HostError.invalidTestClock(text)) {
            try HostClock.system(environment: ["TUTTI_TEST_CLOCK": text])
        }
    }

    @Test func sleepIntervalIsInRealTime() throws {
        let clock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": "ppm=10000"])
        let interval = clock.sleepInterval(until: clock.now().advanced(byNanoseconds: 101_000_000_000))
        // A clock that is 1 % fast shows 101 s after 100 s.
        #expect(interval <= 100_000_000_000 && interval > 99_000_000_000)
        #expect(clock.sleepInterval(until: clock.now().advanced(byNanoseconds: -1)) == 0)
    }
}

@Suite struct ClockBridgeTests {
    @Test func rawClockAgainstItselfIsTight() {
        let bridge = ClockBridge.measure(CLOCK_MONOTONIC_RAW, attempts: 20)
        #expect(bridge.offset.magnitude <= UInt64(bridge.uncertainty))
    }

    @Test func slewingIsContinuousAndAStepIsNot() {
        let first = ClockBridge(measuredAt: 0, offset: 0, uncertainty: 100)
        // 500 ppm over a second.
        #expect(ClockBridge(measuredAt: 1_000_000_000, offset: 500_000, uncertainty: 100).isContinuous(with: first))
        #expect(!ClockBridge(measuredAt: 1_000_000_000, offset: 3_000_000, uncertainty: 100).isContinuous(with: first))
        #expect(!ClockBridge(measuredAt: 1_000_000, offset: -10_000, uncertainty: 100).isContinuous(with: first))
    }
}
