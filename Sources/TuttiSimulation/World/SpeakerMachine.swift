import Logging
import NIOCore
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiSpeaker
import TuttiTiming
import TuttiWire

/// A room's host with its speaker: the real controller, session, store and clock, behind simulated sockets, card and
/// disk.
final class SpeakerMachine: ConnectionListener, @unchecked Sendable {
    let plan: RoomPlan
    let host: VirtualHost
    let stage: RoomStage
    /// How often its process has been started.
    private(set) var incarnation = 0
    private(set) var process: VirtualProcess?
    private(set) var controller: SpeakerController?
    private(set) var clock: GroupClock?
    private(set) var renderer: CoarseRenderer?

    /// Planted faults: it takes ten times what it has room for; it hears of the first timebase that runs and of none after
    /// that.
    var (takesTooMuch, missesTimebases) = (false, false)
    let network: VirtualNetwork
    private let seed: UInt64
    private var channels: [VirtualChannel] = []

    /// Nanoseconds from a process's start until it listens.
    private static let startingTime: Int64 = 150_000_000
    private static let port: UInt16 = 7700

    init(_ plan: RoomPlan, on host: VirtualHost, network: VirtualNetwork, songs: [String], seed: UInt64) {
        self.plan = plan
        self.host = host
        self.network = network
        self.seed = seed
        let card = SimulatedCard(plan.card, chance: Chance(seed: seed, "card \(host.number)"))
        stage = RoomStage(card: card, songs: songs)
        network.ports[host.number].listener = self
        network.ports[host.number].names = [plan.name]
    }

    /// Whether the process runs and the host is awake.
    var isRunning: Bool { process?.isRunning ?? false }

    // MARK: The process

    /// Starts the process, if there is none.
    func start(after delay: Int64 = startingTime) {
        guard process == nil else { return }
        incarnation += 1
        let process = VirtualProcess(on: host)
        self.process = process
        process.after(delay) { [self] in launch(process) }
    }

    private func launch(_ process: VirtualProcess) {
        let random = RandomSource(seed: Chance.seed(seed, "speaker \(host.number) \(incarnation)"))
        let loop = VirtualEventLoop(process)
        let socket = VirtualTimingSocket(network, port: Self.port, process: process)
        let clock = GroupClock(
            hostClock: host.clock, socket: socket, random: random, pollDivisor: VirtualTimingSocket.pollDivisor)
        let file = SpeakerStateFile(directory: "/var/lib/tutti", files: host.disk, random: random)
        // A disk that is full when a speaker starts for the first time: it goes without a state of its own.
        guard let loaded = try? file.load() else { return process.after(1_000_000_000) { [self] in launch(process) } }
        network.ports[host.number].names.insert(loaded.state.id)
        let excess = takesTooMuch ? 10 : 1
        let bytes = excess * Int(plan.bufferBytes) / SymbolicPacket.weight
        let configuration = SpeakerConfiguration(
            name: plan.name, stateDirectory: "/var/lib/tutti",
            bufferSeconds: Double(excess) * Double(plan.buffer) * 1e-9, bufferBytes: bytes)
        let stream = StreamBuffer(maximumBytes: bytes, onSignal: { [weak self] in self?.renderer?.signalled() })
        let overlays = (0..<WireLimits.overlays).map { _ in StreamBuffer(maximumBytes: bytes) }
        let renderer = CoarseRenderer(
            process: process, stream: stream, estimates: clock.estimates, room: stage,
            remembered: loaded.state.devices[configuration.device])
        let controller = SpeakerController(
            configuration: configuration, stream: stream, overlays: overlays, groupClock: clock, renderer: renderer,
            clock: host.clock, state: loaded.state, stateFile: file, eventLoop: loop, random: random,
            logger: Logger(label: "speaker") { _ in SwiftLogNoOpLogHandler() })
        (self.controller, self.clock, self.renderer) = (controller, clock, renderer)
        socket.serve(clock)
        tick(controller, process)
    }

    private func tick(_ controller: SpeakerController, _ process: VirtualProcess) {
        process.after(controller.tick().nanoseconds) { [self] in tick(controller, process) }
    }

    /// The end, as by `kill -9`.
    func kill() {
        if isRunning { renderer?.play(until: host.agenda.now) }
        process?.kill()
        for channel in channels { channel.abandon() }
        channels = []
        (process, controller, clock, renderer) = (nil, nil, nil, nil)
        network.ports[host.number].sockets = [:]
    }

    /// Stops the process, or its host, or lets it go on.
    func setFrozen(_ isFrozen: Bool) {
        if isFrozen { renderer?.play(until: host.agenda.now) }
        process?.setFrozen(isFrozen)
    }

    func setAwake(_ isAwake: Bool) {
        if !isAwake { renderer?.play(until: host.agenda.now) }
        guard isAwake != host.isAwake else { return }
        host.setAwake(isAwake)
        if isAwake { clock?.noteSleep(for: host.lastSleep) }
        process?.catchUp()
    }

    // MARK: Connections

    var listeningProcess: VirtualProcess? { controller == nil ? nil : process }

    func accept(_ channel: VirtualChannel) {
        guard let controller else { return channel.abandon() }
        channels = channels.filter { !$0.isGone } + [channel]
        let connection = controller.opened(channel)
        var hasRunningLine = false
        channel.sink = { [missesTimebases] event in
            switch event {
            case .received(let bytes):
                if missesTimebases, bytes.contains("\"type\":\"timebase\"".utf8) {
                    if hasRunningLine { return }
                    hasRunningLine = bytes.contains("\"rate\":1".utf8)
                }
                controller.received(bytes, on: connection)
            case .writability: break
            case .closed: controller.closed(connection)
            }
        }
    }
}
