import Testing
import TuttiClock
import TuttiCore

struct TimingResponderTests {
    private let timescale = ExchangeSimulation.timescale

    private func request(_ sequence: UInt32, client: UInt64 = 5) -> [UInt8] {
        TimingMessage(requestOn: timescale, clientID: client, sequence: sequence, t1: 42).encode()
    }

    private func time(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds) }

    @Test func theNextReplyCarriesTheKernelsStampOfTheOneBefore() throws {
        var responder = TimingResponder(timescale: timescale, epochOffset: 1_000)
        let firstReply = responder.received(request(.max), from: 1, at: time(100), now: time(150))
        let first = try #require(firstReply)
        let parsed = try TimingMessage(parsing: first.bytes)
        #expect(parsed.t2 == 1_100)
        #expect(parsed.t3 == 1_150)
        #expect(parsed.t1 == 42)
        #expect(parsed.previousDistance == 0)
        responder.sent(token: first.token, key: 77)
        responder.transmitted(key: 76, at: time(160))
        responder.transmitted(key: 77, at: time(165))
        // The sequence number wraps here.
        let secondReply = responder.received(request(1), from: 1, at: time(1_000), now: time(1_010))
        let second = try #require(secondReply)
        let next = try TimingMessage(parsing: second.bytes)
        #expect(next.previousDistance == 2)
        #expect(next.previousHold == 65)
    }

    @Test func stampsOfASteppedClockOrAnotherClientAreNotPassedOn() throws {
        var responder = TimingResponder(timescale: timescale, epochOffset: 0)
        let firstReply = responder.received(request(1), from: 1, at: time(100), now: time(150))
        let first = try #require(firstReply)
        responder.sent(token: first.token, key: 1)
        responder.transmitted(key: 1, at: time(149))
        let secondReply = responder.received(request(2), from: 1, at: time(200), now: time(250))
        let second = try #require(secondReply)
        #expect(try TimingMessage(parsing: second.bytes).previousDistance == 0)
        responder.sent(token: second.token, key: 2)
        responder.transmitted(key: 2, at: time(260))
        let otherReply = responder.received(request(3, client: 6), from: 1, at: time(300), now: time(310))
        let other = try #require(otherReply)
        #expect(try TimingMessage(parsing: other.bytes).previousDistance == 0)
    }

    @Test func eachPeerHasARate() {
        var responder = TimingResponder(timescale: timescale, epochOffset: 0)
        var answered = 0
        for sequence in 0..<1_000 as Range<UInt32> {
            let reply = responder.received(request(sequence), from: 1, at: time(1_000), now: time(1_000))
            if reply != nil { answered += 1 }
        }
        #expect(answered == 160)
        #expect(responder.statistics.limited == 840)
        #expect(responder.received(request(0), from: 2, at: time(1_000), now: time(1_000)) != nil)
        let later = time(1_000 + 60_000_000)
        #expect(responder.received(request(0), from: 1, at: later, now: later) != nil)
    }

    @Test func aFloodOfPeersEvictsTheSilentOnesAndStaysBounded() {
        var responder = TimingResponder(timescale: timescale, epochOffset: 0)
        for peer in 0..<2_000 as Range<Int64> {
            _ = responder.received(request(1), from: UInt64(peer), at: time(peer), now: time(peer))
        }
        #expect(responder.statistics.evicted == 2_000 - TimingResponder.maximumPeers)
        #expect(responder.statistics.answered == 2_000)
    }

    @Test func repliesAndForeignTimescalesAreNotAnswered() throws {
        var responder = TimingResponder(timescale: timescale, epochOffset: 0)
        let replyReply = responder.received(request(1), from: 1, at: time(1), now: time(2))
        let reply = try #require(replyReply)
        #expect(responder.received(reply.bytes, from: 1, at: time(3), now: time(3)) == nil)
        let foreign = TimingMessage(requestOn: TimescaleID(rawValue: 1), clientID: 1, sequence: 1, t1: 0).encode()
        #expect(responder.received(foreign, from: 1, at: time(3), now: time(3)) == nil)
        #expect(responder.statistics.malformed == 1)
        #expect(responder.statistics.wrongTimescale == 1)
        // A request that "arrived" after it is answered has an impossible stamp.
        #expect(responder.received(request(9), from: 1, at: time(10), now: time(5)) == nil)
    }

    @Test func theLeadersOwnEstimateIsExact() {
        let responder = TimingResponder(timescale: timescale, epochOffset: 12)
        let now = time(1_000)
        #expect(responder.estimate(now: now).groupTime(at: time(5_000)) == responder.groupTime(at: time(5_000)))
    }
}
