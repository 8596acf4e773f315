import TestSupport
import TuttiCore
import TuttiWire

/// A sender that keeps to the protocol just as far as it must to be listened to: every field now and then at the edge
/// of what it may be, or beyond.
struct FuzzingPeer {
    var values: HostileValues
    /// The generation after the last flush.
    private(set) var generation: UInt32 = 0
    private let timescale: String

    init(_ random: SplitMix64, timescale: String = "0000000000000007") {
        values = HostileValues(random)
        self.timescale = timescale
    }

    /// Whoever says hello begins anew.
    mutating func restart() { generation = 0 }

    // MARK: Control

    /// A frame of the control connection.
    mutating func control() -> [UInt8] {
        let (type, fields) = message()
        let body = Array(("{\"type\":\"\(type)\"" + fields.map { ",\"\($0.0)\":\($0.1)" }.joined() + "}").utf8)
        return Frame.header(.control, bodyCount: body.count) + body
    }

    private mutating func message() -> (String, [(String, String)]) {
        switch values.random.next() % 16 {
        case 0...4: return ("timebase", timebase())
        case 5, 6:
            generation = values.once(in: 16) ? UInt32(truncatingIfNeeded: values.edge()) : generation &+ 1
            let from = values.once(in: 4) ? [] : [("from", values.time(near: 30))]
            return ("flush", [("generation", String(generation))] + from)
        case 7...9: return ("format", format())
        case 10: return ("end", [("media", values.time(near: 60))])
        case 11: return ("volume", [("percent", field("50")), ("rampMs", field("10000")), ("muted", "false")])
        case 12: return ("outputDelay", [("ms", field(values.one(of: ["-5000", "5000", "0"])))])
        case 13: return ("clock", clock())
        case 14: return ("unheard of", [("x", values.json())])
        default: return values.once(in: 20) ? ("goodbye", [("reason", "\"x\\n\\u001b[31m\"")]) : ("ping", [])
        }
    }

    /// A field that is mostly what it should be.
    private mutating func field(_ valid: String) -> String { values.once(in: 24) ? values.json() : valid }

    private mutating func timebase() -> [(String, String)] {
        let group = values.once(in: 2) ? values.edge(in: -(1 << 61)...(1 << 61)) : values.number(0...5_000_000_000)
        let scale = values.once(in: 10) ? "\"ffffffffffffffff\"" : "\"\(timescale)\""
        return [
            ("rate", field(values.once(in: 4) ? "0" : "1")), ("media", values.time(near: 10)),
            ("group", field(String(group))),
            ("timescale", scale),
        ]
    }

    private mutating func format() -> [(String, String)] {
        let codec = values.one(of: ["pcm", "pcm", "pcm", "flac", "opus", "aac", "mp3", "vorbis", "alac"])
        let cookie = String(repeating: "AAAA", count: values.one(of: [0, 0, 11, 2_000]))
        return [
            ("id", field(String(values.number(0...7)))), ("codec", "\"\(codec)\""),
            (
                "sampleRate",
                field(String(values.one(of: [8_000, 44_100, 48_000, 192_000, values.number(8_000...192_000)])))
            ),
            ("channels", field(String(values.one(of: [1, 2, 8])))),
            ("bits", field(String(values.one(of: [16, 16, 24, 32])))),
            ("magicCookie", "\"\(cookie)\""),
        ]
    }

    private mutating func clock() -> [(String, String)] {
        let host = values.one(of: ["127.0.0.1", "::1", "nowhere", "%", "::1%lo", "1.2.3"])
        return [
            ("timescale", "\"\(timescale)\""), ("origin", "\"o\""), ("leaderID", "\"x\""),
            ("leaderHost", "\"\(host)\""),
            ("leaderPort", field("9")), ("senderPort", field("65535")),
            ("standIns", values.once(in: 4) ? "[[\"a\",\"\(host)\",\"9\"],[\"b\",\"\",\"1\"]]" : "[]"),
        ]
    }

    // MARK: Media

    /// A frame of the media connection.
    ///
    /// - Parameter stream: as in the hello.
    mutating func media(stream: UInt32 = 1) -> [UInt8] {
        let frames = values.one(of: [0, 1, 1, 1, 2, 480, 4_096, values.edge(in: 0...(1 << 20))])
        let trims: [(Int64, Int64)] = [
            (0, 0), (0, 0), (0, 0), (frames, 0), (0, frames), (frames / 2, frames - frames / 2), (1, 1),
        ]
        let trim = values.one(of: trims)
        let bytes = values.once(in: 3) ? values.number(0...40) : min(frames * 4, 40_000)
        var packet = MediaPacket(
            streamID: values.once(in: 40) ? 2 : stream,
            generation: values.once(in: 20) ? generation &- 1 : generation,
            formatID: UInt16(values.number(0...7)), presentation: place(), frameCount: UInt32(frames),
            trimAtStart: UInt32(clamping: trim.0), trimAtEnd: UInt32(clamping: trim.1),
            restartsDecoder: values.once(in: 6), payload: [UInt8](repeating: 3, count: Int(bytes)))
        if values.once(in: 200) { packet.frameCount = UInt32(truncatingIfNeeded: values.edge()) }
        return packet.encodedFrame()
    }

    private mutating func place() -> MediaTime {
        let scale = Int32(values.one(of: [1, 48_000, 96_000, 384_000, 1_000_000_000, Int64(Int32.max)]))
        let far = MediaTime.maximumSeconds * Int64(scale) - 1
        let value = values.once(in: 30) ? values.edge(in: -far...far) : values.number(0...Int64(scale) * 20)
        return MediaTime(value: value, timescale: scale) ?? .zero
    }

    // MARK: Datagrams

    /// 64 bytes as members of a clock send them, with a few of them wrong.
    mutating func datagram() -> [UInt8] {
        var bytes: [UInt8] = [0x54, 0xC7, values.one(of: [0x11, 0x11, 0x12, 0x21]), 0]
        bytes += (0..<60).map { _ in 0 }
        for (offset, size) in [(4, 4), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (49, 1), (50, 2), (52, 4), (56, 4)]
        {
            let number = UInt64(bitPattern: values.once(in: 2) ? values.edge() : Int64(values.number(0...9)))
            for index in 0..<size {
                bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - index)))
            }
        }
        let scale = UInt64(timescale, radix: 16) ?? 0
        for index in 0..<8 { bytes[8 + index] = UInt8(truncatingIfNeeded: scale >> UInt64(56 - 8 * index)) }
        bytes[48] = UInt8(values.number(0...3))
        if values.once(in: 20) { bytes.removeLast(Int(values.number(1...64))) }
        return bytes
    }
}
