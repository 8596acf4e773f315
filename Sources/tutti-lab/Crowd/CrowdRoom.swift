import Logging
import NIOCore
import NIOPosix
import NIOSSL
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRendering
import TuttiSpeaker
import TuttiTiming
import TuttiTrust
import TuttiWire

/// A speaker of a crowd: session, credit, packet store, status and clock are the real ones, on real sockets; there is
/// no card, no decoder and no thread but the clock's. It lives on an event loop that it shares with others.
final class CrowdRoom {
    private let controller: SpeakerController
    private let output: StillOutput
    private let context: NIOSSLContext
    private let clock: GroupClock
    private let loop: any EventLoop
    private let streams: [StreamBuffer]

    /// - Parameter directory: its own; made when it is not there.
    /// - Throws: `SpeakerError`, `HostError` when folder, port or thread cannot be had.
    init(name: String, port: UInt16, directory: String, on loop: any EventLoop) throws {
        let hostClock = try HostClock.system(environment: ProcessEnvironment.current)
        let configuration = SpeakerConfiguration(
            name: name, device: "null", port: port, stateDirectory: directory, announces: false)
        try StatePaths.prepare(directory)
        let file = SpeakerStateFile(directory: directory)
        clock = try GroupClock(hostClock: hostClock, address: nil, port: port)
        let stream = StreamBuffer(maximumBytes: configuration.bufferBytes)
        let overlays = (0..<WireLimits.overlays).map { _ in StreamBuffer(maximumBytes: 1 << 20) }
        streams = [stream] + overlays
        output = StillOutput(stream: stream, estimates: clock.estimates, clock: hostClock)
        let trust = try SpeakerTrust(directory: directory, policy: configuration.claim)
        context = try TLS.server(trust.node)
        var state = try file.load().state
        state.id = trust.node.id
        var logger = Logger(label: name)
        logger.logLevel = .info
        controller = SpeakerController(
            configuration: configuration, stream: stream, overlays: overlays, groupClock: clock, renderer: output,
            clock: hostClock, state: state, stateFile: file, eventLoop: loop, trust: trust, logger: logger)
        self.loop = loop
        let clock = clock
        _ = try RealtimeThread.spawn(name: "crowd-clock", priority: nil) { clock.runLoop() }
        tick()
    }

    private func tick() {
        output.step()
        let delay = controller.tick()
        let room = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: delay) { room.value.tick() }
    }

    // MARK: Connections

    func serve(_ channel: any Channel) throws {
        try controller.serve(channel, context) { [output] in output.step() }
    }
}
