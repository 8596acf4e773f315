package import Logging
package import NIOCore
import Synchronization
import TuttiClock
import TuttiCore
import TuttiDecoding
package import TuttiDiscovery
package import TuttiHost
import TuttiPlayback
package import TuttiRendering
package import TuttiTiming
package import TuttiWire

/// The speaker's decisions, all on the network loop: what the protocol says is handed on to the programme, the clock and
/// the renderer, and what those say goes back as status and credit.
///
/// Not `Sendable`: confined to the one event loop that all connections share.
package final class SpeakerController {
    /// How long the device stays open after a sender has left, for the next one to start quickly.
    static let deviceLinger = TimeAmount.seconds(3)

    let configuration: SpeakerConfiguration
    let programme: Programme
    /// The programmes of the guests.
    let guests: [Programme]
    let groupClock: GroupClock
    let renderer: any SoundOutput
    let clock: HostClock
    let logger: Logger
    let stateFile: SpeakerStateFile
    let eventLoop: any EventLoop

    package internal(set) var session: SpeakerSession
    var state: SpeakerState
    private(set) var channels: [ConnectionID: any Channel] = [:]
    /// The order in which the clock is followed, as last announced.
    var announcement: ClockAnnouncement?
    /// The guest that the clock came from, while it is here.
    var clockGiver: Seat?
    private var nextConnection: UInt64 = 1
    /// Connections that are over but for the other side's hanging up, and how many of them there may be.
    private var partings = 0
    private static let maximumPartings = 64
    private var linger: Scheduled<Void>?
    /// Since when it is not known where the programme stands, though nobody but the device waits for it.
    private var lostSince: HostTime?
    /// What was last told to whom, and when more is told at the latest.
    private(set) var lastReports: [Seat: (digest: StatusDigest, isCalm: Bool, at: HostTime, next: HostTime)] = [:]
    /// Has `tick` called soon; nil where nobody can be called, and it has to be called often.
    package var onNews: (() -> Void)?
    /// Where this host stood in its group clock when it was last looked at.
    var lastStanding: GroupClock.Standing?
    /// The other speakers on the network, and since when all that were there at the start are known.
    var neighbours: [ClockNeighbour] = []
    var neighboursSince: HostTime?
    /// When it is next seen whether the clock is shared with them, and when it is written down.
    var (nextReview, lineDue): (HostTime?, HostTime?) = (nil, nil)
    /// What the network was told last, and who tells it.
    var announcedClock: SpeakerClock?
    package var onClockChange: ((SpeakerClock) -> Void)?
    let isWireless: Bool
    var lastDistance: (at: HostTime, value: Double)?
    /// When the state was last written, and whether it is going to be.
    var savedAt: HostTime?
    var isSavePending = false
    /// When the rates are looked at next, for them to be remembered; nil while the device is not open.
    var ratesDue: HostTime?
    private var hasReportedDamage = false
    /// When the sender last spoke of the reference line, and what was reported of the card since.
    var (referenceHeard, cardReported): (HostTime?, (fit: ReferenceFit, at: HostTime)?) = (nil, nil)

    package init(
        configuration: SpeakerConfiguration, programme: Programme, guests: [Programme], groupClock: GroupClock,
        renderer: any SoundOutput, clock: HostClock, state: SpeakerState, stateFile: SpeakerStateFile,
        eventLoop: any EventLoop, random: RandomSource = .system, isWireless: Bool = false, logger: Logger
    ) {
        self.configuration = configuration
        self.programme = programme
        self.guests = guests
        self.groupClock = groupClock
        self.renderer = renderer
        self.clock = clock
        self.state = state
        self.stateFile = stateFile
        self.eventLoop = eventLoop
        self.isWireless = isWireless
        self.logger = logger
        session = SpeakerSession { random.next() }
        applyVolume(rampMilliseconds: 0)
        resumeClock()
        renderer.counters.outputDelay.store(Int64(state.outputDelayMilliseconds * 1e6), ordering: .relaxed)
    }

    // MARK: Connections

    package func opened(_ channel: any Channel) -> ConnectionID {
        let id = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        channels[id] = channel
        perform(session.opened(id, from: channel.remoteAddress?.ipAddress ?? "", now: clock.now()))
        return id
    }

    package func received(_ bytes: [UInt8], on connection: ConnectionID) {
        perform(session.received(bytes, on: connection, now: clock.now()))
    }

    package func closed(_ connection: ConnectionID) {
        channels[connection] = nil
        perform(session.closed(connection, now: clock.now()))
    }

    /// A connection that is none of the session's any more.
    func forget(_ connection: ConnectionID) -> (any Channel)? { channels.removeValue(forKey: connection) }

    /// Closes everything; sound fades out.
    package func shutdown() {
        perform(session.shutdown(reason: "the speaker was stopped"))
        for programme in [programme] + guests { programme.clear() }
        rememberRates()
    }

    // MARK: Effects

    func perform(_ effects: [SpeakerEffect]) {
        for effect in effects { perform(effect) }
        if let onNews, effects.contains(where: \.mayBeNews) { onNews() }
    }

    /// - Parameter seat: whom the effect is about.
    private func perform(_ effect: SpeakerEffect, at seat: Seat = .owner) {
        switch effect {
        case .send(let bytes, let connection):
            guard let channel = channels[connection] else { return }
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
            if !channel.isWritable { perform(session.unread(connection)) }
        case .abandon(let connection, let reason):
            logger.info("connection closed", metadata: ["reason": "\(reason)", "peer": "\(peer(of: connection))"])
            channels.removeValue(forKey: connection)?.close(promise: nil)
        case .close(let connection, let reason):
            logger.info("connection closed", metadata: ["reason": "\(reason)", "peer": "\(peer(of: connection))"])
            if let channel = channels.removeValue(forKey: connection) { hangUp(channel) }
        case .pauseReading(let connection): setReading(false, connection)
        case .resumeReading(let connection): setReading(true, connection)
        case .guest(let number, let effect): if isHeard(effect, from: number) { perform(effect, at: .guest(number)) }
        case .senderArrived(let hello): seat == .owner ? senderArrived(hello) : guestArrived(hello, at: seat)
        case .looked(let connection, let clock):
            if let clock { takeIdly(clock, from: connection) }
            show(to: connection)
        case .mediaConnected: updateCredit(of: seat)
        case .senderLost(let reason): seat == .owner ? senderLost(reason) : guestGone(reason, from: seat)
        case .senderLeft(let reason): seat == .owner ? senderLeft(reason) : guestGone(reason, from: seat)
        case .clock(let announcement, let connection): take(announcement, from: connection, at: seat)
        case .timebase(let command):
            programme(of: seat).set(Timebase(rate: command.rate, mediaTime: command.media, groupTime: command.group))
            updateCredit(of: seat)
            lastReports[seat] = nil
        case .flush(let generation, let time):
            let loaded = programme(of: seat).flush(from: time)
            perform(session.flushed(generation: generation, loaded: loaded, at: seat))
            updateCredit(of: seat)
            lastReports[seat] = nil
        case .volume(let command): setVolume(command)
        case .outputDelay(let milliseconds): setOutputDelay(milliseconds)
        case .reference(let command): takeReference(command)
        case .end(let media): programme(of: seat).setEnd(media)
        case .deliver(let packet):
            if programme(of: seat).insert(packet), Self.isLandmark(packet.timeRange) { reportSoon(to: seat) }
        }
    }

    /// Whether ten seconds more of the programme are full with this packet: whoever sends hears of that at once.
    private static func isLandmark(_ range: TimeRange) -> Bool {
        range.start.converted(to: 1, rounding: .down).value / 10 != range.end.converted(to: 1, rounding: .down).value
            / 10
    }

    private func peer(of connection: ConnectionID) -> String {
        guard let address = channels[connection]?.remoteAddress, let host = address.ipAddress else { return "gone" }
        return SocketAddress(host: host, port: UInt16(clamping: address.port ?? 0))?.description ?? host
    }

    /// Says nothing more, and is gone once the other side has hung up too, or after a second. A connection that is closed while something
    /// comes in is reset, and with it goes what was said last.
    func hangUp(_ channel: any Channel) {
        // Whoever comes again and again to be sent away is not waited for.
        guard partings < Self.maximumPartings else { return channel.close(promise: nil) }
        partings += 1
        channel.close(mode: .output, promise: nil)
        _ = channel.setOption(.autoRead, value: true)
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        let tooLate = eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            tooLate.cancel()
            box.value.partings -= 1
        }
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
        renderer.counters.history.forget()
        lastDistance = nil
        keepDevice()
        perform(session.accept(welcome))
        report(to: .owner, isDue: true)
    }

    /// Opens the device, if it is not, for as long as somebody is here.
    func keepDevice() {
        linger?.cancel()
        renderer.setWanted(true)
        groupClock.setIdle(false)
    }

    /// What the owner is told.
    var welcome: Welcome {
        let actual = renderer.actual
        let held = programme.state.withLock { (loaded: $0.store.loadedTimeRanges, timebase: $0.timebase, end: $0.end) }
        return Welcome(
            id: state.id, name: configuration.name, bufferSeconds: configuration.bufferSeconds,
            bufferBytes: UInt64(configuration.bufferBytes), codecs: Decoders.decodable.map(\.rawValue),
            device: configuration.device, deviceFormat: actual.map(Self.format) ?? "",
            clockPort: configuration.isPrivate ? nil : groupClock.port,
            clock: configuration.isPrivate ? nil : knownClock,
            loaded: held.loaded,
            timebase: held.timebase.map {
                TimebaseCommand(rate: $0.rate, media: $0.mediaTime, group: $0.groupTime)
            }, end: held.end, reference: programme.reference.line.read())
    }

    private func senderLost(_ reason: String) {
        logger.warning("sender lost; playing from the buffer", metadata: ["reason": "\(reason)"])
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
    func scheduleRelease() {
        linger?.cancel()
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        linger = eventLoop.scheduleTask(in: Self.deviceLinger) {
            let controller = box.value
            guard controller.seated.isEmpty else { return }
            if controller.isToSound, !controller.hasRunOut() {
                controller.scheduleRelease()
            } else {
                controller.renderer.setWanted(false)
            }
        }
    }

    /// Whether it plays, or is to begin at an instant that it was told and that may be a while ahead.
    private var isToSound: Bool {
        if [.playing, .stalled].contains(playbackState(of: .owner, position: playhead())) { return true }
        return programme.state.withLock { ($0.timebase?.rate ?? 0) > 0 }
    }

    /// Whether nothing is left to play. A host that has slept does not know for a moment where the programme stands; there is something left
    /// until all that is held would be over.
    private func hasRunOut() -> Bool {
        let held = programme.state.withLock { $0.store.loadedTimeRanges }
        guard let first = held.first, let last = held.last else { return true }
        guard groupClock.now() == nil else {
            lostSince = nil
            return playhead().map { last.end <= $0 } ?? true
        }
        let since = lostSince ?? clock.now()
        lostSince = since
        return clock.now().nanoseconds(since: since) >= (last.end - first.start).nanoseconds
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

    // MARK: Reports

    /// Whoever is connected.
    var seated: [Seat] { (session.senderID == nil ? [] : [.owner]) + session.guests.map(Seat.guest) }

    /// Tells everybody here how the speaker is doing, as far as it is news.
    func report() {
        for seat in seated { report(to: seat) }
    }

    /// Tells once in a programme that packets cannot be decoded.
    func reportDamage() {
        let count = programme.state.withLock { $0.damagedPackets }
        if count == 0 { hasReportedDamage = false }
        guard count > 0, !hasReportedDamage else { return }
        hasReportedDamage = true
        logger.warning("packets cannot be decoded; playing silence instead", metadata: ["count": "\(count)"])
        let message = "parts of the audio are damaged and play as silence"
        perform(session.send(.event(kind: "damaged", message: message), to: .owner))
    }

    /// Sends a status when the state or a count has changed, when it is time for one, or when it is due anyway.
    ///
    /// It is time once a second in a room that plays and holds plenty, or that has nothing to do; four times a second in others.
    func report(to seat: Seat, isDue: Bool = false) {
        let now = clock.now()
        let digest = digest(of: seat)
        let last = lastReports[seat]
        let isSame = last.map { $0.digest == digest && now < $0.next } ?? false
        if !isDue, isSame, last?.isCalm == true { return }
        let (status, isCalm) = status(of: seat)
        // That it holds plenty again is what an edit is waited for.
        if !isDue, isSame, !isCalm { return }
        lastReports[seat] = (
            digest, isCalm, now, now.advanced(byNanoseconds: isCalm ? Self.calmInterval : Self.interval)
        )
        perform(session.send(.status(status), to: seat))
    }

    /// Sends a status now, or with the next look where one has only just been sent: packets that come in any order may have much to tell.
    private func reportSoon(to seat: Seat) {
        let now = clock.now()
        if let last = lastReports[seat], now.nanoseconds(since: last.at) < Self.leastInterval {
            lastReports[seat]?.next = now
        } else {
            report(to: seat, isDue: true)
        }
    }

    /// Nanoseconds between two statuses, a little less than they are said to be: looks are taken at even times.
    private static let (interval, calmInterval): (Int64, Int64) = (245_000_000, 995_000_000)
    /// The same between two that are sent because of what has come.
    private static let leastInterval: Int64 = 20_000_000

    func updateCredit(of seat: Seat) {
        let room = room(for: seat)
        let (held, start) = programme(of: seat).state.withLock { ($0.store.cost, $0.timebase?.mediaTime) }
        let free = max(0, room.bytes - held)
        let seconds = MediaTime(seconds: room.seconds, preferredTimescale: 1_000) ?? .zero
        let horizon = (playhead(of: seat) ?? start).map { $0 + seconds }
        let coarse = horizon.flatMap { Self.coarse($0, depth: room.seconds) }
        // Bytes to 64 KiB, for the same reason.
        perform(session.grant(freeBytes: UInt64(free & ~0xFFFF), horizon: coarse, to: seat))
    }

    /// A horizon to whole seconds, of deep buffers to a hundredth: a message for each packet would say little, and a radio rests between
    /// two bursts.
    private static func coarse(_ horizon: MediaTime, depth: Double) -> MediaTime? {
        let grain = max(1, Int64(min(depth, 1e6)) / 100)
        let seconds = horizon.converted(to: 1, rounding: .up).value
        let rest = seconds % grain
        let (whole, isTooFar) = seconds.addingReportingOverflow(rest > 0 ? grain - rest : 0)
        return MediaTime(value: isTooFar ? seconds : whole, timescale: 1)
    }
}
