import Synchronization
import TestSupport
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime
import TuttiRendering
import TuttiWire

/// What a speaker is made of, without sockets and threads: the session, the stream, the worker that decodes, and the
/// decks.
struct FuzzedSpeaker {
    static let maximumBytes = 1 << 20

    private var session: SpeakerSession
    private let stream = StreamBuffer(maximumBytes: maximumBytes)
    private let estimates = ClockEstimateSlot()
    private let counters = RenderCounters()
    private let worker: DecodeWorker
    private let kernel: KernelBox
    private let host = HostBox()
    private var (control, media): (ConnectionID?, ConnectionID?)
    private var lastID: UInt64 = 0
    /// Packets that came through, and times at which a deck had something to say.
    private(set) var (delivered, started) = (0, 0)

    init() {
        session = SpeakerSession { 7 }
        let decks = DeckPair(outputRate: 48_000)
        kernel = KernelBox(decks)
        worker = DecodeWorker(
            stream: stream, now: { [host] in host.now }, estimates: estimates, correction: .on, counters: counters
        )
        stream.replaceDecks(decks)
        counters.isDeviceSettled.store(true, ordering: .relaxed)
    }

    var isConnected: Bool { control != nil && media != nil }
    var heldBytes: Int { stream.state.withLock { $0.store.cost } }

    mutating func connect() {
        (control, media) = (open(), open())
        guard let control, let media else { return }
        take(
            session.received(
                ControlMessage.hello(Hello(role: .control, senderID: "a", senderName: "a", stream: 1)).encodedFrame(),
                on: control,
                now: host.now))
        let hello = Hello(role: .media, senderID: "a", senderName: "a", session: "0000000000000007")
        take(session.received(ControlMessage.hello(hello).encodedFrame(), on: media, now: host.now))
    }

    /// Plays what anybody might play, so that what comes then comes to a speaker that sounds.
    mutating func begin(_ values: inout HostileValues) {
        host.now = HostTime(nanoseconds: 1_000_000_000)
        estimates.publish(Self.line(0))
        guard let format = AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16) else { return }
        hear(control: ControlMessage.format(id: 0, format).encodedFrame())
        for index in 0..<5 as Range<Int64> {
            let packet = MediaPacket(
                streamID: 1, generation: 0, formatID: 0,
                presentation: MediaTime(frame: index * 24_000, sampleRate: 48_000),
                frameCount: 24_000, payload: [UInt8](repeating: 3, count: 96_000))
            hear(media: packet.encodedFrame())
        }
        let instant = GroupTime(nanoseconds: 1_200_000_000, timescale: TimescaleID(rawValue: 7))
        hear(control: ControlMessage.timebase(TimebaseCommand(rate: 1, media: .zero, group: instant)).encodedFrame())
        for _ in 0..<40 { play(&values, isHostile: false) }
    }

    private static func line(_ offset: Int64) -> ClockEstimate {
        ClockEstimate(
            timescale: TimescaleID(rawValue: 7), referenceHost: HostTime(nanoseconds: 0), offset: offset, drift: 1e-5,
            offsetSigma: 1, driftSigma: 1e-9)
    }

    private mutating func open() -> ConnectionID {
        lastID += 1
        let id = ConnectionID(rawValue: lastID)
        take(session.opened(id, now: host.now))
        return id
    }

    mutating func hear(control bytes: [UInt8]) {
        if let control { take(session.received(bytes, on: control, now: host.now)) }
    }

    mutating func hear(media bytes: [UInt8]) {
        if let media { take(session.received(bytes, on: media, now: host.now)) }
    }

    private mutating func take(_ effects: [SpeakerEffect]) {
        for effect in effects {
            switch effect {
            case .senderArrived:
                stream.clear()
                take(
                    session.accept(
                        Welcome(
                            id: "s", name: "s", bufferSeconds: 9, bufferBytes: 1, codecs: [], device: "",
                            deviceFormat: "")))
            case .mediaConnected: grant()
            case .timebase(let command):
                stream.set(Timebase(rate: command.rate, mediaTime: command.media, groupTime: command.group))
            case .flush(let generation, let from):
                let loaded = stream.flush(from: from)
                take(session.flushed(generation: generation, loaded: loaded))
            case .reference(let command): if let fit = command.fit { stream.reference.line.publish(fit) }
            case .end(let time): stream.setEnd(time)
            case .deliver(let packet):
                if stream.insert(packet) { delivered += 1 }
            case .close(let id, _), .abandon(let id, _):
                if id == control { control = nil }
                if id == media { media = nil }
            case .senderLeft: stream.clear()
            default: break
            }
        }
    }

    private mutating func grant() {
        let free = stream.state.withLock { max(0, Self.maximumBytes - $0.store.cost) }
        take(session.grant(freeBytes: UInt64(free), horizon: nil))
    }

    /// Lets time pass, by clocks that may stand anywhere, and plays.
    mutating func play(_ values: inout HostileValues, isHostile: Bool = true) {
        if isHostile, values.once(in: 50) {
            estimates.publish(Self.line(values.once(in: 2) ? values.edge(in: -(1 << 61)...(1 << 61)) : 0))
        }
        if isHostile, values.once(in: 20) { host.now = HostTime(nanoseconds: values.number(0...5_000_000_000)) }
        grant()
        worker.pass()
        let group = estimates.read()?.groupNanoseconds(atHostNanoseconds: host.now.nanoseconds, fraction: 0.5)
        let period = RenderPeriod(
            frameCount: 480, groupNanoseconds: group?.nanoseconds ?? 0, groupFraction: group?.fraction ?? 0,
            groupNanosecondsPerFrame: 1e9 / 48_000, isClockValid: group != nil,
            isDiscontinuity: isHostile && values.once(in: 100))
        let report = kernel.render(period)
        started += report.audibleDecks
        if let now = estimates.read()?.groupTime(at: host.now) { stream.trimBehindPlayhead(at: now) }
        _ = stream.state.withLock { $0.store.loadedTimeRanges.count }
        host.now = host.now.advanced(byNanoseconds: 10_000_000)
    }
}

/// The render thread's part.
private final class KernelBox {
    private var kernel: RenderKernel
    private let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 480)

    init(_ decks: DeckPair) {
        kernel = RenderKernel(decks: decks.first, decks.second, maximumPeriodFrames: 480)
    }

    deinit { samples.deallocate() }

    func render(_ period: RenderPeriod) -> RenderReport { kernel.render(period, into: samples) }
}

/// A clock that a test sets.
private final class HostBox: Sendable {
    private let time = Mutex(HostTime(nanoseconds: 1))

    var now: HostTime {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
