import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TuttiCore
import TuttiSchema
import TuttiWire

/// A speaker without sound: takes packets by the rules of the protocol and says what a real one would.
///
/// It has no clock, and says that it knows it well, as behind a cable: a change of the timebase counts as taking effect
/// `lead` after it arrives.
final class FakeSpeaker: Sendable {
    struct State {
        var session = SpeakerSession(makeToken: { UInt64.random(in: 1...UInt64.max) })
        var channels: [ConnectionID: any Channel] = [:]
        var lastID: UInt64 = 0
        var packets: [SampleBuffer] = []
        var pictures: [VideoSampleBuffer] = []
        /// All texts above them that have come.
        var captions: [Caption] = []
        var timebases: [TimebaseCommand] = []
        var movedAt = HostTime(nanoseconds: 0)
        var end: MediaTime?
        var volumes: [Double] = []
        var flushes = 0
        /// Where the flushes began; nil for all of it.
        var flushedFrom: [MediaTime?] = []
        var outputDelay = 0.0
        /// How well it says that it knows its clock.
        var clockSigmaUs = 1.0
        /// What it was told of the reference line.
        var references: [ReferenceCommand] = []
        /// The notice that it asks for; nil for none.
        var leadMs: Double?
        var goodbyes: [String] = []
        var stream: UInt32?
        var isSilent = false
        var actions: [@Sendable () -> Void] = []
    }

    let name: String
    let port: UInt16
    private let bufferSeconds: Int64
    private let codecs: [String]
    private let pictureCodecs: [String]
    private let features: [String]
    private let listener: any Channel
    private let box: Mutex<State>

    /// Nanoseconds from the arrival of a timebase to its effect.
    private static let lead: Int64 = 60_000_000

    init(
        _ name: String, port: UInt16 = 0, bufferSeconds: Int64 = 300, codecs: [String] = ["flac", "opus", "pcm"],
        pictureCodecs: [String] = [], features: [String] = Welcome.allFeatures
    ) async throws {
        self.name = name
        self.features = features
        (self.codecs, self.pictureCodecs) = (codecs, pictureCodecs)
        self.bufferSeconds = bufferSeconds
        let relay = FakeSpeakerRelay()
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in channel.pipeline.addHandler(FakeSpeakerHandler(relay: relay)) }
            .bind(host: "127.0.0.1", port: Int(port)).get()
        self.port = UInt16(listener.localAddress?.port ?? 0)
        box = Mutex(State())
        relay.speaker = self
        _ = listener.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(30), delay: .milliseconds(30)) {
            [weak self] task in
            if let self { self.report() } else { task.cancel() }
        }
    }

    deinit {
        listener.close(promise: nil)
        for channel in inspect({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    /// A port at which nobody listens yet.
    static func freePort() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(channel.localAddress?.port ?? 0)
        try await channel.close()
        return port
    }

    /// What a test looks at.
    func inspect<Value: Sendable>(_ body: (borrowing State) -> Value) -> Value { box.withLock { body($0) } }

    /// Says from now on that it is heard so many ms after its card, and needs as much more notice.
    func isHeardLate(milliseconds: Double) {
        box.withLock { ($0.outputDelay, $0.leadMs) = (milliseconds, milliseconds + 45) }
    }

    /// Says that it hardly knows its clock, as behind a radio: it is loaded gently at first.
    func hardlyKnowsItsClock() { box.withLock { $0.clockSigmaUs = 50 } }

    /// Says where its card stands.
    func reports(_ fit: ReferenceFit) {
        perform { state in ((), state.session.send(.cardFit(fit))) }
    }

    /// Loses its memory and all connections, as when its power goes for a moment.
    func restart() {
        let channels = box.withLock { state in
            let open = Array(state.channels.values)
            state = State()
            return open
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Takes nothing from its connections any more, as when its process stands still.
    func stopsReading() {
        for channel in inspect({ Array($0.channels.values) }) {
            channel.setOption(.autoRead, value: false).whenComplete { _ in }
        }
    }

    /// Says nothing any more of its own accord.
    func fallsSilent() { box.withLock { $0.isSilent = true } }

    /// Says how it is again.
    func speaksAgain() { box.withLock { $0.isSilent = false } }

    /// Seconds of the timeline from its beginning on that it holds.
    var heldSeconds: Double { inspect { $0.packets.last?.timeRange.end.seconds ?? 0 } }

    // MARK: Connections

    func opened(_ channel: any Channel) -> ConnectionID {
        perform { state in
            state.lastID += 1
            let id = ConnectionID(rawValue: state.lastID)
            state.channels[id] = channel
            return (id, state.session.opened(id, now: Self.now()))
        }
    }

    func received(_ bytes: [UInt8], on id: ConnectionID) {
        perform { state in ((), state.session.received(bytes, on: id, now: Self.now())) }
    }

    func closed(_ id: ConnectionID) {
        perform { state in
            state.channels[id] = nil
            return ((), state.session.closed(id, now: Self.now()))
        }
    }

    /// Decides under the lock and acts on channels outside of it: they may call back at once.
    private func perform<Value: Sendable>(_ input: (inout State) -> (Value, [SpeakerEffect])) -> Value {
        let (value, actions) = box.withLock { state in
            let (value, effects) = input(&state)
            carryOut(effects, &state)
            defer { state.actions = [] }
            return (value, state.actions)
        }
        for action in actions { action() }
        return value
    }

    private func carryOut(_ effects: [SpeakerEffect], _ state: inout State) {
        for effect in effects {
            switch effect {
            case .send(let bytes, let id):
                guard let channel = state.channels[id] else { continue }
                state.actions.append { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
            case .close(let id, _), .abandon(let id, _):
                guard let channel = state.channels.removeValue(forKey: id) else { continue }
                state.actions.append { Self.hangUp(channel) }
            case .senderArrived(let hello):
                if hello.stream != state.stream { (state.packets, state.stream) = ([], hello.stream) }
                let loaded = state.packets.map(\.timeRange).coalesced()
                let welcome = Welcome(
                    id: "id-" + name, name: name, bufferSeconds: Double(bufferSeconds), bufferBytes: 1 << 26,
                    codecs: codecs, pictureCodecs: pictureCodecs, device: "none", deviceFormat: "48000:16:2",
                    loaded: loaded, features: features)
                carryOut(state.session.accept(welcome), &state)
            case .mediaConnected: grant(&state)
            case .looked(let id, _, _):
                guard let channel = state.channels.removeValue(forKey: id) else { continue }
                let welcome = Welcome(
                    id: "id-" + name, name: name, bufferSeconds: Double(bufferSeconds), bufferBytes: 1 << 26,
                    codecs: codecs, device: "none", deviceFormat: "48000:16:2")
                let words =
                    ControlMessage.welcome(welcome).encodedFrame() + ControlMessage.status(status(state)).encodedFrame()
                state.actions.append {
                    channel.writeAndFlush(ByteBuffer(bytes: words), promise: nil)
                    Self.hangUp(channel)
                }
            case .timebase(let command):
                state.timebases.append(command)
                state.movedAt = Self.now().advanced(byNanoseconds: Self.lead)
                grant(&state)
            case .flush(let generation, let from):
                state.flushes += 1
                state.flushedFrom.append(from)
                if let end = state.end, from.map({ $0 <= end }) ?? true { state.end = nil }
                state.packets.removeAll { packet in from.map { $0 <= packet.presentationTime } ?? true }
                state.pictures.removeAll { picture in from.map { $0 <= picture.presentationTime } ?? true }
                state.captions.append(.end(from ?? .zero))
                let loaded = state.packets.map(\.timeRange).coalesced()
                carryOut(state.session.flushed(generation: generation, loaded: loaded), &state)
            case .volume(let command): state.volumes.append(command.percent)
            case .end(let media): state.end = media
            case .deliver(let buffer): state.packets.append(buffer)
            case .deliverPicture(let picture, let beginsAnew):
                if beginsAnew { state.pictures.removeAll { $0.presentationTime >= picture.presentationTime } }
                state.pictures.append(picture)
            case .deliverCaption(let caption): state.captions.append(caption)
            case .senderLeft(let reason): state.goodbyes.append(reason)
            case .outputDelay(let milliseconds): state.outputDelay = milliseconds
            case .reference(let command): state.references.append(command)
            case .claimed, .refused, .trust, .senderLost, .pauseReading, .resumeReading, .clock, .overlay, .name: break
            }
        }
    }

    /// As speakers do it: a connection that is reset takes along what was said on it last.
    private static func hangUp(_ channel: any Channel) {
        channel.close(mode: .output, promise: nil)
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    private func grant(_ state: inout State) {
        let horizon = position(state).map { $0 + MediaTime(frame: bufferSeconds, sampleRate: 1) }
        carryOut(state.session.grant(freeBytes: 1 << 26, horizon: horizon), &state)
    }

    // MARK: Status

    private func report() {
        perform { state in
            guard !state.isSilent else { return ((), []) }
            grant(&state)
            return ((), state.session.send(.status(status(state))))
        }
    }

    private func status(_ state: borrowing State) -> SpeakerStatus {
        var status = SpeakerStatus(state: playbackState(state), position: position(state))
        status.clockOffsetSigmaUs = state.clockSigmaUs
        status.outputDelayMs = state.outputDelay
        status.leadMs = state.leadMs
        status.loaded = LoadedRanges(state.packets.map(\.timeRange).coalesced())
        return status
    }

    private func position(_ state: borrowing State) -> MediaTime? {
        guard let timebase = state.timebases.last else { return nil }
        let elapsed = Self.now().nanoseconds(since: state.movedAt)
        guard timebase.rate > 0, elapsed > 0 else { return timebase.media }
        return timebase.media + MediaTime(frame: elapsed, sampleRate: 1_000_000_000)
    }

    private func playbackState(_ state: borrowing State) -> SpeakerStatus.State {
        guard let timebase = state.timebases.last, let position = position(state) else { return .idle }
        if timebase.rate > 0, let end = state.end, position >= end { return .ended }
        let isHeld = state.packets.contains { $0.timeRange.contains(position) }
        if timebase.rate == 0 { return isHeld ? .primed : .preparing }
        return isHeld ? .playing : .stalled
    }

    private static func now() -> HostTime {
        HostTime(nanoseconds: Int64(ProcessInfo.processInfo.systemUptime * 1e9))
    }
}
