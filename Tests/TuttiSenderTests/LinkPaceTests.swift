import Testing
import TuttiCore
import TuttiSender

@Suite struct LinkPaceTests {
    /// A link with a queue in front, fed by a connection that always has something to send.
    private struct VirtualConnection {
        /// Bytes a second that the link carries.
        var capacity: Double
        /// Seconds of a round trip without a queue.
        var trip = 0.005
        /// Bytes that may be on their way.
        var window = 65_536.0
        /// Bytes a second that are sent when there is no other limit.
        let usual = 8_000_000.0
        var stall: Range<Double>?
        private(set) var pace = LinkPace()
        private(set) var time = 0.0
        private(set) var queue = 0.0
        /// How much has arrived, and the longest queue in seconds, since `begin`.
        private(set) var (arrived, longest) = (0.0, 0.0)
        private var smoothTrip = 0.005

        init(capacity: Double) { self.capacity = capacity }

        mutating func begin() { (arrived, longest) = (0, 0) }

        mutating func run(_ seconds: Double, isCrowded: Bool = true) {
            var total = arrived
            for step in 1...Int(seconds * 1_000) {
                time += 0.001
                let limit = isCrowded ? pace.limit(share: 0.85) ?? usual : 0
                queue += min(limit * 0.001, max(window - queue, 0))
                let through = stall?.contains(time) == true ? 0 : min(queue, capacity * 0.001)
                (queue, total) = (queue - through, total + through)
                longest = max(longest, queue / capacity)
                smoothTrip += (trip + queue / capacity - smoothTrip) * 0.02
                guard step % 100 == 0 else { continue }
                // In whole segments.
                let underway = ((queue + (isCrowded ? min(limit, capacity) * trip : 0)) / 1_448).rounded(.down) * 1_448
                pace.take(
                    LinkPace.Look(
                        now: HostTime(nanoseconds: Int64(time * 1e9)), arrived: UInt64(total), underway: Int(underway),
                        roundTrip: Int64(smoothTrip * 1e9), leastRoundTrip: Int64(trip * 1e9), isCrowded: isCrowded))
            }
            arrived = total
        }
    }

    @Test(arguments: [8_000.0, 44_000, 150_000, 400_000]) func aQueueIsLetThrough(capacity: Double) throws {
        var connection = VirtualConnection(capacity: capacity)
        connection.run(0.6)
        #expect(connection.longest > 0.1)
        connection.run(min(65_536 / capacity * 1.5, 4))
        let known = try #require(connection.pace.capacity)
        #expect((0.7...1.3).contains(known / capacity), "\(known)")
        connection.run(30)
        connection.begin()
        connection.run(60)
        // And the two segments that are no queue.
        #expect(connection.longest < 0.3 + 3_000 / capacity, "\(connection.longest) s of queue")
        let share = connection.arrived / 60 / capacity
        #expect((0.65...1).contains(share), "\(share) of the link is used")
    }

    @Test func aLinkThatIsWellAgainIsFoundOut() throws {
        var connection = VirtualConnection(capacity: 44_000)
        connection.run(60)
        #expect(connection.pace.capacity != nil)
        (connection.capacity, connection.trip) = (10_000_000, 0.0002)
        // What may be sent is through at once: hardly ever is anything on its way.
        connection.run(30)
        #expect(connection.pace.limit(share: 0.85) == nil, "\(connection.pace.capacity ?? 0)")
    }

    @Test func linksThatCarryPlentyAreLeftAlone() {
        var connection = VirtualConnection(capacity: 12_000_000)
        connection.window = 500_000
        connection.stall = 0.35..<0.6
        connection.run(5)
        #expect(connection.pace.limit(share: 0.85) == nil)
    }

    @Test func whatIsNotUsedSaysNothing() throws {
        var connection = VirtualConnection(capacity: 44_000)
        connection.run(5)
        let known = try #require(connection.pace.capacity)
        connection.run(60, isCrowded: false)
        #expect(connection.pace.capacity == known)
    }

    @Test func whatElseIsFoundOutCounts() {
        var pace = LinkPace()
        pace.learn(30_000, now: HostTime(nanoseconds: 0))
        #expect(pace.capacity == 30_000 && pace.limit(share: 0.5) == 15_000)
        pace.learn(20_000, now: HostTime(nanoseconds: 0))
        #expect(pace.capacity == 30_000, "what was measured is better")
    }
}
