import Glibc
import TuttiCore
import TuttiRooms

/// Connections that load through one link with a queue in front, as a kernel sends them: in bursts, paced,
/// acknowledged.
struct SharedLinkModel {
    /// The link.
    struct Link {
        /// Bits a second.
        var rate: Double
        /// Seconds of queue that fit in front of it.
        var queue = 0.02
        /// Seconds of a round trip without a queue, and the mean of what it varies by, each way.
        var trip = 0.000_22
        var jitter = 0.000_015
        /// Times in which nothing comes out: a period, and the shortest and longest of them, in seconds.
        var stalls: (period: Double, shortest: Double, longest: Double)?
    }

    /// One connection.
    private struct Connection {
        var pace: LinkPace
        /// When it begins, and sends next.
        let start: Double
        var nextSend: Double
        var limit = 0.0
        var sent = 0.0
        var arrived = 0.0
        var window = 14_480.0
        var trip: Double
        var least: Double
        var underway: [(due: Double, bytes: Double, since: Double)] = []
        var first = 0
        var lastOut = 0.0
        var isDone = false
    }

    private static let (segment, frame, burst) = (1448.0, 1514.0, 2.0)
    private static let step = 20e-6
    private static let lookInterval = 0.01
    private static let share = 0.85

    var link: Link
    /// Bytes that each connection loads.
    let bytes: Double
    private(set) var time = 0.0
    /// The queue at each step, in seconds, since `begin`.
    private(set) var queues: [Double] = []
    private(set) var drops = 0
    private var connections: [Connection]
    private var random: SplitMix64
    private let seed: UInt64
    private var (freeAt, nextLook) = (0.0, 0.0)

    /// - Parameter starts: when each connection begins, in seconds.
    init(_ link: Link, starts: [Double], bytes: Double, seed: UInt64) {
        (self.link, self.bytes, self.seed) = (link, bytes, seed)
        var random = SplitMix64(seed: seed)
        connections = starts.map { start in
            // No two begin at the same microsecond.
            var connection = Connection(
                pace: LinkPace(besides: starts.count - 1), start: start,
                nextSend: start + Double.random(in: 0..<0.005, using: &random), trip: link.trip, least: link.trip)
            connection.limit = connection.pace.limit(share: Self.share)
            return connection
        }
        self.random = random
    }

    var paces: [LinkPace] { connections.map(\.pace) }
    var limits: [Double] { connections.map(\.limit) }
    var arrivedBytes: Double { connections.reduce(0) { $0 + $1.arrived } }
    var isDone: Bool { connections.allSatisfy(\.isDone) }

    /// Seconds that the link needs for all of it.
    var neededTime: Double { Double(connections.count) * bytes * Self.frame / Self.segment * 8 / link.rate }

    mutating func begin() { queues = [] }

    /// The queue, in seconds, below which it was for this share of the time.
    func queue(_ share: Double) -> Double {
        let sorted = queues.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// Goes on for so many seconds, or until all is there.
    mutating func run(_ seconds: Double = .infinity) {
        let end = time + seconds
        while time < end, !isDone {
            time += Self.step
            for index in connections.indices where time >= connections[index].start && !connections[index].isDone {
                acknowledge(index)
                send(index)
            }
            queues.append(max(freeAt - time, 0))
            if time >= nextLook { look() }
        }
    }

    private mutating func acknowledge(_ index: Int) {
        var connection = connections[index]
        while connection.first < connection.underway.count, connection.underway[connection.first].due <= time {
            let parcel = connection.underway[connection.first]
            connection.first += 1
            connection.arrived += parcel.bytes
            connection.window = min(connection.window + parcel.bytes, 3e6)
            let trip = time - parcel.since
            connection.trip += (trip - connection.trip) / 8
            connection.least = min(connection.least, trip)
        }
        connection.isDone = connection.arrived >= bytes
        connections[index] = connection
    }

    private mutating func send(_ index: Int) {
        while time >= connections[index].nextSend, connections[index].sent < bytes,
            connections[index].sent - connections[index].arrived < connections[index].window
        {
            let limit = connections[index].limit
            // A millisecond's worth goes out at once.
            let bursts = max(1, (limit * 0.001 / Self.segment / Self.burst).rounded(.down))
            let segments = bursts * Self.burst
            connections[index].nextSend =
                max(connections[index].nextSend, time - Self.step) + segments * Self.segment / limit
            for _ in 0..<Int(bursts) { send(Self.burst, index) }
        }
    }

    private mutating func send(_ segments: Double, _ index: Int) {
        guard freeAt - time <= link.queue else {
            drops += 1
            connections[index].window = max(connections[index].window * 0.7, 4 * Self.segment)
            return
        }
        freeAt = max(freeAt, time) + segments * Self.frame * 8 / link.rate
        var out = freeAt + link.trip + delay() + delay()
        if let stalls = link.stalls { out = afterStall(out, stalls) }
        out = max(out, connections[index].lastOut)
        connections[index].lastOut = out
        connections[index].sent += segments * Self.segment
        connections[index].underway.append((out, segments * Self.segment, time))
    }

    private mutating func delay() -> Double { -link.jitter * log(1 - Double.random(in: 0..<1, using: &random)) }

    private func afterStall(_ time: Double, _ stalls: (period: Double, shortest: Double, longest: Double)) -> Double {
        let number = (time / stalls.period).rounded(.down)
        var random = SplitMix64(seed: seed &* 77 &+ UInt64(number))
        let length = Double.random(in: stalls.shortest...stalls.longest, using: &random)
        let begin = number * stalls.period + Double.random(in: 0...(stalls.period - length), using: &random)
        return time >= begin && time < begin + length ? begin + length : time
    }

    private mutating func look() {
        nextLook += Self.lookInterval
        let now = HostTime(nanoseconds: Int64(time * 1e9))
        let others = connections.count { !$0.isDone && time >= $0.start } - 1
        for index in connections.indices where time >= connections[index].start {
            let connection = connections[index]
            connections[index].pace.take(
                LinkPace.Look(
                    now: now, arrived: UInt64(connection.arrived), underway: Int(connection.sent - connection.arrived),
                    roundTrip: Int64(connection.trip * 1e9), leastRoundTrip: Int64(connection.least * 1e9),
                    isCrowded: connection.sent < bytes, pace: connection.limit), besides: others)
        }
        var paces = paces
        LinkPace.share(&paces, now: now)
        for index in connections.indices {
            connections[index].pace = paces[index]
            connections[index].limit = paces[index].limit(share: Self.share)
        }
    }
}
