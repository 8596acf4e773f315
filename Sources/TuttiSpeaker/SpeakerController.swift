package import Logging
package import NIOCore
import TuttiCore
package import TuttiDiscovery
package import TuttiHost
import TuttiPlayback
package import TuttiRendering
package import TuttiTiming
import TuttiTrust
package import TuttiWire

/// The speaker's decisions, all on the network loop: what the protocol says is handed on to the stream, the clock and
/// the renderer, and what those say goes back as status and credit. What is to be remembered from one of these to the
/// next is in a value for each topic.
///
/// Not `Sendable`: confined to the one event loop that all connections share.
package final class SpeakerController {
    let configuration: SpeakerConfiguration
    let groupClock: GroupClock
    let renderer: any SoundOutput
    let clock: HostClock
    let logger: Logger
    let stateFile: SpeakerStateFile
    let eventLoop: any EventLoop

    package internal(set) var session: SpeakerSession
    var connections = Connections()
    var streams: SpeakerStreams
    var memory: SpeakerMemory
    var membership = ClockMembership()
    var review: NeighbourReview
    var reports = StatusReports()
    /// Whom it belongs to; nil where everybody counts, and nobody shows who he is.
    var trust: SpeakerTrust?
    var cardReports = CardReports()
    /// Bytes that have come from senders.
    private(set) var receivedBytes = 0
    /// When the output device is open.
    var device: DeviceUse
    /// The card's mixer; nil where that does not set how loud the speaker is.
    let mixer: HardwareVolume?
    /// What is on the disk of the room's effects.
    var effectsMemory: EffectsMemory
    /// Has `tick` called soon; nil where nobody can be called, and it has to be called often.
    package var onEvent: (() -> Void)?
    /// Tells the network of this speaker's part in a clock.
    package var onClockChange: ((SpeakerClock) -> Void)?
    /// Tells the network what the room is called.
    package var onNameChange: ((String) -> Void)?
    /// Tells the network whether this speaker is somebody's.
    package var onClaim: ((Bool) -> Void)?

    package init(
        configuration: SpeakerConfiguration, stream: StreamBuffer, overlays: [StreamBuffer], groupClock: GroupClock,
        renderer: any SoundOutput, clock: HostClock, state: SpeakerState, stateFile: SpeakerStateFile,
        eventLoop: any EventLoop, random: RandomSource = .system, isWireless: Bool = false, trust: SpeakerTrust? = nil,
        mixer: HardwareVolume? = nil, logger: Logger
    ) {
        self.configuration = configuration
        self.groupClock = groupClock
        self.renderer = renderer
        self.clock = clock
        self.stateFile = stateFile
        self.eventLoop = eventLoop
        self.logger = logger
        streams = SpeakerStreams(owner: stream, overlays: overlays)
        memory = SpeakerMemory(state, device: configuration.device, volumes: configuration.volumeRange)
        device = DeviceUse(configuration.release)
        self.mixer = mixer
        effectsMemory = EffectsMemory(directory: configuration.stateDirectory, files: stateFile.files)
        review = NeighbourReview(ClockCircle(id: state.id, isWireless: isWireless))
        session = SpeakerSession { random.next() }
        self.trust = trust
        beginTrust()
        applyVolume(rampMilliseconds: 0)
        resumeClock()
        applyOutputDelay()
        resumeEffects()
    }

    // MARK: Connections

    package func opened(_ channel: any Channel) -> ConnectionID {
        let id = connections.add(channel)
        perform(session.opened(id, from: channel.remoteAddress?.ipAddress ?? "", now: clock.now()))
        return id
    }

    /// Whether a handshake may begin on a connection.
    func allowsHandshake(on channel: any Channel) -> Bool {
        connections.allowsHandshake(on: channel, now: clock.now())
    }

    package func received(_ bytes: [UInt8], on connection: ConnectionID) {
        receivedBytes &+= bytes.count
        perform(session.received(bytes, on: connection, now: clock.now()))
    }

    package func closed(_ connection: ConnectionID) {
        _ = connections.remove(connection)
        perform(session.closed(connection, now: clock.now()))
    }

    /// Closes everything; sound fades out.
    package func shutdown() {
        perform(session.shutdown(reason: "the speaker was stopped"))
        for stream in streams.all { stream.clear() }
        rememberRates()
    }

    // MARK: Effects

    func perform(_ effects: [SpeakerEffect]) {
        for effect in effects {
            if case .claimed(let connection, _, let name) = effect, !claim(for: connection, name: name) {
                perform(session.abandon(connection, reason: "the claim could not be written down"))
                break
            }
            perform(effect)
        }
        if let onEvent, effects.contains(where: \.mayChangeReports) { onEvent() }
    }

    /// - Parameter slot: whom the effect is about.
    private func perform(_ effect: SpeakerEffect, at slot: Slot = .owner) {
        switch effect {
        case .send(let bytes, let connection):
            guard let channel = connections[connection] else { return }
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
            if !channel.isWritable { perform(session.unread(connection)) }
        case .abandon(let connection, let reason): takeAway(connection, reason)?.close(promise: nil)
        case .close(let connection, let reason): if let channel = takeAway(connection, reason) { hangUp(channel) }
        case .pauseReading(let connection): setReading(false, connection)
        case .resumeReading(let connection): setReading(true, connection)
        case .overlay(let number, let effect): if counts(effect, of: number) { perform(effect, at: .overlay(number)) }
        case .senderArrived(let hello): slot == .owner ? senderArrived(hello) : overlayArrived(hello, at: slot)
        case .claimed: break
        case .refused(let connection, let name, let reason): knocked(connection, name: name, reason: reason)
        case .trust(let handover): take(handover)
        case .looked(let connection, let look, let version):
            if let trust = look.trust { take(trust) }
            if let clock = look.clock { takeIdly(clock, from: connection) }
            if let request = look.effects {
                answer(request, on: connection, version: version)
            } else {
                show(to: connection, version: version)
            }
        case .mediaConnected:
            updateCredit(of: slot)
            if slot == .owner { leaveHandshakeBehind() }
        case .senderLost(let reason): slot == .owner ? senderLost(reason) : overlayGone(reason, from: slot)
        case .senderLeft(let reason): slot == .owner ? senderLeft(reason) : overlayGone(reason, from: slot)
        case .clock(let announcement, let connection): take(announcement, from: connection, at: slot)
        case .timebase(let command):
            keepDevice()
            streams[slot].set(Timebase(rate: command.rate, mediaTime: command.media, groupTime: command.group))
            leadPictures()
            updateCredit(of: slot)
            reports.expire(slot)
        case .flush(let generation, let time):
            keepDevice()
            let loaded = streams[slot].flush(from: time)
            perform(session.flushed(generation: generation, loaded: loaded, at: slot))
            updateCredit(of: slot)
            reports.expire(slot)
        case .volume(let command): setVolume(command)
        case .name(let name): setName(name)
        case .outputDelay(let milliseconds): setOutputDelay(milliseconds)
        case .reference(let command): takeReference(command)
        case .end(let media): streams[slot].setEnd(media)
        case .deliver(let packet):
            if streams[slot].insert(packet), Self.isLandmark(packet.timeRange) { reportSoon(to: slot) }
        case .deliverPicture(let picture, let beginsAnew):
            streams[slot].pictures?.insert(picture, beginsAnew: beginsAnew)
        case .deliverCaption(let caption): streams[slot].pictures?.insert(caption)
        }
    }

    /// Whether ten seconds more of the stream are full with this packet: whoever sends hears of that at once.
    private static func isLandmark(_ range: TimeRange) -> Bool {
        range.start.converted(to: 1, rounding: .down).value / 10 != range.end.converted(to: 1, rounding: .down).value
            / 10
    }

    /// The channel of a connection that is over.
    private func takeAway(_ connection: ConnectionID, _ reason: String) -> (any Channel)? {
        if connections.isEndNews(now: clock.now()) {
            let peer = connections.peer(of: connection)
            logger.info("connection closed", metadata: ["reason": "\(reason)", "peer": "\(peer)"])
        }
        return connections.remove(connection)
    }

    /// Says nothing more, and is gone once the other side has hung up too, or after a second. A connection that is
    /// closed while something comes in is reset, and with it goes what was said last.
    func hangUp(_ channel: any Channel) {
        guard connections.beginClosing() else { return channel.close(promise: nil) }
        channel.close(mode: .output, promise: nil)
        _ = channel.setOption(.autoRead, value: true)
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        let tooLate = eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            tooLate.cancel()
            box.value.connections.endClosing()
        }
    }

    private func setReading(_ isOn: Bool, _ connection: ConnectionID) {
        guard let channel = connections[connection] else { return }
        _ = channel.setOption(.autoRead, value: isOn)
        if isOn { channel.read() }
    }
}

extension SpeakerEffect {
    /// Whether a look soon after may find something to report, or find that looks are to be taken more often.
    fileprivate var mayChangeReports: Bool {
        switch self {
        case .send, .pauseReading, .resumeReading, .refused, .trust, .deliver, .deliverPicture, .deliverCaption,
            .volume, .outputDelay, .reference, .name:
            false
        case .overlay(_, let effect): effect.mayChangeReports
        default: true
        }
    }
}
