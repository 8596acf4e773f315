import Testing
import TuttiClock
import TuttiCore

/// Where time comes from, on the wire and in comparison.
struct ClockDescentTests {
    private let descent = ClockDescent(isCoarse: true, losses: 0x0102, leader: 0x0304_0506, age: 0x0708_090A, steps: 11)

    @Test func itsLayoutIsFixed() throws {
        var request = TimingMessage(
            requestOn: TimescaleID(rawValue: 1), clientID: 2, sequence: 3, t1: 4)
        #expect(request.encode()[48...].allSatisfy { $0 == 0 })
        request.descent = descent
        let bytes = request.encode()
        #expect(Array(bytes[48...]) == [3, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 0])
        #expect(bytes.count == 64)
        #expect(try TimingMessage(parsing: bytes) == request)
    }

    @Test func whatOlderProgramsAndLiarsWriteThereIsNone() throws {
        var request = TimingMessage(requestOn: TimescaleID(rawValue: 1), clientID: 2, sequence: 3, t1: 4)
        request.descent = descent
        var bytes = request.encode()
        bytes[48] = 0
        #expect(try TimingMessage(parsing: bytes).descent == nil)
        bytes[48] = 0xFD
        #expect(try TimingMessage(parsing: bytes).descent?.isCoarse == false)
        bytes.replaceSubrange(52..<56, with: [0, 0, 0, 0])
        #expect(try TimingMessage(parsing: bytes).descent == nil)
    }

    @Test func aReplyDoesNotEchoIt() {
        var request = TimingMessage(requestOn: TimescaleID(rawValue: 1), clientID: 2, sequence: 3, t1: 4)
        request.descent = descent
        #expect(TimingMessage(replyTo: request, t2: 5, hold: 6).descent == nil)
    }
}
