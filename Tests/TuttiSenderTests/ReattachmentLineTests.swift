import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSender
import TuttiWire

@Suite("Which line goes on") struct ReattachmentLineTests {
    private static let clock = TimescaleID(rawValue: 7)

    private static func line(_ rate: Double, _ second: Int64, at group: Int64, timescale: UInt64 = 7) -> Playhead {
        let instant = GroupTime(nanoseconds: group, timescale: TimescaleID(rawValue: timescale))
        return Playhead(rate: rate, media: MediaTime(frame: second, sampleRate: 1), group: instant)
    }

    private static func welcome(_ line: Playhead?, clock: UInt64? = 7) -> Welcome {
        var welcome = Welcome(
            id: "a", name: "a", bufferSeconds: 1, bufferBytes: 1, codecs: [], device: "", deviceFormat: "",
            clock: clock.map {
                KnownClock(timescale: TimescaleID(rawValue: $0), time: 0, origin: "o", leaderID: nil)
            })
        welcome.timebase = line.map { TimebaseCommand(rate: $0.rate, media: $0.media, group: $0.group) }
        return welcome
    }

    @Test("The newest, by its instant")
    func newest() {
        let (old, new) = (Self.line(1, 5, at: 100), Self.line(0, 9, at: 200))
        #expect(Reattachment.line(recorded: new, earlier: [old], [Self.welcome(old)]) == new)
        // The record is an old copy.
        #expect(Reattachment.line(recorded: old, earlier: [], [Self.welcome(old), Self.welcome(new)]) == new)
        #expect(Reattachment.line(recorded: nil, earlier: [], [Self.welcome(old)]) == old)
    }

    @Test("A room that has not heard of what followed its line does not count, though that would begin later")
    func superseded() {
        let (start, jump) = (Self.line(1, 5, at: 200), Self.line(0, 50, at: 120))
        #expect(Reattachment.line(recorded: jump, earlier: [start], [Self.welcome(start)]) == jump)
    }

    @Test("None on a clock that no room knows any more")
    func lostClock() {
        let line = Self.line(1, 5, at: 100)
        #expect(Reattachment.line(recorded: line, earlier: [], [Self.welcome(nil, clock: 8)]) == nil)
        #expect(Reattachment.line(recorded: line, earlier: [], [Self.welcome(line, clock: nil)]) == nil)
        let other = Self.line(1, 3, at: 50, timescale: 8)
        #expect(Reattachment.line(recorded: line, earlier: [], [Self.welcome(other, clock: 8)]) == other)
        // A later instant on another clock is no newer.
        let both = [Self.welcome(Self.line(1, 3, at: 900, timescale: 8), clock: 8), Self.welcome(line)]
        #expect(Reattachment.line(recorded: line, earlier: [], both) == line)
    }
}
