import Logging
import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The speaker's decisions, all on the network loop: what the protocol says is handed on to the programme, the clock and
/// the renderer, and what those say goes back as status and credit.
///
/// Not `Sendable`: confined to the one event loop that all connections share.
final class SpeakerController {
    /// How long the device stays open after a sender has left, for the next one to start quickly.
    static let deviceLinger = TimeAmount.seconds(3)

    let configuration: SpeakerConfiguration
    let programme: Programme
    let groupClock: GroupClock
    let renderer: Renderer
    let clock: HostClock
    let logger: Logger
    private let stateFile: SpeakerStateFile
    private let eventLoop: any EventLoop

    var session: SpeakerSession
    var state: SpeakerState
    private(set) var channels: [ConnectionID: any Channel] = [:]
    /// The order in which the clock is followed, as last announced.
    var announcement: ClockAnnouncement?
    private var nextConnection: UInt64 = 1
    private var linger: Scheduled<Void>?
    private var lastDigest: StatusDigest?
    private var lastStatusAt = HostTime(nanoseconds: .min)
    var lastDistance: (at: HostTime, value: Double)?
    private var pendingSave = false
    private var hasReportedDamage = false

    init(
        configuration: SpeakerConfiguration, programme: Programme, groupClock: GroupClock, renderer: Renderer,
        clock: HostClock, state: SpeakerState, stateFile: SpeakerStateFile, eventLoop: any EventLoop, logger: Logger
    ) {
        self.configuration = configuration
        self.programme = programme
        self.groupClock = groupClock
        self.renderer = renderer
        self.clock = clock
        self.state = state
        self.stateFile = stateFile
        self.eventLoop = eventLoop
        self.logger = logger
        session = SpeakerSession { SystemRandomNumberGenerator.seed() }
        applyVolume(rampMilliseconds: 0)
        renderer.counters.outputDelay.store(Int64(state.outputDelayMilliseconds * 1e6), ordering: .relaxed)
    }

    // MARK: Connections

    func opened(_ channel: any Channel) -> ConnectionID {
        let id = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        channels[id] = channel
        perform(session.opened(id, now: clock.now()))
        return id
    }

    func received(_ bytes: [UInt8], on connection: ConnectionID) {
        perform(session.received(bytes, on: connection, now: clock.now()))
    }

    func closed(_ connection: ConnectionID) {
        channels[connection] = nil
        perform(session.closed(connection, now: clock.now()))
    }

    /// Closes everything; sound fades out.
    func shutdown() {
        perform(session.shutdown(reason: "the speaker was switched off"))
        programme.clear()
        rememberRates()
    }

    // MARK: Effects

    private func perform(_ effects: [SpeakerEffect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: SpeakerEffect) {
        switch effect {
        case .send(let bytes, let connection):
            guard let channel = channels[connection] else { return }
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
        case .close(let connection, let reason):
            logger.info("connection closed", metadata: ["reason": "\(reason)", "peer": "\(peer(of: connection))"])
            channels.removeValue(forKey: connection)?.close(promise: nil)
        case .pauseReading(let connection): setReading(false, connection)
        case .resumeReading(let connection): setReading(true, connection)
        case .senderArrived(let hello): senderArrived(hello)
        case .mediaConnected: updateCredit()
        case .senderLost(let reason): senderLost(reason)
        case .senderLeft(let reason): senderLeft(reason)
        case .clock(let announcement, let connection): follow(announcement, from: connection)
        case .timebase(let command):
            programme.set(Timebase(rate: command.rate, mediaTime: command.media, groupTime: command.group))
            updateCredit()
        case .flush(let generation, let time):
            perform(session.flushed(generation: generation, loaded: programme.flush(from: time)))
            updateCredit()
        case .volume(let command): setVolume(command)
        case .outputDelay(let milliseconds): setOutputDelay(milliseconds)
        case .end(let media): programme.setEnd(media)
        case .deliver(let packet): _ = programme.insert(packet)
        }
    }

    private func peer(of connection: ConnectionID) -> String {
        guard let address = channels[connection]?.remoteAddress, let host = address.ipAddress else { return "gone" }
        return SocketAddress(host: host, port: UInt16(clamping: address.port ?? 0))?.description ?? host
    }

    private func setReading(_ isOn: Bool, _ connection: ConnectionID) {
        guard let channel = channels[connection] else { return }
        _ = channel.setOption(.autoRead, value: isOn)
        if isOn { channel.read() }
    }

    // MARK: Senders

    private var stream: (sender: String, id: UInt32?)?

    private func senderArrived(_ hello: Hello) {
        logger.info("sender connected", metadata: ["sender": "\(hello.senderName)"])
        if stream?.sender != hello.senderID || stream?.id != hello.stream { programme.clear() }
        stream = (hello.senderID, hello.stream)
        linger?.cancel()
        renderer.counters.history.forget()
        lastDistance = nil
        renderer.setWanted(true)
        perform(session.accept(welcome))
        lastDigest = nil
        report()
    }

    private var welcome: Welcome {
        let actual = renderer.actual
        return Welcome(
            id: state.id, name: configuration.name, bufferSeconds: configuration.bufferSeconds,
            bufferBytes: UInt64(configuration.bufferBytes), codecs: Decoders.decodable.map(\.rawValue),
            device: configuration.device, deviceFormat: actual.map(Self.format) ?? "", clockPort: groupClock.port,
            clock: knownClock,
            loaded: programme.state.withLock { $0.store.loadedTimeRanges })
    }

    /// Remembers how fast card and leader ran, for the next programme to be in step sooner.
    private func rememberRates() {
        let counters = renderer.counters
        if let ppm = RenderCounters.value(counters.devicePpmBits),
            let sigma = RenderCounters.value(counters.devicePpmSigmaBits)
        {
            state.remember(RememberedRate(ppm: ppm, sigma: sigma), of: configuration.device, in: \.devices)
        }
        rememberClock()
        save()
    }

    private func senderLost(_ reason: String) {
        logger.warning("sender lost; playing on from the buffer", metadata: ["reason": "\(reason)"])
        rememberRates()
        scheduleRelease()
    }

    private func senderLeft(_ reason: String) {
        logger.info("sender left", metadata: ["reason": "\(reason)"])
        rememberRates()
        stream = nil
        programme.clear()
        scheduleRelease()
    }

    /// Lets the device go once nothing plays and nobody is connected.
    private func scheduleRelease() {
        linger?.cancel()
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        linger = eventLoop.scheduleTask(in: Self.deviceLinger) {
            let controller = box.value
            guard controller.session.senderID == nil else { return }
            if [.playing, .stalled].contains(controller.status().state), !controller.hasRunOut {
                controller.scheduleRelease()
            } else {
                controller.renderer.setWanted(false)
            }
        }
    }

    /// Whether nothing is left to play.
    private var hasRunOut: Bool {
        guard let playhead = playhead() else { return true }
        return programme.state.withLock { $0.store.last.map { $0.timeRange.end <= playhead } ?? true }
    }

    // MARK: Settings

    private func setVolume(_ command: VolumeCommand) {
        state.volume = command.percent
        state.isMuted = command.isMuted
        applyVolume(rampMilliseconds: Int(command.rampMs))
        scheduleSave()
        report()
    }

    private func applyVolume(rampMilliseconds: Int) {
        let command = VolumeCommand(percent: state.volume, isMuted: state.isMuted)
        renderer.counters.gainRampMilliseconds.store(rampMilliseconds, ordering: .relaxed)
        renderer.counters.gainBits.store(Float(command.amplitude).bitPattern, ordering: .relaxed)
    }

    private func setOutputDelay(_ milliseconds: Double) {
        state.outputDelayMilliseconds = milliseconds
        renderer.counters.outputDelay.store(Int64(milliseconds * 1e6), ordering: .relaxed)
        scheduleSave()
        report()
    }

    private func scheduleSave() {
        guard !pendingSave else { return }
        pendingSave = true
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .seconds(1)) { box.value.save() }
    }

    private func save() {
        pendingSave = false
        do {
            try stateFile.save(state)
        } catch {
            logger.error("settings not saved", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: Reports

    /// Regular work: what is due, credit, and a status when it is time or something has changed.
    ///
    /// - Returns: when to come again: soon while a programme is about to start, so that the sender hears at once that the
    ///   room is ready.
    func tick() -> TimeAmount {
        let now = clock.now()
        if let deadline = session.deadline, deadline <= now { perform(session.expired(now: now)) }
        if let playhead = playhead() { programme.trim(playhead: playhead) }
        updateCredit()
        report()
        reportDamage()
        return lastDigest?.state == .playing || session.senderID == nil ? .milliseconds(100) : .milliseconds(20)
    }

    /// Sends a status when the last one is a quarter of a second old or the state or a count has changed.
    func report() {
        guard session.senderID != nil else { return }
        let now = clock.now()
        let digest = digest
        guard digest != lastDigest || now.nanoseconds(since: lastStatusAt) >= 245_000_000 else { return }
        lastDigest = digest
        lastStatusAt = now
        perform(session.send(.status(status())))
    }

    /// Tells once in a programme that packets cannot be decoded.
    private func reportDamage() {
        let count = programme.state.withLock { $0.damagedPackets }
        if count == 0 { hasReportedDamage = false }
        guard count > 0, !hasReportedDamage else { return }
        hasReportedDamage = true
        logger.warning("packets cannot be decoded and are silent", metadata: ["count": "\(count)"])
        perform(session.send(.event(kind: "damaged", message: "parts of the sound are damaged and stay silent")))
    }

    private func updateCredit() {
        let (held, start) = programme.state.withLock { ($0.store.byteCount, $0.timebase?.mediaTime) }
        let free = max(0, configuration.bufferBytes - held)
        let seconds = MediaTime(seconds: configuration.bufferSeconds, preferredTimescale: 1_000) ?? .zero
        let horizon = (playhead() ?? start).map { $0 + seconds }
        // Whole seconds and 64 KiB: a message for each packet would say little.
        let coarse = horizon.map { $0.converted(to: 1, rounding: .up) }
        perform(session.grant(freeBytes: UInt64(free & ~0xFFFF), horizon: coarse))
    }
}
