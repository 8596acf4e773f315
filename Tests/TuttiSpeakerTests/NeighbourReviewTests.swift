import Testing
import TuttiCore
import TuttiHost
import TuttiSpeaker

/// When a speaker that nobody plays on looks for the clock of its neighbours.
@Suite struct NeighbourReviewTests {
    private func at(_ seconds: Int64) -> HostTime { HostTime(nanoseconds: seconds * 1_000_000_000) }

    private func neighbour(clock: UInt64) throws -> ClockNeighbour {
        ClockNeighbour(
            id: "hall", address: try #require(SocketAddress(numericHost: "10.0.0.1", port: 7_700)), isWireless: false,
            part: ClockNeighbour.Part(
                timescale: TimescaleID(rawValue: clock), origin: "hall", isLeading: true))
    }

    @Test func nothingIsDecidedBeforeAllAreKnownAndThenEachSecond() throws {
        var review = NeighbourReview(ClockCircle(id: "kitchen", isWireless: true))
        #expect(review.isWireless)
        let hall = try neighbour(clock: 1)
        review.note([hall], isComplete: false, now: at(0))
        var decision = review.decision(part: nil, known: [], now: at(1))
        #expect(decision == nil)
        review.note([hall], isComplete: true, now: at(2))
        guard case .join(let order)? = review.decision(part: nil, known: [], now: at(2)) else {
            Issue.record("the neighbour's clock is not joined")
            return
        }
        #expect(order.parents == [hall])
        decision = review.decision(part: hall.part, known: [hall.address], now: at(2))
        #expect(decision == nil)
        decision = review.decision(part: hall.part, known: [hall.address], now: at(3))
        #expect(decision == .stay)
        let other = try #require(neighbour(clock: 2).part)
        #expect(try review.isShared(#require(hall.part)) && !review.isShared(other))
    }

    @Test func theClockIsWrittenDownEachQuarterOfAnHour() {
        var review = NeighbourReview(ClockCircle(id: "kitchen", isWireless: false))
        let due = [0, 899, 900, 901, 1_800].map { review.isSaveDue(now: at($0)) }
        #expect(due == [false, false, true, false, true])
    }
}
