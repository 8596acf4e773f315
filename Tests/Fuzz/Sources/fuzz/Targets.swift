import FoundationEssentials
import TuttiChain
import TuttiChainFiles
import TuttiClock
import TuttiCodecs
import TuttiCore
import TuttiDiscovery
import TuttiFFmpeg
import TuttiSchema
import TuttiSettings
import TuttiWire
import TuttiYAML

@testable import TuttiAssets
@testable import TuttiTrust

/// The parsers of bytes from outside, by name. A target that traps, takes seconds or hundreds of megabytes has failed.
let targets: [String: @Sendable ([UInt8]) -> Void] = [
    // The wire.
    "frames": frames,
    "control": { bytes in
        guard let message = try? ControlMessage(parsing: bytes) else { return }
        if case .unknown = message { return }
        // What was read can be written, and is read again as the same.
        require((try? ControlMessage(parsing: message.encodedBody())) == message)
    },
    "media": { bytes in _ = try? MediaPacket(parsing: bytes) },
    "picture": { bytes in _ = try? PicturePacket(parsing: bytes) },
    "caption": { bytes in
        guard let caption = try? CaptionPacket(parsing: bytes).caption() else { return }
        // What was read can be sent, and is read again as the same, but for places of images, which are rounded.
        guard let body = CaptionPacket(caption)?.encodedFrame().dropFirst(Frame.headerBytes) else { return }
        require((try? CaptionPacket(parsing: Array(body)).caption()) != nil)
    },
    "speaker-session": { bytes in SpeakerScript.run(bytes, isSecured: true) },
    "speaker-session-clear": { bytes in SpeakerScript.run(bytes, isSecured: false) },
    "sender-session": { bytes in SenderScript.run(bytes) },

    // The clock.
    "timing": { bytes in
        guard let message = try? TimingMessage(parsing: bytes) else { return }
        _ = try? TimingMessage(parsing: message.encode())
    },
    "timing-seal": { bytes in
        // The seal is right for half of them: so what lies behind it is reached as well.
        var opener = TimingSeal(TimeKeys([timeKey]), signer: 1)
        _ = opener.open(bytes)
        var closer = TimingSeal(TimeKeys([timeKey]), signer: 2)
        guard !bytes.isEmpty, let sealed = closer.close(bytes) else { return }
        require(opener.open(sealed) == bytes && opener.open(sealed) == nil)
    },
    "clock-member": { bytes in ClockScript.run(bytes) },

    // Audio.
    "pcm": { bytes in decode(.pcm, bytes) },
    "flac": { bytes in decode(.flac, bytes) },
    "opus": { bytes in decode(.opus, bytes) },
    "aac": { bytes in decode(.aac, bytes) },
    "alac": { bytes in decode(.alac, bytes) },
    "mp3": { bytes in decode(.mp3, bytes) },
    "vorbis": { bytes in decode(.vorbis, bytes) },

    // What a person plays.
    "playlist": { bytes in
        let lines = PlaylistText.lines(of: bytes)
        for entry in M3UPlaylist(lines: lines).entries + PLSPlaylist(lines: lines).entries {
            _ = PathText.resolve(entry.uri, relativeTo: "https://host/a/b.m3u")
            _ = PathText.resolve(entry.uri, relativeTo: "/a/b.m3u")
        }
    },
    "cue": { bytes in
        let sheet = CueSheet(lines: PlaylistText.lines(of: bytes))
        for index in sheet.tracks.indices { _ = (sheet.end(ofTrack: index), sheet.loudness(ofTrack: index)) }
    },
    "asset": openAsset,
    "headers": { bytes in
        _ = LAMETag.paddedFrames(in: bytes)
        _ = MPEGHeader.judge(bytes, sampleRate: 44_100)
        for codec in AudioFormat.Codec.allCases { _ = MagicCookie.make(codec, extradata: bytes) }
        _ = StreamTitle.title(in: bytes)
        _ = TagText.oneLine(String(decoding: bytes, as: UTF8.self))
    },
    "wave": { bytes in
        _ = WAVHeader.promisedSize(bytes)
        guard let file = try? WAVHeader.parse(bytes) else { return }
        require(file.data.lowerBound >= 0 && file.data.upperBound <= bytes.count)
    },

    // What is seen on the network.
    "record": seeRecords,

    // This host's own files and its socket.
    "request": { bytes in
        guard let request = try? ControlRequest(line: bytes) else { return }
        require((try? ControlRequest(line: JSONLine.encode(request))) != nil)
    },
    "settings": { bytes in
        _ = try? SettingsFile(path: "fuzz.yaml", content: bytes)
        _ = try? YAMLNode(parsing: bytes)
    },
    "chain": { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        for format in [nil] + ChainImport.Format.allCases {
            guard let chain = try? ChainImport(parsing: text, as: format).chain else { continue }
            // What was read can be written, and is read again as the same.
            require((try? EffectChain(parsing: chain.description)) == chain)
            require((try? EffectChain(yaml: chain.yaml)) == chain)
        }
        guard let chain = try? JSONDecoder().decode(EffectChain.self, from: Data(bytes)) else { return }
        require(
            (try? JSONEncoder().encode(chain)).flatMap { try? JSONDecoder().decode(EffectChain.self, from: $0) }
                == chain)
    },

    // Trust.
    "invitation": { bytes in
        guard let invitation = try? Invitation(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        require((try? Invitation(parsing: invitation.text)) == invitation)
    },
    "join": { bytes in
        _ = try? JoinLines.decode(bytes, as: JoinRequest.self)
        _ = try? JoinLines.decode(bytes, as: JoinAnswer.self)
    },
    "token": { bytes in
        guard let token = ClaimToken(String(decoding: bytes, as: UTF8.self)) else { return }
        require(ClaimToken(token.text) == token)
    },
    "revocations": { bytes in
        guard let list = Revocations(String(decoding: bytes, as: UTF8.self)) else { return }
        require(list.text.flatMap { Revocations($0) } == list)
        _ = list.isSigned(by: bytes)
        _ = list.admits(timeKey)
    },
    "certificate": { bytes in
        // One chain of one, and one of two: parted at its length field.
        _ = Credential(chain: [bytes])
        guard bytes.count > 2 else { return }
        let length = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
        _ = Credential(chain: [Array(bytes[2..<2 + length]), Array(bytes[(2 + length)...])])
    },
    "archive": { bytes in
        guard let archive = try? JSONDecoder().decode(HouseholdArchive.self, from: Data(bytes)) else { return }
        // Making a key of the passphrase takes 100 ms.
        guard bytes.reduce(0, &+) & 63 == 0 else { return }
        _ = try? archive.open(passphrase: "passphrase")
    },
    "store-import": { bytes in
        // What is behind a passphrase that somebody was told; no file is written before all of it was read.
        guard let inside = try? HouseholdArchive.Inside(parsing: bytes) else { return }
        _ = try? inside.signingKey()
        guard let data = try? JSONEncoder().encode(inside) else { return require(false) }
        require((try? HouseholdArchive.Inside(parsing: Array(data)))?.content == inside.content)
    },
    "household": { bytes in
        _ = try? JSONDecoder().decode(Membership.Content.self, from: Data(bytes))
        _ = try? JSONDecoder().decode(SpeakerClaim.self, from: Data(bytes))
    },
]

private let timeKey = TimeKey(epoch: 1, bytes: [UInt8](repeating: 7, count: TimeKey.size))

/// What must hold of what was read.
func require(_ holds: Bool, _ line: Int = #line) {
    if !holds { fatalError("what holds always does not, in line \(line)") }
}

/// Bytes in pieces, as they come from a network: the same frames, whatever the pieces.
private func frames(_ bytes: [UInt8]) {
    var whole = FrameDecoder()
    whole.append(bytes)
    var inPieces = FrameDecoder()
    var rest = bytes[...]
    var (first, second): ([Frame], [Frame]) = ([], [])
    do {
        while let frame = try whole.next() { first.append(frame) }
    } catch { return }
    while !rest.isEmpty {
        let count = min(rest.count, 1 + Int(rest[rest.startIndex]) % 7)
        inPieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        while let frame = try? inPieces.next() { second.append(frame) }
    }
    require(first == second)
}

/// One format and several packets: `channels-and-bits | u16 cookie length | cookie | (u16 length | u16 frames | packet)…`.
private func decode(_ codec: AudioFormat.Codec, _ bytes: [UInt8]) {
    guard bytes.count > 3 else { return }
    let depths = [8, 16, 24, 32]
    let cookie = Array(bytes[3...].prefix(bytes[1...].number(at: 0)))
    guard
        let format = AudioFormat(
            codec: codec, sampleRate: bytes[0] & 0x40 == 0 ? 48_000 : 44_100, channelCount: 1 + Int(bytes[0] & 7),
            bitDepth: depths[Int(bytes[0] >> 3 & 3)], magicCookie: cookie),
        let decoder = try? FFmpegDecoders.make(for: format)
    else { return }
    var rest = bytes[(3 + cookie.count)...]
    while rest.count > 4 {
        let (length, frames) = (rest.number(at: 0), rest.number(at: 2))
        let data = Array(rest.dropFirst(4).prefix(length))
        rest = rest.dropFirst(4 + data.count)
        // Lengths that a packet claims, up to the most, and trims.
        let claimed = bytes[0] & 0x80 == 0 ? frames : frames << 4
        let count = format.bytesPerFrame.map { data.count / $0 } ?? claimed
        let trim = frames & 1 == 0 ? 0 : count / 3
        guard
            let buffer = SampleBuffer(
                format: format, presentationTime: .zero, frameCount: count, trimAtStart: trim,
                data: Array(data.prefix(format.bytesPerFrame.map { $0 * count } ?? data.count)))
        else { continue }
        guard let block = try? decoder.decode(buffer) else { continue }
        require(block.frameCount == buffer.audibleFrameCount)
        // Of an original's packets each says itself how many channels it has.
        require(block.channelCount == format.channelCount || FFmpegPacketDecoder.decodable.contains(codec))
        if frames & 2 != 0 { decoder.reset() }
    }
}

/// Services that appear, resolve and go, each `what happens | u8 length | u8 length of a string | string…`.
private func seeRecords(_ bytes: [UInt8]) {
    var directory = SpeakerDirectory()
    var rest = bytes[...]
    while let operation = rest.popFirst() {
        var strings: [[UInt8]] = []
        var left = Array(rest.dropFirst().prefix(Int(rest.first ?? 0)))[...]
        rest = rest.dropFirst(1 + left.count)
        while let length = left.popFirst() {
            strings.append(Array(left.prefix(Int(length))))
            left = left.dropFirst(Int(length))
        }
        let text = SpeakerText(parsing: strings)
        // What is read is published as the same. (Of a clock without a timescale nothing more is said than its port.)
        let said = SpeakerText(parsing: text.strings.map { Array($0.utf8) })
        require(SpeakerText(parsing: said.strings.map { Array($0.utf8) }) == said)
        require((said.id, said.name, said.isClaimed) == (text.id, text.name, text.isClaimed))
        let name = ServiceName.instance(for: String(decoding: strings.first ?? [], as: UTF8.self))
        let sight = SpeakerDirectory.Sight(
            interface: Int32(operation >> 6), isIPv6: operation & 32 != 0, name: name, domain: "local")
        switch operation & 7 {
        case 0: _ = directory.disappeared(sight)
        case 1: _ = directory.failed(sight)
        case 2: _ = directory.clear()
        default:
            _ = directory.appeared(sight)
            let address = operation & 32 != 0 ? "fe80::1%eth0" : "10.0.0.7"
            _ = directory.resolved(sight, to: .init(host: "h.local", address: address, port: 7_700, text: text))
        }
    }
}

/// A file of any kind, its tags and its sound.
private func openAsset(_ bytes: [UInt8]) {
    guard let path = Scratch.write(bytes) else { return }
    guard let asset = try? Asset.open(AssetInput(uri: path)) else { return }
    var frames = 0
    while frames < 200_000, let block = try? asset.read(maximumFrames: 65_536) { frames += block.frameCount }
    try? asset.seek(to: MediaTime(value: 1, timescale: 3) ?? .zero)
    _ = try? asset.read(maximumFrames: 1_000)
}

extension ArraySlice<UInt8> {
    /// A big-endian number of 16 bits; zeros where the bytes end.
    func number(at offset: Int) -> Int {
        func byte(_ offset: Int) -> Int { offset < count ? Int(self[startIndex + offset]) : 0 }
        return byte(offset) << 8 | byte(offset + 1)
    }
}
