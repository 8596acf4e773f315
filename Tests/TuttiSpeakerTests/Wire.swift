import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiDecoding
import TuttiPlayback
import TuttiSpeaker
import TuttiWire

/// The way of packets from files to sound: as a sender reads and writes them, over the wire's bytes, into a speaker's
/// session and store, and through its decoders.
struct Wire {
    /// What is played, end to end.
    private(set) var end = MediaTime.zero
    /// What the speaker holds.
    private(set) var store = PacketStore(maximumPackets: 100_000, maximumBytes: 1 << 28)
    private var formats: [AudioFormat] = []
    private var stream = Array<UInt8>()
    private var speaker = SpeakerSession { 7 }
    private let now = HostTime(nanoseconds: 1)

    init() {
        _ = speaker.opened(ConnectionID(rawValue: 1), now: now)
        _ = speaker.opened(ConnectionID(rawValue: 2), now: now)
        control(.hello(Hello(role: .control, senderID: "a", senderName: "a", stream: 1)))
        _ = speaker.accept(
            Welcome(id: "s", name: "s", bufferSeconds: 9, bufferBytes: 1, codecs: [], device: "", deviceFormat: ""))
        media(.hello(Hello(role: .media, senderID: "a", senderName: "a", session: "0000000000000007")))
        _ = speaker.grant(freeBytes: 1 << 30, horizon: nil)
    }

    /// Adds an asset from where it stands, or from the time given.
    mutating func send(_ input: AssetInput, from time: MediaTime = .zero, corrupt: (Int, [UInt8]) -> [UInt8] = { $1 })
        throws
    {
        let asset = try Asset.open(input)
        let format = try #require(try asset.startPackets())
        if time.isPositive { try asset.seek(to: time) }
        if !formats.contains(format) {
            formats.append(format)
            control(.format(id: UInt16(formats.count - 1), format))
        }
        let base = end
        var (frames, index) = (Int64(0), 0)
        while case .packet(let packet)? = try asset.readPacket() {
            let buffer = try #require(
                SampleBuffer(
                    format: format, presentationTime: base + MediaTime(frame: frames, sampleRate: format.sampleRate),
                    frameCount: packet.frameCount, trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd,
                    data: corrupt(index, packet.data), preroll: packet.preroll))
            send(buffer)
            frames += Int64(packet.audibleFrameCount)
            index += 1
        }
        end = base + MediaTime(frame: frames, sampleRate: format.sampleRate)
    }

    /// Sends a buffer with its pre-roll, announced formats only.
    mutating func send(_ buffer: SampleBuffer) {
        let id = UInt16(formats.firstIndex(of: buffer.format) ?? 0)
        var sender = SenderSession(senderID: "a", senderName: "a", streamID: 1)
        for part in buffer.parts {
            for effect in speaker.received(
                sender.packetHeader(for: part, formatID: id) + part.data, on: ConnectionID(rawValue: 2), now: now)
            {
                if case .deliver(let buffer) = effect { _ = store.insert(buffer) }
            }
        }
    }

    /// All sound from `time` on as a speaker decodes it; also how many packets were damaged.
    func play(from time: MediaTime = .zero) -> (samples: [Float], rates: [Int], damaged: Int) {
        let playback = PacketPlayback { format throws(CodecError) in try Decoders.make(for: format) }
        var (samples, rates): ([Float], [Int]) = ([], [])
        var position = time
        while let packet = store.packet(covering: position) {
            let skipped = Int((position - packet.presentationTime).frame(at: packet.format.sampleRate))
            samples += playback.play(packet) { store.packets(before: packet) }.dropFirst(skipped * 2)
            if rates.last != packet.format.sampleRate { rates.append(packet.format.sampleRate) }
            position = packet.timeRange.end
        }
        #expect(position == end)
        return (samples, rates, playback.damagedCount)
    }

    private mutating func control(_ message: ControlMessage) {
        _ = speaker.received(message.encodedFrame(), on: ConnectionID(rawValue: 1), now: now)
    }

    private mutating func media(_ message: ControlMessage) {
        _ = speaker.received(message.encodedFrame(), on: ConnectionID(rawValue: 2), now: now)
    }
}
