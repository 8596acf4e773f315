import TuttiHost

/// The house's switch with its links: datagrams, and the segments of connections.
final class VirtualNetwork: @unchecked Sendable {
    let agenda: Agenda
    private(set) var ports: [NetworkPort] = []
    private var places: [String: Int] = [:]
    private var airs: [String: LinkQueue.Air] = [:]
    private var renumberings = 0

    /// Bytes that a frame is longer than what it carries: Ethernet, IP, TCP or UDP.
    private static let overhead = 66
    /// Bytes of a full segment, and of one that is kept as short as every network carries it.
    static let segments = (full: 1448, short: 524)

    init(agenda: Agenda) { self.agenda = agenda }

    /// Plugs a host in.
    func add(_ host: VirtualHost, _ link: Link, seed: UInt64) {
        let address = Self.address(ports.count)
        places[address] = ports.count
        ports.append(
            NetworkPort(host, link, address: address, airs: (air(link.up.air), air(link.down.air)), seed: seed))
    }

    /// Those of 10.0.1 and above belong to hosts that have got another one.
    private static func address(_ number: Int) -> String {
        guard number >= 250 else { return "10.0.0.\(number + 1)" }
        return "10.\(1 + number / 62_500).\(number / 250 % 250).\(number % 250 + 1)"
    }

    private func air(_ name: String?) -> LinkQueue.Air? {
        guard let name else { return nil }
        let air = airs[name] ?? LinkQueue.Air()
        airs[name] = air
        return air
    }

    /// Which host has an address now.
    func place(of address: String) -> Int? { places[address] }

    /// Gives a host another address.
    func readdress(_ number: Int) {
        renumberings += 1
        places[ports[number].address] = nil
        ports[number].address = "10.0.\(1 + renumberings / 250).\(renumberings % 250 + 1)"
        places[ports[number].address] = number
    }

    /// Whether frames get from one host to another.
    func reaches(_ from: Int, _ to: Int) -> Bool {
        let (near, far) = (ports[from], ports[to])
        return !near.isCut && !far.isCut && near.side == far.side && near.host.isAwake && far.host.isAwake
    }

    // MARK: Datagrams

    /// Sends a datagram, which may come, or not, or twice.
    func send(_ bytes: [UInt8], from: (host: Int, port: UInt16), to address: String, port: UInt16) {
        guard let to = places[address], reaches(from.host, to) else { return }
        let size = bytes.count + Self.overhead
        guard case .passes(let half, _) = ports[from.host].up.pass(bytes: size, at: agenda.now),
            case .passes(let due, _) = ports[to].down.pass(bytes: size, at: half, isAgain: isLater(half))
        else { return }
        let isDouble = ports[from.host].up.duplicates() || ports[to].down.duplicates()
        let origin = ports[from.host].address
        for time in isDouble ? [due, due + 50_000] : [due] {
            agenda.at(time) { [self] in
                guard ports[to].host.isAwake else { return }
                ports[to].sockets[port]?.arrive(bytes, from: origin, port: from.port)
            }
        }
    }

    /// Nanoseconds of the way from one host to another where nothing waits.
    func leastDelay(from: Int, to: Int) -> Int64 { ports[from].link.up.delay + ports[to].link.down.delay }

    // MARK: Segments

    /// When bytes of a connection are there, with what it takes to send again what gets lost; nil where nothing passes.
    ///
    /// - Parameter segment: how many of them a frame takes.
    func transmit(bytes: Int, from: Int, to: Int, after time: Int64, segment: Int = segments.full) -> Int64? {
        guard reaches(from, to) else { return nil }
        let frames = max(1, (bytes + segment - 1) / segment)
        let size = bytes / frames + Self.overhead
        let roundTrip = 2 * (ports[from].link.up.delay + ports[to].link.down.delay) + 1_000_000
        // A segment with others behind it is missed within a round trip; a lone one after a time-out.
        let pause = frames > 3 ? roundTrip : Self.timeout
        var (left, start, failures) = (frames, time, 0)
        while failures < Self.attempts {
            // What is sent again later does not hold up what others send until then.
            let (through, due) = pass(left, of: size, from: from, to: to, at: start, isAgain: start > time)
            left -= through
            if left == 0 { return due }
            failures = through > 0 ? 0 : failures + 1
            start = max(start + pause << failures, due)
        }
        return nil
    }

    /// How many segments get to the other end, and when the last of them does.
    private func pass(
        _ frames: Int, of size: Int, from: Int, to: Int, at time: Int64, isAgain: Bool
    ) -> (frames: Int, due: Int64) {
        guard
            case .passes(let half, let first) = ports[from].up.pass(
                bytes: frames * size, frames: frames, at: time, isAgain: isAgain),
            case .passes(let due, let both) = ports[to].down.pass(
                bytes: first * size, frames: first, at: half, isAgain: isAgain || isLater(half))
        else { return (0, time) }
        return (both, due)
    }

    /// Whether what comes out of a link at `time` has waited there for so long that others pass it on the next one.
    private func isLater(_ time: Int64) -> Bool { time > agenda.now + Self.longQueue }

    private static let longQueue: Int64 = 5_000_000
    /// Nanoseconds after which a segment without an answer is sent again, and how often that is tried in one go without
    /// any success.
    private static let timeout: Int64 = 200_000_000
    private static let attempts = 6
}
