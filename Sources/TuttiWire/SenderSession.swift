package import TuttiCore

/// A sender's side of the protocol with one speaker: control connection, media connection, credit and generations.
///
/// Input methods return what is to be done, in order. The value lives as long as the room is played to: after
/// `closed` it is ready for the next pair of connections and knows on `welcome` whether the speaker still holds what
/// was sent before.
package struct SenderSession: Sendable {
    enum Phase: Sendable, Equatable {
        case closed
        /// Hello is sent; the welcome is awaited.
        case greeting
        /// The speaker has answered; media may be on its way up.
        case welcomed(mediaIsOpen: Bool)
    }

    let senderID: String
    let senderName: String
    /// Names the programme, as in hello and every packet.
    package let streamID: UInt32
    /// What this sender is to the room.
    package let policy: RouteSharingPolicy

    /// The id of the speaker's key, as the handshake has shown; nil where connections are not secured.
    package var peerID: String?
    /// What shows the speaker that its token is known here; nil where it is not, or there is no need.
    package var proof: String?

    var phase = Phase.closed
    var controlDecoder = FrameDecoder()
    var mediaDecoder = FrameDecoder()
    var announced: [UInt16: AudioFormat] = [:]
    var announcedPictures: [UInt16: VideoFormat] = [:]
    /// When the speaker was heard last.
    package internal(set) var lastHeard = HostTime(nanoseconds: 0)
    var lastSent = HostTime(nanoseconds: 0)

    /// Whether a person has just asked for this room: said until the speaker has answered once.
    package var isClaim = false
    /// Whether the speaker held audio of a generation that this sender does not know of.
    package internal(set) var isBehind = false
    /// The flushes that the speaker has not been heard to have carried out, oldest first; of the last `flushMemory`.
    package internal(set) var unanswered: [Flush] = []

    /// The speaker's last answer to hello.
    package internal(set) var welcome: Welcome?
    /// The generation that packets are sent with.
    package internal(set) var generation: UInt32 = 0
    /// Whether a flush has not been answered yet: no packet may be sent.
    package internal(set) var isFlushing = false
    /// Payload bytes sent on this media connection.
    package internal(set) var sentBytes: UInt64 = 0
    /// What the speaker has granted.
    package internal(set) var credit: Credit?

    /// What a speaker was told to drop.
    package struct Flush: Sendable, Equatable {
        /// The generation that came with it.
        package let generation: UInt32
        /// From where on; nil for everything.
        package let from: MediaTime?

        /// A flush.
        package init(generation: UInt32, from: MediaTime?) {
            self.generation = generation
            self.from = from
        }
    }

    /// How many flushes are remembered: a speaker that has missed more drops everything.
    package static let flushMemory = 64

    /// A sender without connections.
    ///
    /// - Parameters:
    ///   - generation: that of what the speaker was sent before.
    ///   - unanswered: what it was told to drop before, and has not said that it did; oldest first.
    package init(
        senderID: String, senderName: String, streamID: UInt32, policy: RouteSharingPolicy = .longForm,
        generation: UInt32 = 0, unanswered: [Flush] = []
    ) {
        self.generation = generation
        self.unanswered = unanswered.suffix(Self.flushMemory)
        self.senderID = senderID
        self.senderName = senderName
        self.streamID = streamID
        self.policy = policy
    }

    /// The version of the protocol that is spoken.
    var version: Int { peerID != nil ? WireLimits.securedVersion : WireLimits.version }

    /// Whether control messages can be sent.
    package var isControlOpen: Bool { phase != .closed }

    /// Whether packets can be sent, credit permitting.
    package var isMediaOpen: Bool { phase == .welcomed(mediaIsOpen: true) && !isFlushing }

    /// When `poll` is to be called next; nil while closed.
    package var deadline: HostTime? {
        guard phase != .closed else { return nil }
        return min(
            lastSent.advanced(byNanoseconds: WireLimits.pingInterval),
            lastHeard.advanced(byNanoseconds: WireLimits.statusTimeout))
    }

    /// The speaker goes by this name from now on.
    package mutating func setName(_ name: String) { welcome?.name = name }

    // MARK: Connections

    /// The control connection is up.
    package mutating func controlOpened(now: HostTime) -> [SenderEffect] {
        reset()
        phase = .greeting
        lastHeard = now
        let hello = Hello(
            role: .control, version: version, senderID: senderID, senderName: senderName, stream: streamID,
            policy: policy, isClaim: isClaim, proof: proof)
        return send(.hello(hello), now: now)
    }

    /// The media connection is up.
    package mutating func mediaOpened(now: HostTime) -> [SenderEffect] {
        guard case .welcomed = phase, let welcome else { return [.close(reason: "media before welcome")] }
        phase = .welcomed(mediaIsOpen: true)
        let hello = Hello(
            role: .media, version: version, senderID: senderID, senderName: senderName, session: welcome.session)
        return [.sendMedia(ControlMessage.hello(hello).encodedFrame())]
    }

    /// Either connection is closed; the shell closes the other one too.
    package mutating func closed() {
        reset()
    }

    /// `deadline` has passed: shows a sign of life, or gives the silent speaker up.
    package mutating func poll(now: HostTime) -> [SenderEffect] {
        guard phase != .closed else { return [] }
        if lastHeard.advanced(byNanoseconds: WireLimits.statusTimeout) <= now {
            reset()
            let silence = WireError.silent(seconds: Int(WireLimits.statusTimeout / 1_000_000_000))
            return [.close(reason: silence.description)]
        }
        guard lastSent.advanced(byNanoseconds: WireLimits.pingInterval) <= now else { return [] }
        return send(.ping, now: now)
    }

    /// This host has not read for a while: what the speaker said meanwhile is still to be read, and nothing is held
    /// against it for a second.
    package mutating func wasHeldUp(now: HostTime) {
        lastHeard = max(lastHeard, now.advanced(byNanoseconds: WireLimits.pingInterval - WireLimits.statusTimeout))
    }

    // MARK: Sending

    /// Sends a control message; nothing happens while the connection is down. Nor are the line and the end of the
    /// programme told before the welcome: the speaker may hold what it is to drop first, and would play that along a
    /// line which is not its own.
    package mutating func send(_ message: ControlMessage, now: HostTime) -> [SenderEffect] {
        switch (message, phase) {
        case (_, .closed), (.timebase, .greeting), (.end, .greeting): return []
        default: break
        }
        lastSent = max(lastSent, now)
        return [.sendControl(message.encodedFrame())]
    }

    /// Announces a format unless this connection has it already. Do so before the first packet of it.
    package mutating func announce(_ format: AudioFormat, id: UInt16, now: HostTime) -> [SenderEffect] {
        guard phase != .closed, announced[id] != format else { return [] }
        announced[id] = format
        return send(.format(id: id, format), now: now)
    }

    /// Announces a format of pictures unless this connection has it already. Do so before the first picture of it.
    package mutating func announce(_ format: VideoFormat, id: UInt16, now: HostTime) -> [SenderEffect] {
        guard phase != .closed, announcedPictures[id] != format else { return [] }
        announcedPictures[id] = format
        return send(.pictureFormat(id: id, format), now: now)
    }

    /// Makes the speaker drop the audio from `time` on (all of it when nil); packets wait for its answer. Before it has
    /// said what it holds the generation alone changes: that is then dropped when it says so.
    package mutating func flush(from time: MediaTime?, now: HostTime) -> [SenderEffect] {
        generation &+= 1
        isBehind = false
        unanswered.append(Flush(generation: generation, from: time))
        if unanswered.count > Self.flushMemory { unanswered.removeFirst() }
        guard case .welcomed = phase else { return [] }
        isFlushing = true
        return send(.flush(generation: generation, from: time), now: now)
    }

    /// Whether a packet of `payloadBytes` that begins at `presentation` may be sent now.
    package func allows(payloadBytes: Int, presentation: MediaTime) -> Bool {
        payloadBytes <= MediaPacket.maximumPayloadBytes && grants(payloadBytes, at: presentation)
    }

    /// Whether a picture may be sent now, in as many packets as it takes.
    package func allows(_ picture: VideoSampleBuffer) -> Bool {
        picture.data.count <= WireLimits.pictureBytes && grants(picture.data.count, at: picture.presentationTime)
    }

    private func grants(_ payloadBytes: Int, at presentation: MediaTime) -> Bool {
        guard isMediaOpen, let credit else { return false }
        if let horizon = credit.horizon, presentation >= horizon { return false }
        let (sum, overflow) = sentBytes.addingReportingOverflow(UInt64(payloadBytes))
        return !overflow && sum <= credit.bytes
    }

    /// The bytes to send before the payload of `buffer`, one of its `parts`, which counts against the credit from now
    /// on.
    ///
    /// - Precondition: `allows` said yes.
    package mutating func packetHeader(for buffer: SampleBuffer, formatID: UInt16) -> [UInt8] {
        sentBytes &+= UInt64(buffer.data.count)
        let packet = MediaPacket(
            streamID: streamID, generation: generation, formatID: formatID, presentation: buffer.presentationTime,
            frameCount: UInt32(buffer.frameCount), trimAtStart: UInt32(buffer.trimAtStart),
            trimAtEnd: UInt32(buffer.trimAtEnd), restartsDecoder: buffer.preroll != nil, payload: buffer.data)
        return packet.encodedHeader()
    }

    /// Whether a text above pictures may be sent now.
    package func allows(_ packet: CaptionPacket) -> Bool { grants(packet.payloadBytes, at: packet.start) }

    /// The frame of a text above pictures, which counts against the credit from now on.
    package mutating func frame(of packet: CaptionPacket) -> [UInt8] {
        var packet = packet
        (packet.streamID, packet.generation) = (streamID, generation)
        sentBytes &+= UInt64(packet.payloadBytes)
        return packet.encodedFrame()
    }

    /// The packets of a picture, which count against the credit from now on.
    ///
    /// - Parameter beginsAnew: what the speaker holds of pictures from its time on is to make way.
    /// - Precondition: `allows` said yes.
    package mutating func packets(
        for picture: VideoSampleBuffer, formatID: UInt16, beginsAnew: Bool
    ) -> [PicturePacket] {
        sentBytes &+= UInt64(picture.data.count)
        return PicturePacket.packets(
            of: picture, streamID: streamID, generation: generation, formatID: formatID, beginsAnew: beginsAnew)
    }

    mutating func reset() {
        phase = .closed
        controlDecoder = FrameDecoder()
        mediaDecoder = FrameDecoder()
        announced = [:]
        announcedPictures = [:]
        isFlushing = false
        sentBytes = 0
        credit = nil
    }
}
