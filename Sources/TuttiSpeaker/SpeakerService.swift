package import Logging
import NIOCore
import NIOPosix
import TuttiClock
import TuttiCore
import TuttiDiscovery
package import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiTrust
import TuttiWire

/// A running speaker: the sockets, threads and files around the cores.
package final class SpeakerService: Sendable {
    /// The priority of the render thread, where real-time scheduling is permitted; above it are the kernel's own
    /// threads.
    static let renderPriority = 60
    /// The timing thread's: a stamp read late is a stamp wasted, but sound comes first.
    static let timingPriority = 55

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let bellChannel: any Channel
    private let controller: NIOLoopBound<SpeakerController>
    private let renderer: Renderer
    private let groupClock: GroupClock
    private let streams: [StreamBuffer]
    private let neighbourhood: Neighbourhood?
    private let threads: [ThreadHandle]
    private let metrics: MetricsServer?
    private let logger: Logger

    /// The TCP port that is listened on.
    package let port: UInt16
    /// The TCP port at which figures are served; nil where they are not.
    package var metricsPort: Int? { metrics?.port }

    /// Starts everything.
    ///
    /// - Throws: `SpeakerError` when the port, the state folder or the device's name cannot be used.
    package init(configuration: SpeakerConfiguration, clock: HostClock, logger: Logger) async throws(SpeakerError) {
        self.logger = logger
        let stateFile = SpeakerStateFile(directory: configuration.stateDirectory)
        var state = try Self.load(stateFile, configuration: configuration, logger: logger)
        let trust = try Self.trust(configuration)
        state.id = trust.node.id
        let firstState = state
        let missing = try Self.probe(configuration, clock: clock)

        let stream = StreamBuffer(maximumBytes: configuration.bufferBytes, pictures: configuration.pictures)
        let overlays = (0..<WireLimits.overlays).map { _ in
            StreamBuffer(maximumBytes: min(configuration.bufferBytes, SpeakerConfiguration.overlayBufferBytes))
        }
        streams = [stream] + overlays
        let groupClock: GroupClock
        do {
            // Whom a private speaker follows may be on another host.
            let address = configuration.isPrivate ? nil : configuration.bindAddress
            groupClock = try GroupClock(hostClock: clock, address: address, port: configuration.port)
        } catch {
            throw .cannotListen(address: "UDP", reason: String(describing: error))
        }
        self.groupClock = groupClock
        let bell: Bell
        do {
            bell = try Bell()
        } catch {
            throw .cannotListen(address: "this host", reason: String(describing: error))
        }
        let correction: Correction = configuration.correctsDrift ? .on : .off
        let renderer = Renderer(
            request: OutputRequest(device: configuration.device), stream: stream, overlays: overlays, clock: clock,
            estimates: groupClock.estimates, correction: correction,
            remembered: state.devices[configuration.device], bell: bell, logger: logger)
        self.renderer = renderer
        if let missing { renderer.noteLost(missing) }

        let isWireless = HostLink.isWireless
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            controller = try await loop.submit {
                let mixer = try Self.mixer(configuration, eventLoop: loop, logger: logger)
                let controller = SpeakerController(
                    configuration: configuration, stream: stream, overlays: overlays, groupClock: groupClock,
                    renderer: renderer, clock: clock, state: firstState, stateFile: stateFile, eventLoop: loop,
                    isWireless: isWireless, trust: trust, mixer: mixer, logger: logger)
                return NIOLoopBound(controller, eventLoop: loop)
            }.get()
        } catch let error as OutputError {
            try? await group.shutdownGracefully()
            throw .mixer("\(error)")
        } catch {
            throw .cannotListen(address: "this host", reason: String(describing: error))
        }
        channel = try await Self.listen(configuration, group: group, controller: controller, node: trust.node)
        port = UInt16(clamping: channel.localAddress?.port ?? Int(configuration.port))
        threads = try Self.startThreads(
            renderer: renderer, groupClock: groupClock, streams: streams, clock: clock, correction: correction,
            locksMemory: !configuration.isPrivate, logger: logger)
        if configuration.port != 0, groupClock.port != configuration.port, !configuration.isPrivate {
            logger.warning(
                "UDP port \(configuration.port) is in use; allow the clock's port \(groupClock.port) in the firewall"
            )
        }
        neighbourhood = Self.joinNeighbours(
            configuration, of: firstState, isClaimed: trust.isClaimed, port: port, clock: groupClock, controller,
            logger: logger)
        bellChannel = try await Self.look(controller, at: bell, group: group)
        metrics = await Self.serveMetrics(configuration, of: controller, logger: logger)
        logger.info(
            "speaker ready",
            metadata: ["name": "\(firstState.name(configured: configuration.name))", "port": "\(port)"])
    }

    /// What it does, in a word, as what receives and answers knows it: no answer comes from a speaker that is stuck.
    package func state() async -> String {
        let bound = controller
        let status = try? await bound.eventLoop.submit { bound.value.status(of: .owner).status }.get()
        return status?.state.rawValue ?? "stopped"
    }

    /// Fades out, closes everything and ends the threads.
    package func shutdown() async {
        await metrics?.stop()
        let bound = controller
        try? await bound.eventLoop.submit { bound.value.shutdown() }.get()
        // The fade of what plays, and what the card has queued.
        try? await Task.sleep(for: .milliseconds(100))
        renderer.stop()
        groupClock.stop()
        for stream in streams { stream.signal() }
        for thread in threads { thread.join() }
        neighbourhood?.stop()
        try? await channel.close()
        try? await bellChannel.close()
        try? await group.shutdownGracefully()
        logger.info("speaker stopped")
    }
}
