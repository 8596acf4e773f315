import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSender

@Suite("Which playhead a sender goes on from") struct ReattachmentPlayheadTests {
    private static let clock = TimescaleID(rawValue: 7)

    private static func line(_ rate: Double, _ second: Int64, at group: Int64, timescale: UInt64 = 7) -> Playhead {
        let instant = GroupTime(nanoseconds: group, timescale: TimescaleID(rawValue: timescale))
        return Playhead(rate: rate, media: MediaTime(frame: second, sampleRate: 1), group: instant)
    }

    private static func known(_ line: Playhead?, clock: UInt64? = 7) -> KnownPlayback {
        KnownPlayback(playhead: line, timescale: clock.map { TimescaleID(rawValue: $0) })
    }

    @Test("The newest, by its instant")
    func newest() {
        let (old, new) = (Self.line(1, 5, at: 100), Self.line(0, 9, at: 200))
        #expect(Reattachment.playhead(recorded: new, earlier: [old], [Self.known(old)]) == new)
        // The record is an old copy.
        #expect(Reattachment.playhead(recorded: old, earlier: [], [Self.known(old), Self.known(new)]) == new)
        #expect(Reattachment.playhead(recorded: nil, earlier: [], [Self.known(old)]) == old)
    }

    @Test("A room that has not heard of what followed its line does not count, though that would begin later")
    func superseded() {
        let (start, jump) = (Self.line(1, 5, at: 200), Self.line(0, 50, at: 120))
        #expect(Reattachment.playhead(recorded: jump, earlier: [start], [Self.known(start)]) == jump)
    }

    @Test("None on a clock that no room knows any more")
    func lostClock() {
        let line = Self.line(1, 5, at: 100)
        #expect(Reattachment.playhead(recorded: line, earlier: [], [Self.known(nil, clock: 8)]) == nil)
        #expect(Reattachment.playhead(recorded: line, earlier: [], [Self.known(line, clock: nil)]) == nil)
        let other = Self.line(1, 3, at: 50, timescale: 8)
        #expect(Reattachment.playhead(recorded: line, earlier: [], [Self.known(other, clock: 8)]) == other)
        // A later instant on another clock is no newer.
        let both = [Self.known(Self.line(1, 3, at: 900, timescale: 8), clock: 8), Self.known(line)]
        #expect(Reattachment.playhead(recorded: line, earlier: [], both) == line)
    }
}
