/// A machine's place on the switch.
final class NetworkPort {
    let host: VirtualHost
    let link: Link
    var (up, down): (LinkQueue, LinkQueue)
    /// The address that it has now.
    var address: String
    var isCut = false
    /// Which part of a divided network it is in.
    var side = 0
    /// A planted fault: once nothing has reached its timing sockets for a while, nothing does any more.
    var staysAlone = false
    /// What mDNS finds it by: a room's name, and its speaker's id.
    var names: Set<String> = []
    /// What listens there, and the timing sockets by port.
    var listener: (any ConnectionListener)?
    var sockets: [UInt16: VirtualTimingSocket] = [:]

    /// - Parameter airs: what its two ways go through.
    init(
        _ host: VirtualHost, _ link: Link, address: String, airs: (up: LinkQueue.Air?, down: LinkQueue.Air?),
        seed: UInt64
    ) {
        self.host = host
        self.link = link
        self.address = address
        var chance = Chance(seed: seed, "link \(host.number)")
        let stallSeed = chance.next()
        up = LinkQueue(link.up, air: airs.up, chance: Chance(seed: chance.next(), "up"), stallSeed: stallSeed)
        down = LinkQueue(link.down, air: airs.down, chance: Chance(seed: chance.next(), "down"), stallSeed: stallSeed)
    }

    /// A fault on top of what is there.
    func impair(_ fault: Impairment, at time: Int64) {
        if case .stall(let length) = fault {
            up.stall(until: time + length)
            down.stall(until: time + length)
            return
        }
        up.faults.append(fault)
        down.faults.append(fault)
    }

    /// Nanoseconds that a frame would wait on the way there and its answer on the way back.
    func queueing(at time: Int64) -> Int64 { up.queueing(at: time) + down.queueing(at: time) }

    /// As the scenario has it.
    func mend() {
        isCut = false
        (up.faults, down.faults) = ([], [])
    }
}

/// Whoever takes connections.
protocol ConnectionListener: AnyObject {
    /// The process that listens; nil while none does.
    var listeningProcess: VirtualProcess? { get }

    /// Has taken a connection.
    func accept(_ channel: VirtualChannel)
}
