import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Samples, channels, tags and covers")
struct SoundTests {
    private static let ffmpeg = OutsideTool.has("ffmpeg")

    @Test func stereoOf16BitsPassesBitForBit() throws {
        let shop = try Workshop()
        let original = try shop.writeWAV("a.wav", frames: 10_000)
        let asset = try Asset.open(AssetInput(uri: shop.path("a.wav")))
        #expect(try asset.readAll(maximumFrames: 777) == original.map { Float($0) / 32_768 })
        #expect(asset.info.bitDepth == 16)
        #expect(asset.info.codec == "pcm_s16le")
        #expect(asset.info.title == nil)
    }

    @Test("24, 32 bits and floats", .enabled(if: ffmpeg, "ffmpeg is not installed"))
    func wideSamples() throws {
        let shop = try Workshop()
        let original = try shop.writeWAV("a.wav", frames: 5_002).map { Float($0) / 32_768 }
        for (codec, depth) in [("pcm_s24le", 24), ("pcm_s32le", 32), ("pcm_f32le", 32), ("pcm_f64le", 32)] {
            try shop.run("ffmpeg", "-v", "error", "-y", "-i", "a.wav", "-c:a", codec, "b.wav")
            let asset = try Asset.open(AssetInput(uri: shop.path("b.wav")))
            #expect(try asset.readAll() == original, "\(codec)")
            #expect(asset.info.bitDepth == depth, "\(codec)")
        }
        try shop.run(
            "flac", "-s", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=1", "--bps=24",
            "--sample-rate=96000", "-o", "c.flac", "a.wav")
        let wide = try Asset.open(AssetInput(uri: shop.path("c.flac")))
        let bytes = [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent("a.wav")))
        let first = Int32(bitPattern: UInt32(bytes[0]) << 8 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 24) >> 8
        #expect(try wide.read(maximumFrames: 1)?.samples == [Float(first) / 8_388_608, Float(first) / 8_388_608])
        #expect(wide.info.bitDepth == 24)
    }

    @Test func monoComesOutOfBothSidesAtFullLevel() throws {
        let shop = try Workshop()
        let original = try shop.writeWAV("a.wav", frames: 3_000, channels: 1)
        let asset = try Asset.open(AssetInput(uri: shop.path("a.wav")))
        #expect(try asset.readAll() == original.flatMap { [Float($0) / 32_768, Float($0) / 32_768] })
        #expect(asset.info.channelCount == 1)
    }

    @Test(arguments: 3...8)
    func manyChannelsAtFullScaleDoNotClip(_ channels: Int) throws {
        let shop = try Workshop()
        let samples = (0..<4_000 * channels).map { $0 / channels % 2 == 0 ? Int16.max : -Int16.max }
        try shop.write(Workshop.wav(samples, rate: 48_000, channels: channels), to: "a.wav")
        let mixed = try Asset.open(AssetInput(uri: shop.path("a.wav"))).readAll()
        #expect(mixed.count == 8_000)
        let peak = mixed.reduce(Float(0)) { max($0, abs($1)) }
        #expect(peak <= 1 && peak > 0.5)
    }

    @Test("Tags and cover", .enabled(if: ffmpeg, "ffmpeg is not installed"))
    func tags() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 20_000)
        try shop.run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "1", "c.png")
        for file in ["o.mp3", "o.flac", "o.m4a"] {
            try shop.run(
                "ffmpeg", "-v", "error", "-i", "a.wav", "-i", "c.png", "-map", "0", "-map", "1", "-c:v", "png",
                "-disposition:v", "attached_pic", "-metadata", "title=Jóga", "-metadata", "artist=Björk", "-metadata",
                "album=Homogenic", "-metadata", "track=2/10", file)
            let info = try Asset.open(AssetInput(uri: shop.path(file))).info
            #expect([info.title, info.artist, info.album] == ["Jóga", "Björk", "Homogenic"], "\(file)")
            #expect(info.track == 2)
            #expect(info.artwork?.mimeType == "image/png", "\(file)")
            #expect(info.artwork?.data.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        }
        let named = try Asset.open(AssetInput(uri: shop.path("o.flac"), title: "Other"))
        #expect(named.info.title == "Other")
    }

    @Test(
        "A chained Ogg stream that changes its rate goes on at the first one",
        .enabled(if: OutsideTool.has("oggenc"), "oggenc is not installed"))
    func chained() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 44_100)
        try shop.writeWAV("b.wav", frames: 48_000, rate: 48_000, channels: 1)
        try shop.run("oggenc", "-Q", "-s", "1", "a.wav", "-o", "a.ogg")
        try shop.run("oggenc", "-Q", "-s", "2", "b.wav", "-o", "b.ogg")
        let chain = try ["a.ogg", "b.ogg"].map { try Data(contentsOf: shop.folder.appendingPathComponent($0)) }
        try shop.write(chain[0] + chain[1], to: "c.ogg")
        let asset = try Asset.open(AssetInput(uri: shop.path("c.ogg")))
        let frames = try asset.readAll().count / 2
        #expect(asset.info.sampleRate == 44_100)
        #expect(abs(frames - 88_200) < 4_410)
    }

    @Test func anInterruptedAssetStops() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 100_000)
        let asset = try Asset.open(AssetInput(uri: shop.path("a.wav")))
        asset.interrupt()
        #expect(throws: AssetError.interrupted(shop.path("a.wav"))) { try asset.readAll() }
    }
}
