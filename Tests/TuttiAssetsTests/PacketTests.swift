import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Packets as they lie in the file, with the trims that make them gapless")
struct PacketTests {
    static let frames = 100_003

    struct Coding: Sendable, CustomTestStringConvertible {
        let file: String
        let codec: AudioFormat.Codec
        let command: [String]
        var rate = 44_100
        var channels = 2
        var testDescription: String { file }
    }

    static func ffmpeg(
        _ file: String, _ codec: AudioFormat.Codec, _ options: String..., rate: Int = 44_100, channels: Int = 2
    ) -> Coding {
        Coding(
            file: file, codec: codec, command: ["ffmpeg", "-v", "error", "-i", "in.wav"] + options + [file], rate: rate,
            channels: channels)
    }

    static let codings = [
        ffmpeg("a.mp3", .mp3, "-c:a", "libmp3lame", "-b:a", "128k"),
        ffmpeg("low.mp3", .mp3, "-c:a", "libmp3lame", "-b:a", "24k", rate: 22_050),
        Coding(file: "lame.mp3", codec: .mp3, command: ["lame", "--quiet", "-V4", "in.wav", "lame.mp3"]),
        ffmpeg("a.m4a", .aac, "-c:a", "aac"),
        ffmpeg("mono.m4a", .aac, "-c:a", "aac", channels: 1),
        ffmpeg("alac.m4a", .alac, "-c:a", "alac"),
        ffmpeg("alac.caf", .alac, "-c:a", "alac"),
        ffmpeg("a.flac", .flac, "-c:a", "flac"),
        ffmpeg("flac.ogg", .flac, "-c:a", "flac"),
        ffmpeg("flac.mka", .flac, "-c:a", "flac"),
        ffmpeg("a.ogg", .vorbis, "-c:a", "libvorbis"),
        Coding(file: "enc.ogg", codec: .vorbis, command: ["oggenc", "-Q", "in.wav", "-o", "enc.ogg"]),
        ffmpeg("a.opus", .opus, "-c:a", "libopus", rate: 48_000),
        Coding(file: "enc.opus", codec: .opus, command: ["opusenc", "--quiet", "in.wav", "enc.opus"], rate: 48_000),
        ffmpeg("b.wav", .pcm),
        ffmpeg("fine.wav", .pcm, "-c:a", "pcm_s24le", channels: 1),
        ffmpeg("a.aiff", .pcm),
    ]

    /// A file of noise and sweep with its path.
    private func make(_ coding: Coding, in shop: Workshop, frames: Int = frames) throws -> AssetInput {
        guard OutsideTool.has(coding.command[0]) else { try Test.cancel("\(coding.command[0]) is not installed") }
        try shop.writeWAV("in.wav", frames: frames, rate: coding.rate, channels: coding.channels)
        try shop.run(coding.command)
        return AssetInput(uri: shop.path(coding.file))
    }

    /// All packets from where the asset stands.
    static func packets(_ asset: Asset) throws -> [AssetPacket] {
        var packets: [AssetPacket] = []
        while let step = try asset.readPacket() {
            guard case .packet(let packet) = step else {
                Issue.record("no packet: \(step)")
                return packets
            }
            packets.append(packet)
        }
        return packets
    }

    @Test("Their audible frames are those that decoding gives", arguments: codings)
    func sums(_ coding: Coding) throws {
        let shop = try Workshop()
        let input = try make(coding, in: shop)
        let decoded = try Asset.open(input).readAll().count / 2
        #expect(decoded == Self.frames)
        let asset = try Asset.open(input)
        let format = try #require(try asset.startPackets())
        #expect(format.codec == coding.codec)
        #expect(format.sampleRate == coding.rate)
        #expect(format.channelCount == coding.channels)
        let packets = try Self.packets(asset)
        #expect(packets.reduce(0) { $0 + $1.audibleFrameCount } == Self.frames)
        #expect(packets.first?.preroll != nil)
        #expect(packets.dropFirst().allSatisfy { $0.preroll == nil })
        #expect(asset.currentTime == MediaTime(frame: Int64(Self.frames), sampleRate: coding.rate))
        #expect(try asset.readPacket() == nil)
    }

    @Test("They are bytes of the file", arguments: codings.filter { !["a.aiff"].contains($0.file) })
    func bytes(_ coding: Coding) throws {
        let shop = try Workshop()
        let input = try make(coding, in: shop, frames: 30_000)
        let file = try Data(contentsOf: URL(fileURLWithPath: input.uri))
        let asset = try Asset.open(input)
        _ = try #require(try asset.startPackets())
        var place = file.startIndex
        for packet in try Self.packets(asset) {
            for data in (packet.preroll ?? []).map(\.data) + [packet.data] where !data.isEmpty {
                // Ogg cuts long packets into pages: their first bytes are together all the same.
                let part = Data(data.prefix(coding.file.hasSuffix("ogg") ? 200 : data.count))
                let found = file.range(of: part, in: place..<file.endIndex)
                place = try #require(found, "\(data.count) bytes").lowerBound
            }
        }
    }

    @Test("A seek leads to the frame, with what the decoder must hear before", arguments: codings)
    func seeks(_ coding: Coding) throws {
        let shop = try Workshop()
        let input = try make(coding, in: shop)
        let asset = try Asset.open(input)
        _ = try #require(try asset.startPackets())
        for target in [60_000, 3, 99_990, 0, 31_000, 80_123] {
            try asset.seek(to: MediaTime(frame: Int64(target), sampleRate: coding.rate))
            let packets = try Self.packets(asset)
            #expect(packets.reduce(0) { $0 + $1.audibleFrameCount } == Self.frames - target, "at \(target)")
            let preroll = try #require(packets.first?.preroll)
            let needed = min(coding.codec.preroll.frame(at: coding.rate), Int64(target))
            let before = preroll.reduce(packets[0].trimAtStart) { $0 + $1.frameCount }
            #expect(Int64(before) >= needed, "at \(target)")
            #expect(preroll.count <= 64)
        }
        try asset.seek(to: MediaTime(frame: Int64(Self.frames) + 5, sampleRate: coding.rate))
        #expect(try asset.readPacket() == nil)
    }

    @Test(
        "A piece of a cue sheet has its own frames alone",
        .enabled(if: OutsideTool.has("lame"), "lame is not installed"))
    func cue() throws {
        let shop = try Workshop()
        var input = try make(Self.codings[2], in: shop)
        input.start = MediaTime(frame: 30_001, sampleRate: 44_100)
        input.end = MediaTime(frame: 70_002, sampleRate: 44_100)
        let asset = try Asset.open(input)
        _ = try #require(try asset.startPackets())
        #expect(try Self.packets(asset).reduce(0) { $0 + $1.audibleFrameCount } == 40_001)
    }

    @Test("What cannot travel is decoded", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func unsuitable() throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: 20_000)
        try shop.writeWAV("six.wav", frames: 20_000, channels: 6)
        for (source, file) in [
            ("in.wav", "a.wv"), ("in.wav", "a.aac"), ("six.wav", "six.m4a"), ("six.wav", "six.flac"),
            ("in.wav", "a.mp2"),
        ] {
            try shop.run("ffmpeg", "-v", "error", "-i", source, file)
            let asset = try Asset.open(AssetInput(uri: shop.path(file)))
            #expect(try asset.startPackets() == nil, "\(file)")
            #expect(try asset.readAll().count / 2 >= 20_000, "\(file)")
        }
    }

    @Test("From packets back to samples", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func back() throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: Self.frames)
        for file in ["a.m4a", "a.mp3", "a.flac"] {
            try shop.run("ffmpeg", "-v", "error", "-i", "in.wav", file)
            let asset = try Asset.open(AssetInput(uri: shop.path(file)))
            _ = try #require(try asset.startPackets())
            var frames = 0
            for _ in 0..<5 {
                guard case .packet(let packet)? = try asset.readPacket() else { break }
                frames += packet.audibleFrameCount
            }
            try asset.stopPackets()
            #expect(asset.currentTime == MediaTime(frame: Int64(frames), sampleRate: 44_100))
            #expect(try asset.readAll().count / 2 == Self.frames - frames, "\(file)")
        }
    }

    @Test("A file cut off says so", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func truncated() throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: Self.frames)
        for file in ["a.mp3", "a.flac", "b.wav"] {
            try shop.run("ffmpeg", "-v", "error", "-y", "-i", "in.wav", file)
            let whole = try Data(contentsOf: URL(fileURLWithPath: shop.path(file)))
            try shop.write(whole.prefix(whole.count / 2), to: "cut-" + file)
            let input = AssetInput(uri: shop.path("cut-" + file))
            let asset = try Asset.open(input)
            _ = try #require(try asset.startPackets())
            var frames = 0
            let error = #expect(throws: AssetError.self) {
                while case .packet(let packet)? = try asset.readPacket() { frames += packet.audibleFrameCount }
            }
            guard case .truncated? = error else {
                Issue.record("\(file): \(String(describing: error))")
                continue
            }
            #expect((40_000...60_000).contains(frames), "\(file)")
            #expect(try asset.readPacket() == nil)
        }
    }

    @Test("Pieces made alike have one format", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func formats() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 50_000)
        try shop.writeWAV("b.wav", frames: 70_000)
        for ending in ["m4a", "flac", "ogg", "opus", "mp3"] {
            var formats: Set<AudioFormat> = []
            for name in ["a", "b"] {
                try shop.run(
                    "ffmpeg", "-v", "error", "-i", "\(name).wav", "-metadata", "title=\(name)", "\(name).\(ending)")
                let asset = try Asset.open(AssetInput(uri: shop.path("\(name).\(ending)")))
                formats.insert(try #require(try asset.startPackets()))
            }
            #expect(formats.count == 1, "\(ending)")
        }
    }
}
