import Testing
import TuttiClock
import TuttiCore

struct TimingMessageTests {
    private let request = TimingMessage(
        requestOn: TimescaleID(rawValue: 0x0102_0304_0506_0708), clientID: .max - 1, sequence: .max, t1: -5)

    @Test func bothDirectionsHave64BytesAndSurviveTheWire() throws {
        var reply = TimingMessage(replyTo: request, t2: 1_700_000_000_123_456_789, hold: 4_321)
        reply.previousDistance = 255
        reply.previousHold = 999_999_999
        for message in [request, reply] {
            let bytes = message.encode()
            #expect(bytes.count == 64)
            #expect(bytes[48...].allSatisfy { $0 == 0 })
            #expect(try TimingMessage(parsing: bytes) == message)
        }
        #expect(reply.t3 == 1_700_000_000_123_461_110)
    }

    @Test func layoutIsFixed() {
        let bytes = request.encode()
        #expect(Array(bytes[0..<16]) == [0x54, 0xC7, 0x11, 0, 255, 255, 255, 255, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(Array(bytes[24..<32]) == [255, 255, 255, 255, 255, 255, 255, 251])
    }

    @Test(arguments: 0..<200) func wrongLengthsThrow(length: Int) {
        guard length != 64 else { return }
        let bytes = [UInt8](repeating: 0x54, count: length)
        #expect(throws: ClockError.wrongLength(count: length)) { try TimingMessage(parsing: bytes) }
    }

    @Test func wrongFieldsThrow() {
        var bytes = request.encode()
        bytes[0] = 0
        #expect(throws: ClockError.notTiming) { try TimingMessage(parsing: bytes) }
        bytes = request.encode()
        bytes[2] = 0x21
        #expect(throws: ClockError.unsupportedVersion(2)) { try TimingMessage(parsing: bytes) }
        bytes[2] = 0x13
        #expect(throws: ClockError.unknownKind(3)) { try TimingMessage(parsing: bytes) }
        bytes = request.encode()
        bytes[32] = 0x7F
        #expect(throws: ClockError.fieldOutOfRange) { try TimingMessage(parsing: bytes) }
        bytes = request.encode()
        bytes[24] = 0x80
        #expect(throws: ClockError.fieldOutOfRange) { try TimingMessage(parsing: bytes) }
        bytes = request.encode()
        bytes[40] = 0xFF
        #expect(throws: ClockError.fieldOutOfRange) { try TimingMessage(parsing: bytes) }
    }

    @Test func noiseNeverTraps() {
        var generator = SeededGenerator(3)
        var follower = ClockFollower(timescale: ExchangeSimulation.timescale, seed: 1, now: HostTime(nanoseconds: 0))
        var responder = TimingResponder(timescale: ExchangeSimulation.timescale, epochOffset: .max)
        for _ in 0..<5_000 {
            var bytes = (0..<64).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            (bytes[0], bytes[1], bytes[2]) = (0x54, 0xC7, 0x11 + UInt8(generator.next() % 2))
            if generator.next() % 2 == 0 { bytes.replaceSubrange(8..<16, with: [0, 0, 0, 0, 0, 0xC0, 0xFF, 0xEE]) }
            let time = HostTime(nanoseconds: Int64(bitPattern: generator.next()))
            let outcome = follower.received(bytes, at: time, now: HostTime(nanoseconds: .max))
            if case .ignored = outcome {} else { Issue.record("believed noise: \(outcome)") }
            _ = responder.received(bytes, from: generator.next() % 4, at: time, now: time)
        }
        #expect(follower.estimate == nil)
        #expect(follower.statistics.ignored == 5_000)
        #expect(responder.statistics.answered == 0)
    }
}
