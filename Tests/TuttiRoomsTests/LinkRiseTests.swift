import Testing
import TuttiCore
import TuttiRooms

@Suite("Trying more on a link") struct LinkRiseTests {
    private static func time(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("more is tried after a pause, which doubles while the link stays the same")
    func pauses() {
        var rise = LinkRise()
        rise.rest(now: Self.time(0))
        #expect(!rise.isDue(now: Self.time(499)) && rise.isDue(now: Self.time(500)))
        rise.met(2_000_000, isAnother: false)
        rise.rest(now: Self.time(0))
        #expect(!rise.isDue(now: Self.time(999)) && rise.isDue(now: Self.time(1_000)))
        for _ in 0..<10 { rise.met(2_000_000, isAnother: false) }
        rise.rest(now: Self.time(0))
        #expect(!rise.isDue(now: Self.time(15_999)) && rise.isDue(now: Self.time(16_000)))
        rise.met(500_000, isAnother: true)
        rise.rest(now: Self.time(0))
        #expect(!rise.isDue(now: Self.time(1_999)) && rise.isDue(now: Self.time(2_000)), "a slow link is another one")
    }

    @Test("a step is small at first, and grows where much more than was known comes through")
    func steps() {
        var rise = LinkRise()
        var rate = rise.step(from: 1_000_000, elapsed: 1e8)
        #expect(abs(rate - 1_020_000) < 1 && rise.isOn && rise.known == 1_000_000)
        var largest = 0.0
        for _ in 0..<40 {
            let risen = rise.step(from: rate, elapsed: 1e8)
            largest = max(largest, risen / rate - 1)
            rate = risen
        }
        #expect(abs(largest - 0.25) < 1e-9)
        rise.stop()
        #expect(!rise.isOn)
    }

    @Test("a link that carries nothing does not rise")
    func nothing() {
        var rise = LinkRise()
        #expect(rise.step(from: 0, elapsed: 1e8) == 0 && !rise.isOn)
    }

    @Test("haste lasts 300 ms, ends once, and has a limit of its own each time")
    func haste() {
        var haste = LinkHaste()
        #expect(!haste.isOn && !haste.endIfDue(now: Self.time(0)))
        haste.begin(now: Self.time(0))
        let most = haste.most
        haste.limit(to: 1_000_000)
        #expect(haste.isOn && haste.most == 1_000_000 && !haste.endIfDue(now: Self.time(299)))
        #expect(haste.endIfDue(now: Self.time(300)) && !haste.isOn && !haste.endIfDue(now: Self.time(301)))
        haste.begin(now: Self.time(400))
        #expect(haste.most == most)
    }
}
