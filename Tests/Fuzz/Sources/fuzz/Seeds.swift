import Crypto
import FoundationEssentials
import TuttiClock
import TuttiCodecs
import TuttiCore
import TuttiDiscovery
import TuttiSchema
import TuttiWire

@testable import TuttiTrust

/// What the parsers are meant for, by target: real messages, packets, files. The fuzzer begins with these.
enum Seeds {
    /// Writes a folder for each target, and `words.dict`, the names of fields.
    static func write(to folder: String) throws {
        let seeds = try all()
        for (name, list) in seeds {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            for (index, bytes) in list.enumerated() {
                try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)/seed-\(index)"))
            }
        }
        var words: Set<Substring> = []
        for bytes in ["control", "request", "household", "join"].flatMap({ seeds[$0] ?? [] }) {
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\"")
            for part in parts where part.count < 20 && part.allSatisfy({ $0.isLetter && $0.isASCII }) {
                words.insert(part)
            }
        }
        let lines = words.sorted().map { "\"\\\"\($0)\\\"\"\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: "\(folder)/words.dict"))
    }

    private static func all() throws -> [String: [[UInt8]]] {
        let (said, heard) = (senderMessages(), speakerMessages())
        let packet = MediaPacket(
            streamID: 1, generation: 0, formatID: 0, presentation: .zero, frameCount: 4, restartsDecoder: true,
            payload: [UInt8](repeating: 3, count: 16))
        let body = Array(packet.encodedFrame().dropFirst(Frame.headerBytes))
        let (picture, captions) = (picture(), captions())
        var seeds: [String: [[UInt8]]] = [
            "frames": [said[0].encodedFrame() + packet.encodedFrame(), said.flatMap { $0.encodedFrame() }],
            "control": (said + heard).map { $0.encodedBody() },
            "media": [body],
            "picture": [picture],
            "caption": captions,
            "speaker-session": [script(said, body) + step(23, picture) + captions.flatMap { step(24, $0) }],
            "speaker-session-clear": [script(senderMessages(version: WireLimits.version), body)],
            "sender-session": [heard.flatMap { step(0, $0.encodedBody()) } + step(6, []) + step(7, [1, 2, 3])],
            "playlist": texts(
                "#EXTM3U\n#EXTINF:12,Song\na b.flac\nhttps://h/x.mp3?y#z\n../c.opus\n",
                "[playlist]\nFile1=a.flac\nTitle1=A\nFile2=file:///m/a%20b.flac\nNumberOfEntries=2\n"),
            "cue": texts(
                "PERFORMER \"P\"\nTITLE \"T\"\nFILE \"a.flac\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"x\"\n    INDEX 01 00:00:00\n"
                    + "  TRACK 02 AUDIO\n    INDEX 00 01:02:03\n    INDEX 01 01:02:74\n"),
            "request": texts(
                #"{"command":"seek","position":"-10"}"#, #"{"command":"volume","room":"bath","volume":"+5"}"#,
                #"{"command":"at","order":{"groups":[],"inputs":[{"uri":"/a"}],"rooms":["k"]},"when":"07:00"}"#,
                #"{"command":"group","group":"down","mode":"set","rooms":["a","b"]}"#,
                #"{"command":"move","entries":[6,1]}"#, #"{"command":"repeat","mode":"one","all":true}"#),
            "settings": texts(
                "rooms: [kitchen, bath]\ngroups:\n  down: [a, 'b']\ncodec: flac\nbitrate: 96 # k\n",
                "a: &x {b: 1}\nc: *x\n--- \nd: |\n  text\n"),
            "chain": texts(
                "eq peak 1k -3 1.2; lowshelf 80 4\nconvolve \"a b.wav\" gain=-3 zerolatency\nreverb hall 30\n"
                    + "delay 250ms mix=40\ncompress ratio=3\nlimit -1\nchannels 1 0 / 0 -1\ncrossover low 80 24\n",
                "chain:\n  - limit -1\n  - equalizer: [{kind: notch, frequency: 50}]\n  - channels: left\n",
                #"{"effects":[{"gain":-6},{"reverb":{"preset":"plate"}},{"channels":[[1,0],[0,1]]}]}"#,
                "Filter Settings file\nFilter  1: ON  PK  Fc 50,0 Hz  Gain -10,0 dB  Q 2,50\nFilter 2: ON LS 6dB Fc 1.000 Hz Gain 1 dB",
                "Preamp: -6 dB\nFilter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70\nDelay: 5 ms\nConvolution: a.wav\n",
                "devices: {samplerate: 48000}\nfilters:\n  a: {type: Biquad, parameters: {type: Peaking, freq: 9, q: 1, gain: 1}}\n"
                    + "mixers: {m: {channels: {in: 2, out: 1}, mapping: [{dest: 0, sources: [{channel: 1}]}]}}\n"
                    + "pipeline: [{type: Filter, names: [a]}, {type: Mixer, name: m}]\n"),
            "token": texts(ClaimToken().text),
            "invitation": texts(Invitation(host: "10.0.0.1", port: 7).text, Invitation(host: "fe80::1", port: 7).text),
        ]
        seeds["record"] = [records]
        seeds.merge(timing()) { $1 }
        seeds.merge(try trust()) { $1 }
        seeds.merge(try audio()) { $1 }
        return seeds
    }

    private static func picture() -> [UInt8] {
        let packet = PicturePacket(
            streamID: 1, generation: 0, formatID: 0, beginsAnew: true, isSync: true, presentation: time, duration: 1,
            payload: [0, 0, 1, 9])
        return Array(packet.encodedFrame().dropFirst(Frame.headerBytes))
    }

    /// One of each kind.
    private static func captions() -> [[UInt8]] {
        let end = time + MediaTime(frame: 3, sampleRate: 1)
        let place = SubtitleImage.Place(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        let image = place.flatMap {
            SubtitleImage(place: $0, width: 2, height: 3, bgra: [UInt8](repeating: 7, count: 24))
        }
        let contents = [.text("0,0,Default,,0,0,0,,hello"), image.map(SubtitleCue.Content.image)].compactMap(\.self)
        let cues = contents.compactMap { SubtitleCue(start: time, end: end, content: $0) }
        let all =
            cues.map { Caption.cue($0, style: SubtitleStyle(header: "[Script Info]\n")) } + [
                .end(time), .card(TextCard(title: "a", artist: "b"), TimeRange(start: time, end: end)),
            ]
        return all.compactMap { CaptionPacket($0) }.map { Array($0.encodedFrame().dropFirst(Frame.headerBytes)) }
    }

    private static func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func step(_ operation: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [operation, UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)] + bytes
    }

    /// A control connection (the first), a media one, and all that a sender says.
    private static func script(_ said: [ControlMessage], _ packet: [UInt8]) -> [UInt8] {
        guard case .hello(let hello)? = said.first else { return [] }
        let media = ControlMessage.hello(
            Hello(
                role: .media, version: hello.version, senderID: "s", senderName: "", session: "0000000000000007"))
        return step(0, said[0].encodedBody()) + step(16, media.encodedBody())
            + said.dropFirst().flatMap { step(0, $0.encodedBody()) } + step(13, []) + step(21, packet)
            + step(15, [1, 2])
    }

    private static let scale = TimescaleID(rawValue: 7)
    private static let time = MediaTime(frame: 441_001, sampleRate: 44_100)

    private static func senderMessages(version: Int = WireLimits.securedVersion) -> [ControlMessage] {
        let fit = ReferenceFit(group: GroupTime(nanoseconds: 1 << 60, timescale: scale), offset: -9_999_999, slope: 0)
        let format = AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16)
        let flac = AudioFormat(
            codec: .flac, sampleRate: 44_100, channelCount: 2, bitDepth: 24, magicCookie: [UInt8](0..<34))
        let keys = TrustHandover(
            keys: [TrustHandover.Key(epoch: 1, bytes: [UInt8](repeating: 7, count: 32))], revocations: "1 AAAA x")
        let clock = ClockAnnouncement(
            timescale: scale, origin: "s", leaderID: "a", leaderHost: "fe80::1%eth0", leaderPort: 9, senderPort: 1,
            standIns: [.init(id: "b", host: "10.0.0.7", port: 7_700)])
        let look = Hello(role: .look, version: version, senderID: "look", senderName: "", clock: clock, trust: keys)
        var messages: [ControlMessage] = [
            .hello(Hello(role: .control, version: version, senderID: "s", senderName: "desk", stream: 1)),
            .clock(clock), .trust(keys),
        ]
        if let format, let flac { messages += [.format(id: 0, format), .format(id: 1, flac)] }
        if let pictures = VideoFormat(codec: .h264, width: 16, height: 16) {
            messages.append(.pictureFormat(id: 0, pictures))
        }
        return messages + [
            .timebase(TimebaseCommand(rate: 1, media: time, group: GroupTime(nanoseconds: 5, timescale: scale))),
            .volume(VolumeCommand(percent: 62.5, isMuted: true, rampMs: 10)), .outputDelay(milliseconds: 12.3),
            .reference(ReferenceCommand(fit: fit, isReference: true)), .end(media: time), .ping,
            .flush(generation: 0, from: time), .unsupported(type: "x"), .hello(look), .goodbye(reason: "done"),
        ]
    }

    private static func speakerMessages() -> [ControlMessage] {
        let range = TimeRange(start: .zero, end: time)
        var status = SpeakerStatus(state: .playing, position: time)
        (status.volume, status.leadMs, status.bufferedBytes) = (33.5, 55, 12_345)
        var welcome = Welcome(
            id: "k1", name: "k", session: "0000000000000007", bufferSeconds: 300, bufferBytes: 1 << 26,
            codecs: ["flac", "opus"], device: "default", deviceFormat: "48000:16:2", clockPort: 7_700)
        welcome.loaded = [range]
        welcome.timebase = TimebaseCommand(rate: 1, media: time, group: GroupTime(nanoseconds: -5, timescale: scale))
        return [
            .welcome(welcome), .credit(Credit(bytes: 1 << 20, horizon: time)), .status(status),
            .flushed(generation: 1, loaded: [range]), .event(kind: "xrun", message: "the device ran dry"),
            .failure(code: "busy", message: "no"),
        ]
    }

    /// A speaker that is seen, says more, and goes.
    private static var records: [UInt8] {
        let clock = SpeakerClock(port: 7_700, isWireless: true, timescale: 7, origin: "a", isLeading: true)
        let texts = [
            SpeakerText(id: "a", name: "kitchen", version: "2", isClaimed: false),
            SpeakerText(id: "a", name: "kitchen", version: "2", isClaimed: true, clock: clock),
        ]
        return [3, 32, 0].flatMap { operation in
            texts.flatMap { text in
                let strings = text.strings.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
                return [UInt8(operation), UInt8(clamping: strings.count)] + strings
            }
        }
    }

    private static func timing() -> [String: [[UInt8]]] {
        let request = TimingMessage(requestOn: scale, clientID: 5, sequence: 1, t1: 1_000)
        var reply = TimingMessage(replyTo: request, t2: 2_000, hold: 30)
        reply.descent = ClockDescent(losses: 0, leader: 9)
        let datagrams = [request.encode(), reply.encode()]
        let steps = datagrams.flatMap { step(0, $0) + step(33, $0) + step(30, $0) }
        return ["timing": datagrams, "timing-seal": datagrams, "clock-member": [steps, steps + steps]]
    }

    private static func trust() throws -> [String: [[UInt8]]] {
        let (node, other) = (NodeKey(), NodeKey())
        let (household, chain) = try Household.make(for: node, name: "desk")
        let list = try Revocations().adding(other.id, timeKey: TimeKey(after: 1), signedBy: household)
        var content = MembershipFolder.first
        content.revocations = list
        content.senders = [Membership.Sender(id: other.id, name: "laptop")]
        let inside = HouseholdArchive.Inside(householdKey: household.pemRepresentation, content: content)
        let json = JSONEncoder()
        let claim = SpeakerClaim(householdKey: [1, 2, 3], claimedBy: node.id, claimedByName: "desk")
        let answer = JoinAnswer(proof: "x", chain: chain, timeKeys: content.timeKeys, revocations: list)
        return [
            "revocations": [Array((list.text ?? "").utf8)],
            "certificate": chain + [Array(step(0, chain[0]).dropFirst()) + chain[1]],
            "store-import": [Array(try json.encode(inside))],
            "archive": [Array(try json.encode(HouseholdArchive(inside, passphrase: "passphrase")))],
            "household": [Array(try json.encode(content)), Array(try json.encode(claim))],
            "join": [
                JoinLines.encode(answer), JoinLines.encode(JoinRequest(key: [1, 2], name: "laptop", proof: "x")),
            ],
        ]
    }

    /// A moment of a tone in each codec, as the target reads it, and as files.
    private static func audio() throws -> [String: [[UInt8]]] {
        let tone = (0..<9_600).map { index in Float(index % 97) / 97 - 0.5 }
        var seeds: [String: [[UInt8]]] = [:]
        for (codec, name) in [(AudioFormat.Codec.pcm, "pcm"), (.flac, "flac"), (.opus, "opus")] {
            let encoder = try Codecs.makeEncoder(codec: codec, sourceRate: 48_000, channels: 2, bitDepth: 16)
            let packets = try encoder.encode(tone) + encoder.finish()
            let format = encoder.format
            let depth = UInt8(format.bitDepth / 8 - 1)
            var bytes = [1 | depth << 3, 0, UInt8(format.magicCookie.count)] + format.magicCookie
            for packet in packets.prefix(3) where packet.data.count < 1 << 16 {
                let frames = packet.frameCount
                bytes += [
                    UInt8(packet.data.count >> 8), UInt8(packet.data.count & 255), UInt8(frames >> 8),
                    UInt8(frames & 255),
                ]
                bytes += packet.data
            }
            seeds[name] = [bytes]
            guard codec == .flac else { continue }
            let file = Array("fLaC".utf8) + [0x80, 0, 0, 34] + format.magicCookie + packets.flatMap(\.data)
            seeds["wave"] = [wave]
            seeds["headers"] = [format.magicCookie, packets[0].data, Array("StreamTitle='a';".utf8)]
            seeds["asset"] = [file, wave, Array("ID3\u{3}".utf8) + [0, 0, 0, 0, 10] + file]
        }
        return seeds
    }

    private static var wave: [UInt8] {
        Array("RIFF".utf8) + [0x64, 0, 0, 0] + Array("WAVEfmt ".utf8)
            + [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0] + Array("data".utf8)
            + [64, 0, 0, 0] + [UInt8](repeating: 9, count: 64)
    }
}
