import Testing
import TuttiCore
import TuttiRooms

@Suite("What a group of rooms is made of")
struct GroupValueTests {
    private static func playhead(_ seconds: Int64) -> Playhead {
        Playhead(
            rate: 1, media: MediaTime(frame: seconds, sampleRate: 1),
            group: GroupTime(nanoseconds: seconds, timescale: TimescaleID(rawValue: 7)))
    }

    @Test("the last four playheads are remembered, and none twice")
    func playheads() {
        var timebase = GroupTimebase(Self.playhead(0))
        for second in [1, 1, 2, 3, 4, 5, 6] { timebase.move(to: Self.playhead(Int64(second))) }
        #expect(timebase.playhead == Self.playhead(6))
        #expect(timebase.earlier == [2, 3, 4, 5].map(Self.playhead))
    }

    @Test("a timebase that was written down is the same afterwards; an impossible one changes nothing")
    func record() {
        var timebase = GroupTimebase(Self.playhead(0))
        timebase.restore(StoredTimebase(Self.playhead(9)), earlier: [StoredTimebase(Self.playhead(8))])
        #expect(timebase.playhead == Self.playhead(9))
        #expect(timebase.earlier == [Self.playhead(8)])
        timebase.restore(StoredTimebase(rate: 3, media: .zero, group: 0, timescale: 7), earlier: [])
        #expect(timebase.playhead == Self.playhead(9))
    }

    @Test("there is sound up to what was made or rooms hold; a cut takes from both")
    func source() throws {
        var source = PacketSource()
        #expect(source.soundEnd == nil)
        source.begin = .zero
        source.heldUpTo = MediaTime(frame: 3, sampleRate: 1)
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        for second in 0..<5 {
            let start = MediaTime(frame: Int64(second), sampleRate: 1)
            let buffer = SampleBuffer(
                format: format, presentationTime: start, frameCount: 48_000, data: [UInt8](repeating: 0, count: 192_000)
            )
            source.append(try #require(buffer))
        }
        #expect(source.soundEnd == MediaTime(frame: 5, sampleRate: 1))
        _ = source.cut(from: MediaTime(frame: 2, sampleRate: 1))
        #expect(source.soundEnd == MediaTime(frame: 2, sampleRate: 1))
        #expect(source.begin == .zero)
        _ = source.cut(from: nil)
        #expect(source.soundEnd == nil)
        #expect(source.begin == nil)
    }

    @Test("a released room is done when it confirms, or, called for that alone, holds nothing once it was told")
    func release() {
        var confirmed = RoomRelease()
        confirmed.tell()
        #expect(!confirmed.isOver(holdsNothing: true))
        confirmed.confirm()
        #expect(confirmed.isOver(holdsNothing: false))
        var old = RoomRelease()
        old.callAgain()
        #expect(!old.isOver(holdsNothing: true))
        old.tell()
        #expect(old.isOver(holdsNothing: true))
        #expect(!old.isOver(holdsNothing: false))
    }
}
