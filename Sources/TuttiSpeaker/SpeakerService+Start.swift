import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TuttiClock
import TuttiCore
import TuttiDiscovery
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiTrust
import TuttiWire

extension SpeakerService {
    static func load(
        _ file: SpeakerStateFile, configuration: SpeakerConfiguration, logger: Logger
    ) throws(SpeakerError) -> SpeakerState {
        do {
            try StatePaths.prepare(configuration.stateDirectory)
        } catch {
            throw .stateUnwritable(path: configuration.stateDirectory, reason: String(describing: error))
        }
        let loaded = try file.load(firstVolume: configuration.firstVolume)
        if let path = loaded.setAside {
            logger.warning(
                "the state file is damaged; using what can be read, and keeping the file",
                metadata: ["path": "\(path)"])
        }
        var state = loaded.state
        if let delay = configuration.outputDelayMilliseconds {
            state.outputDelayMilliseconds = delay
            try file.save(state)
        }
        return state
    }

    /// Whom the speaker belongs to.
    static func trust(_ configuration: SpeakerConfiguration) throws(SpeakerError) -> SpeakerTrust {
        do {
            return try SpeakerTrust(directory: configuration.stateDirectory, policy: configuration.claim)
        } catch {
            throw .trust(error)
        }
    }

    /// Opens the device once, so that one that is of no use is an error at the start and not a silent room. A device
    /// that is merely busy is waited for later, and so is a card that is not there: it may be plugged in, or be found
    /// after this speaker has started. A private speaker's owner is waiting for sound, and is told.
    ///
    /// - Returns: why there is no sound yet; nil when there is.
    static func probe(_ configuration: SpeakerConfiguration, clock: HostClock) throws(SpeakerError) -> OutputError? {
        let device = configuration.device
        guard !device.hasPrefix("file:") else { return nil }
        do {
            try OutputDevices.open(OutputRequest(device: device), clock: clock).close()
            return nil
        } catch {
            if error.isBusy { return nil }
            if error.isMissing, !configuration.isPrivate, OutputDevices.isDefined(device) { return error }
            throw .device("\(error)")
        }
    }

    /// The mixer of the configuration's device, where that sets how loud the speaker is. On the event loop.
    ///
    /// - Throws: `OutputError` when it has no such element, or cannot be used.
    static func mixer(
        _ configuration: SpeakerConfiguration, eventLoop: any EventLoop, logger: Logger
    ) throws(OutputError) -> HardwareVolume? {
        guard case .hardware(let element, let card) = configuration.mixer else { return nil }
        let device = configuration.device
        guard try ChannelRange(parsing: device) == nil else {
            throw .invalidDevice(
                device: device, reason: "the mixer of its card is not for one room alone; use --mixer software")
        }
        let isVirtual = try VirtualSpecification(parsing: device) != nil
        guard card != nil || !isVirtual else {
            throw .invalidDevice(device: device, reason: "it has no mixer; name a card's with --mixer hardware:@CARD")
        }
        let name = card ?? MixerChoice.card(ofDevice: device)
        return try HardwareVolume(eventLoop: eventLoop, logger: logger) { () throws(OutputError) in
            try HardwareMixer(element, ofCard: name)
        }
    }

    static func listen(
        _ configuration: SpeakerConfiguration, group: MultiThreadedEventLoopGroup,
        controller: NIOLoopBound<SpeakerController>, node: NodeKey
    ) async throws(SpeakerError) -> any Channel {
        let context: NIOSSLContext
        do {
            context = try TLS.server(node)
        } catch {
            throw .trust(error)
        }
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: WireLimits.unreadBytes / 2, high: WireLimits.unreadBytes)
            )
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try controller.value.serve(channel, context)
                }
            }
        let port = Int(configuration.port)
        do {
            if let address = configuration.bindAddress {
                return try await bootstrap.bind(host: address, port: port).get()
            }
            // Numeric: the resolver has no "::" on a host whose interfaces speak IPv4 alone.
            do {
                return try await bootstrap.bind(to: NIOCore.SocketAddress(ipAddress: "::", port: port)).get()
            } catch let error as IOError where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL {
                return try await bootstrap.bind(to: NIOCore.SocketAddress(ipAddress: "0.0.0.0", port: port)).get()
            }
        } catch {
            try? await group.shutdownGracefully()
            if let error = error as? IOError, error.errnoCode == EADDRINUSE { throw .portInUse(configuration.port) }
            let reason = (error as? IOError).map { HostError.text(ofErrno: $0.errnoCode) } ?? String(describing: error)
            throw .cannotListen(address: "\(configuration.bindAddress ?? "*"):\(port)", reason: reason)
        }
    }

    /// Lets the controller do its regular work, until the channel that comes back is closed and the loop ends.
    static func look(
        _ controller: NIOLoopBound<SpeakerController>, at bell: Bell, group: MultiThreadedEventLoopGroup
    ) async throws(SpeakerError) -> any Channel {
        do {
            return try await NIOPipeBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let look = RegularLook(controller: controller.value, bell: bell)
                        try channel.pipeline.syncOperations.addHandler(look)
                        look.begin()
                    }
                }
                .takingOwnershipOfDescriptor(input: bell.takeReadingEnd()).get()
        } catch {
            throw .cannotListen(address: "this host", reason: String(describing: error))
        }
    }

    /// Serves the speaker's figures, where that is wanted. A speaker that cannot plays all the same.
    static func serveMetrics(
        _ configuration: SpeakerConfiguration, of controller: NIOLoopBound<SpeakerController>, logger: Logger
    ) async -> MetricsServer? {
        guard let place = configuration.metrics else { return nil }
        do {
            let server = try await MetricsServer(address: place.address, port: place.port) {
                controller.eventLoop.submit { controller.value.metrics() }
            }
            logger.info("serving metrics", metadata: ["at": "http://\(place.address):\(server.port)/metrics"])
            return server
        } catch {
            let reason = (error as? IOError).map { HostError.text(ofErrno: $0.errnoCode) } ?? String(describing: error)
            logger.error(
                "metrics are not served; choose another address or port with --metrics",
                metadata: ["at": "\(place.address):\(place.port)", "reason": "\(reason)"])
            return nil
        }
    }

    static func startThreads(
        renderer: Renderer, groupClock: GroupClock, streams: [StreamBuffer], clock: HostClock, correction: Correction,
        locksMemory: Bool, logger: Logger
    ) throws(SpeakerError) -> [ThreadHandle] {
        if locksMemory {
            // What has been needed until now is not what a thread that cannot wait will need.
            ProgramPages.giveBack()
            RealtimeThread.lockMemory()
        }
        do {
            let render = try RealtimeThread.spawn(name: "tutti-render", priority: renderPriority) { renderer.runLoop() }
            let timing = try RealtimeThread.spawn(name: "tutti-timing", priority: timingPriority) {
                groupClock.runLoop()
            }
            let counters = renderer.counters
            let decoders = try streams.map { stream in
                try RealtimeThread.spawn(name: "tutti-decode", priority: nil) {
                    DecodeWorker(
                        stream: stream, now: { clock.now() }, estimates: groupClock.estimates,
                        correction: correction, counters: counters
                    ).runLoop()
                }
            }
            render.grant.whenSettled { outcome in
                logger.log(level: outcome.isGranted ? .info : .notice, "real-time: \(outcome)")
            }
            return [render, timing] + decoders
        } catch {
            throw .cannotListen(address: "this host", reason: String(describing: error))
        }
    }

    /// Makes the speaker known, and finds the others; nil where that is not wanted, or cannot be.
    static func joinNeighbours(
        _ configuration: SpeakerConfiguration, of state: SpeakerState, isClaimed: Bool, port: UInt16, clock: GroupClock,
        _ controller: NIOLoopBound<SpeakerController>, logger: Logger
    ) -> Neighbourhood? {
        guard configuration.announces else { return nil }
        let record = SpeakerRecord(
            id: state.id,
            name: configuration.announcesName
                ? state.name(configured: configuration.name) : ServiceName.withoutName(id: state.id),
            port: port, version: String(WireLimits.securedVersion),
            isClaimed: isClaimed, isScreen: configuration.pictures != nil,
            clock: SpeakerClock(port: clock.port, isWireless: HostLink.isWireless))
        do {
            return try Neighbourhood(
                record, announcesName: configuration.announcesName, controller: controller, logger: logger)
        } catch {
            logger.warning("not announced by mDNS", metadata: ["reason": "\(error)"])
            return nil
        }
    }
}
