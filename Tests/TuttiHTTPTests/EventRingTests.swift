import NIOCore
import Testing
import TuttiHTTP

@Suite struct EventRingTests {
    private func text(_ bytes: ByteBuffer) -> String { String(buffer: bytes) }

    private func ring(_ count: Int) -> EventRing {
        var ring = EventRing(epoch: 0xAB)
        for number in 0..<count { ring.append("state", Array("{\"n\":\(number)}".utf8)) }
        return ring
    }

    @Test func aNewListenerIsToldToReadAnew() {
        let (bytes, cursor) = ring(3).next(after: nil)
        #expect(text(bytes) == "id: ab-3\nevent: reset\ndata: {\"event\":\"reset\"}\n\n")
        #expect(cursor == ring(3).end)
    }

    @Test func aListenerThatComesBackGetsWhatItMissed() throws {
        let cursor = try #require(EventRing.Cursor("ab-1"))
        let (bytes, end) = ring(3).next(after: cursor)
        #expect(
            text(bytes)
                == "id: ab-2\nevent: state\ndata: {\"n\":1}\n\nid: ab-3\nevent: state\ndata: {\"n\":2}\n\n")
        #expect(ring(3).next(after: end).bytes.readableBytes == 0)
    }

    @Test(arguments: ["ac-1", "ab-9", "ab-4"])
    func aPlaceThatIsNotInTheRingMeansReset(_ place: String) throws {
        let cursor = try #require(EventRing.Cursor(place))
        #expect(text(ring(3).next(after: cursor).bytes).contains("event: reset"))
    }

    @Test func theRingIsBounded() throws {
        let ring = ring(EventRing.mostEvents * 3 + 7)
        let oldest = ring.end.number - UInt64(EventRing.mostEvents)
        let kept = ring.next(after: EventRing.Cursor(epoch: 0xAB, number: oldest))
        #expect(text(kept.bytes).hasPrefix("id: ab-\(String(oldest + 1))\nevent: state\n"))
        let gone = ring.next(after: EventRing.Cursor(epoch: 0xAB, number: oldest - 1))
        #expect(text(gone.bytes).contains("event: reset"))
    }

    @Test func guestsHearOfTheirGroupAlone() throws {
        var ring = EventRing(epoch: 1)
        for line in [
            #"{"event":"state","group":"party","n":0}"#, #"{"event":"state","group":"attic","n":1}"#,
            #"{"event":"notice","message":"x","n":2}"#, #"{"event":"changed","what":"rooms","n":3}"#,
            #"{"event":"changed","what":"schedules","n":4}"#, #"{"event":"service","running":false,"n":5}"#,
            #"{"event":"changed","what":"queue","group":"PÁRTY","n":6}"#,
            #"{"event":"changed","what":"groups","group":"attic","n":7}"#, "no JSON 8",
        ] {
            let (name, audience) = EventFeed.address(of: Array(line.utf8))
            ring.append(name, Array(line.utf8), for: audience)
        }
        let start = EventRing.Cursor(epoch: 1, number: 0)
        let (bytes, cursor) = ring.next(after: start, for: "Party")
        let heard = (0..<9).filter { text(bytes).contains("\"n\":\($0)}") }
        #expect(heard == [0, 3, 5, 6] && cursor == ring.end)
        #expect(text(ring.next(after: start).bytes).contains("no JSON 8"))
        // Nothing for them is still a way forward.
        let (none, next) = ring.next(after: EventRing.Cursor(epoch: 1, number: 6), for: "attic")
        #expect(text(none).contains("\"n\":7") && next == ring.end)
        #expect(ring.next(after: EventRing.Cursor(epoch: 1, number: 8), for: "attic") == (ByteBuffer(), ring.end))
    }

    @Test func bigEventsPushOutOldOnes() {
        var ring = EventRing(epoch: 1)
        let big = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<20 { ring.append("progress", big) }
        let kept = ring.next(after: EventRing.Cursor(epoch: 1, number: 14))
        #expect(kept.bytes.readableBytes > 6 << 20 - 1)
        #expect(text(ring.next(after: EventRing.Cursor(epoch: 1, number: 5)).bytes).contains("event: reset"))
    }

    @Test func manyMissedEventsComeInPortions() {
        let ring = ring(1_000)
        var cursor = EventRing.Cursor(epoch: 0xAB, number: 0)
        var count = 0
        while true {
            let (bytes, next) = ring.next(after: cursor)
            if bytes.readableBytes == 0 { break }
            count += text(bytes).split(separator: "event: state").count - 1
            cursor = next
        }
        #expect(count == 1_000)
    }

    @Test(arguments: ["", "ab", "ab-", "-1", "zz-1", "ab--1", "ab-1x", "123456789-1"])
    func whatIsNoPlaceIsNone(_ text: String) { #expect(EventRing.Cursor(text) == nil) }

    @Test func linesAreCutWhereverTheBytesBreak() throws {
        var lines = LineSplitter(limit: 10)
        #expect(try lines.split(Array("ab\ncd".utf8)) == [Array("ab".utf8)])
        #expect(try lines.split(Array("e\n\nf".utf8)) == [Array("cde".utf8), []])
        #expect(throws: LineSplitter.TooLong.self) { try lines.split(Array("0123456789x".utf8)) }
    }
}
