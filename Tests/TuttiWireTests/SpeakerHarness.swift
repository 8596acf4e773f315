import TuttiCore
import TuttiWire

/// A speaker's session with a clock of its own and the parts of a shell that tests need.
struct SpeakerHarness {
    var session = SpeakerSession(makeToken: { 0xFEED })
    var now = HostTime(nanoseconds: 1_000_000_000)
    var loaded: [TimeRange] = []
    private var nextConnection: UInt64 = 0

    mutating func open(from address: String = "") -> ConnectionID {
        nextConnection += 1
        let connection = ConnectionID(rawValue: nextConnection)
        _ = session.opened(connection, from: address, now: now)
        return connection
    }

    mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) -> [SpeakerEffect] {
        session.received(bytes, on: connection, now: now)
    }

    mutating func receive(_ message: ControlMessage, on connection: ConnectionID) -> [SpeakerEffect] {
        receive(message.encodedFrame(), on: connection)
    }

    /// A sender with both connections up and credit for a mebibyte.
    mutating func connect(
        _ senderID: String = "desk", stream: UInt32 = 9, policy: RouteSharingPolicy = .longForm
    ) -> (control: ConnectionID, media: ConnectionID) {
        let control = open()
        let hello = Hello(role: .control, senderID: senderID, senderName: "", stream: stream, policy: policy)
        var slot = Slot.owner
        if case .overlay(let number, _)? = receive(.hello(hello), on: control).last { slot = .overlay(number) }
        _ = session.accept(Self.welcome, at: slot)
        let media = open()
        let token = "000000000000feed"
        _ = receive(.hello(Hello(role: .media, senderID: senderID, senderName: "", session: token)), on: media)
        _ = session.grant(freeBytes: 1 << 20, horizon: nil, to: slot)
        return (control, media)
    }

    static let welcome = Welcome(
        id: "k1", name: "kitchen", bufferSeconds: 300, bufferBytes: 1 << 26, codecs: ["flac"], device: "null",
        deviceFormat: "48000:16:2")

    static func packet(
        _ frame: Int64 = 0, format: UInt16 = 1, generation: UInt32 = 0, stream: UInt32 = 9, bytes: Int = 10
    ) -> [UInt8] {
        MediaPacket(
            streamID: stream, generation: generation, formatID: format,
            presentation: MediaTime(frame: frame, sampleRate: 48_000), frameCount: 480,
            payload: [UInt8](repeating: 1, count: bytes)
        ).encodedFrame()
    }
}

extension [SpeakerEffect] {
    /// The messages among the effects, on whatever connection.
    var messages: [ControlMessage] {
        compactMap { (effect) -> ControlMessage? in
            guard case .send(let bytes, _) = effect else { return nil }
            return try? ControlMessage(parsing: [UInt8](bytes.dropFirst(Frame.headerBytes)))
        }
    }

    /// The connections that are closed.
    var closed: [ConnectionID] {
        compactMap { effect in
            switch effect {
            case .close(let connection, _), .abandon(let connection, _): connection
            default: nil
            }
        }
    }

    /// Presentation times of what is delivered, in frames.
    var delivered: [Int64] {
        compactMap { if case .deliver(let buffer) = $0 { buffer.presentationTime.frame(at: 48_000) } else { nil } }
    }
}
