import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Bad input is named with its reason and traps nothing")
struct BadInputTests {
    private func failure(_ uri: String) -> AssetError? {
        do throws(AssetError) {
            _ = try Asset.open(AssetInput(uri: uri))
            return nil
        } catch {
            return error
        }
    }

    @Test func missingEmptyFolderAndText() throws {
        let shop = try Workshop()
        #expect(failure(shop.path("none.wav")) == .notFound(shop.path("none.wav")))
        #expect(failure(shop.folder.path) == .isDirectory(shop.folder.path))
        let empty = try shop.write([], to: "empty.flac")
        #expect(failure(empty) == .empty(empty))
        let text = try shop.write("hello world, this is no sound\n".utf8, to: "text.mp3")
        #expect(failure(text) == .notAudio(text))
        #expect("\(AssetError.empty("a.flac"))" == "a.flac: the file is empty")
    }

    @Test func protocolsOfFFmpegAreOnlyFileNames() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 1_000)
        for uri in [
            "concat:\(shop.path("a.wav"))", "subfile,,start,0,end,999,,:\(shop.path("a.wav"))", "data:audio/wav,x",
        ] {
            #expect(failure(uri) == .notFound(uri))
        }
        let list = try shop.write("ffconcat version 1.0\nfile a.wav\n".utf8, to: "list.wav")
        #expect(failure(list) == .notAudio(list))
    }

    @Test func colonsInNamesAreNoProtocol() throws {
        let shop = try Workshop()
        try shop.writeWAV("http: a.wav", frames: 1_000)
        let asset = try Asset.open(AssetInput(uri: shop.path("http: a.wav")))
        #expect(try asset.readAll().count == 2_000)
    }

    @Test func ratesAndChannelsOutsideTheLimits() throws {
        let shop = try Workshop()
        try shop.writeWAV("slow.wav", frames: 4_000, rate: 4_000)
        try shop.writeWAV("fast.wav", frames: 4_000, rate: 384_000)
        try shop.writeWAV("many.wav", frames: 4_000, channels: 12)
        #expect(failure(shop.path("slow.wav")) == .unsupportedSampleRate(shop.path("slow.wav"), rate: 4_000))
        #expect(failure(shop.path("fast.wav")) == .unsupportedSampleRate(shop.path("fast.wav"), rate: 384_000))
        #expect(failure(shop.path("many.wav")) == .unsupportedChannelCount(shop.path("many.wav"), count: 12))
    }

    @Test func aTruncatedFilePlaysWhatItHasAndSaysSo() throws {
        let shop = try Workshop()
        let samples = Workshop.sound(frames: 50_000, channels: 2)
        let bytes = Workshop.wav(samples, rate: 44_100, channels: 2).prefix(44 + 80_000)
        let path = try shop.write(bytes, to: "cut.wav")
        let asset = try Asset.open(AssetInput(uri: path))
        var frames = 0
        do {
            while let block = try asset.read(maximumFrames: 1_000) { frames += block.frameCount }
            Issue.record("nothing was reported")
        } catch AssetError.truncated(let name, let position, let duration) {
            #expect(name == path)
            #expect(position == MediaTime(frame: 20_000, sampleRate: 44_100))
            #expect(duration == MediaTime(frame: 50_000, sampleRate: 44_100))
        }
        #expect(frames == 20_000)
        #expect(try asset.read(maximumFrames: 1_000) == nil)
    }

    @Test("Damage in the middle keeps the time line", .enabled(if: OutsideTool.has("flac"), "flac is not installed"))
    func damage() throws {
        let shop = try Workshop()
        let original = try shop.writeWAV("in.wav", frames: 200_000)
        try shop.run("flac", "-s", "in.wav", "-o", "out.flac")
        var bytes = [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent("out.flac")))
        for index in bytes.count / 2..<bytes.count / 2 + 2_000 { bytes[index] = UInt8(truncatingIfNeeded: index * 31) }
        let asset = try Asset.open(AssetInput(uri: try shop.write(bytes, to: "bad.flac")))
        let samples = try asset.readAll()
        #expect(samples.count == original.count)
        #expect(asset.damageCount > 0)
        #expect(samples.suffix(100_000) == original.suffix(100_000).map { Float($0) / 32_768 }[...])
    }

    @Test func arbitraryBytesInAHeaderNeverTrap() throws {
        let shop = try Workshop()
        let good = Workshop.wav(Workshop.sound(frames: 2_000, channels: 2), rate: 44_100, channels: 2)
        var state: UInt64 = 42
        for round in 0..<300 {
            var bytes = good
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % 44] = UInt8(truncatingIfNeeded: state >> 20)
            }
            let path = try shop.write(bytes, to: "\(round % 8).wav")
            guard let asset = try? Asset.open(AssetInput(uri: path)) else { continue }
            var blocks = 0
            while blocks < 100, let block = try? asset.read(maximumFrames: 4_096) {
                #expect(block.channelCount == 2)
                blocks += 1
            }
        }
    }
}
