import NIOCore
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSender
import TuttiTiming

/// A sender's host with its process: a real player for each of its groups, on simulated sockets, threads and disk.
final class SenderMachine: @unchecked Sendable {
    let plan: SenderPlan
    let host: VirtualHost
    private(set) var incarnation = 0
    private(set) var process: VirtualProcess?
    private(set) var transport: VirtualTransport?
    /// In the scenario's order.
    private(set) var groups: [SenderGroup]
    /// Answers since the last look.
    var acknowledgements: [Acknowledgement] = []
    private(set) var unanswered: [UserCommand] = []

    let network: VirtualNetwork
    let scenario: Scenario
    private let seed: UInt64
    /// A planted fault: commands are answered before they are on the disk.
    var acknowledgesEarly = false
    private var nextPort: UInt16 = 40_000
    /// The members of group clocks in this process.
    private(set) var clocks: [GroupClock] = []

    /// Nanoseconds from a process's start until it does anything, and from a command to its answer.
    private static let startingTime: Int64 = 300_000_000
    private static let answeringTime: Int64 = 500_000

    init(_ plan: SenderPlan, on host: VirtualHost, network: VirtualNetwork, scenario: Scenario, seed: UInt64) {
        self.plan = plan
        self.host = host
        self.network = network
        self.scenario = scenario
        self.seed = seed
        groups = scenario.groups.enumerated().filter { $1.sender == plan.name }.map { index, group in
            SenderGroup(group, number: UInt32(truncatingIfNeeded: index))
        }
    }

    var isRunning: Bool { process?.isRunning ?? false }

    // MARK: The process

    /// Starts the process, if there is none.
    func start() {
        guard process == nil else { return }
        incarnation += 1
        let process = VirtualProcess(on: host)
        self.process = process
        unanswered = []
        transport = VirtualTransport(network, host: host.number, process: process)
        process.after(incarnation == 1 ? 0 : Self.startingTime) { [self] in for group in groups { group.wake(on: self) }
        }
    }

    /// The end, as by `kill -9`.
    func kill() {
        process?.kill()
        transport?.abandon()
        (process, transport) = (nil, nil)
        for group in groups { group.forget() }
        clocks = []
        network.ports[host.number].sockets = [:]
    }

    func setAwake(_ isAwake: Bool) {
        guard isAwake != host.isAwake else { return }
        host.setAwake(isAwake)
        if isAwake { for clock in clocks { clock.noteSleep(for: host.lastSleep) } }
        process?.catchUp()
    }

    /// Who it is to speakers.
    var identity: SenderIdentity { SenderIdentity(id: "sender-\(host.number)", name: plan.name) }

    /// Where the player of a group writes down what it needs to go on.
    func journal(of group: String) -> DiskJournal {
        DiskJournal(on: host, name: group, isLazy: acknowledgesEarly)
    }

    /// What players of this process have of their host.
    func surroundings(of group: String) -> SenderHost? {
        guard let process, let transport else { return nil }
        let random = RandomSource(seed: Chance.seed(seed, "sender \(host.number) \(incarnation) \(group)"))
        let loop = VirtualEventLoop(process)
        let songs = scenario.songs
        var rooms = RoomsHost(
            loop: { loop }, transport: transport, random: random,
            startClock: { [self] clock throws(HostError) in startClock(clock, process, random) },
            findRooms: { [self] names, _, loop in loop.makeSucceededFuture(find(names)) })
        // Symbolic packets cannot be encoded anew, and that has a thread of its own.
        rooms.thinsPackets = false
        rooms.packetWeight = SymbolicPacket.weight
        return SenderHost(rooms: rooms) { _, report throws(SenderError) in
            SymbolicProducer(songs: songs, process: process, report: report)
        }
    }

    private func startClock(_ clock: HostClock, _ process: VirtualProcess, _ random: RandomSource) -> GroupClock {
        nextPort += 1
        let socket = VirtualTimingSocket(network, port: nextPort, process: process)
        let member = GroupClock(
            hostClock: clock, socket: socket, random: random, pollDivisor: VirtualTimingSocket.pollDivisor)
        socket.serve(member)
        clocks = clocks.filter { !$0.isStopped } + [member]
        return member
    }

    /// The addresses of rooms, as they announce themselves where they are reached, by their names or their speakers'
    /// ids.
    private func find(_ names: Set<String>) -> RoomResolver.Findings {
        var found: RoomResolver.Findings = [:]
        for name in names.sorted() {
            let number = network.ports.firstIndex { $0.names.contains(name) }
            if let number, network.reaches(host.number, number) {
                found[name] = .success(RoomAddress(name: name, host: network.ports[number].address))
            } else {
                found[name] = .failure(.roomNotFound(name, reason: "no such speaker on the network"))
            }
        }
        return found
    }

    /// Where a room is now; nil for one that the house does not have.
    func address(of room: String) -> RoomAddress? {
        scenario.rooms.firstIndex { $0.name == room }.map {
            RoomAddress(name: room, host: network.ports[scenario.senders.count + $0].address)
        }
    }

    // MARK: People

    /// Somebody asks for something.
    func ask(_ command: UserCommand, of name: String) {
        guard let process, let group = groups.first(where: { $0.plan.name == name }) else { return }
        unanswered.append(command)
        process.after(Self.answeringTime) { [self] in
            var refusal: String?
            do {
                try group.carryOut(command, on: self)
            } catch {
                refusal = "\(error)"
            }
            if let index = unanswered.firstIndex(of: command) { unanswered.remove(at: index) }
            acknowledgements.append(
                Acknowledgement(
                    at: host.agenda.now, group: name, command: command, refusal: refusal, state: group.state))
        }
    }
}
