import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Addresses on the web")
struct WebTests {
    @Test func aFileIsReadAndSoughtInRanges() throws {
        let samples = Workshop.sound(frames: 150_000, channels: 2)
        let server = try WebServer(file: Workshop.wav(samples, rate: 44_100, channels: 2))
        let asset = try Asset.open(AssetInput(uri: "http://127.0.0.1:\(server.port)/ok.wav"))
        #expect(try asset.readAll() == samples.map { Float($0) / 32_768 })
        try asset.seek(to: MediaTime(frame: 100_001, sampleRate: 44_100))
        #expect(try asset.read(maximumFrames: 10)?.samples.first == Float(samples[200_002]) / 32_768)
    }

    @Test("An MP4 with its index at the end", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"))
    func mp4() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 100_003)
        try shop.run("ffmpeg", "-v", "error", "-i", "a.wav", "-c:a", "alac", "a.m4a")
        let server = try WebServer(file: [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent("a.m4a"))))
        let asset = try Asset.open(AssetInput(uri: "http://127.0.0.1:\(server.port)/ok.m4a"))
        #expect(try asset.readAll().count == 200_006)
    }

    @Test func aMissingFileAndAClosedPort() throws {
        let server = try WebServer(file: [1])
        let missing = "http://127.0.0.1:\(server.port)/none.mp3"
        #expect(throws: AssetError.notFound(missing)) { try Asset.open(AssetInput(uri: missing)) }
        let refusal = "nothing answers at this address and port (connection refused)"
        #expect(throws: AssetError.network("http://127.0.0.1:9/a.mp3", reason: refusal)) {
            try Asset.open(AssetInput(uri: "http://127.0.0.1:9/a.mp3"))
        }
    }

    @Test func aSilentServerIsLeftOnInterrupt() throws {
        let server = try WebServer(file: nil)
        let interrupter = Interrupter()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            interrupter.interrupt()
        }
        let uri = "http://127.0.0.1:\(server.port)/ok.mp3"
        #expect(throws: AssetError.interrupted(uri)) {
            try Asset.open(AssetInput(uri: uri), interrupter: interrupter)
        }
    }

    @Test func aListFromTheWebNamesOnlyTheWeb() throws {
        let server = try WebServer(file: Array("/etc/passwd.mp3\nfile:///etc/x.mp3\nnext.mp3\n".utf8))
        let base = "http://127.0.0.1:\(server.port)/ok"
        #expect(
            try InputResolver.resolve([base + "/l.m3u"]).map(\.uri).allSatisfy { $0.hasPrefix("http://127.0.0.1:") })
        #expect(try InputResolver.resolve([base + "/l.m3u"]).last?.uri == base + "/next.mp3")
    }
}
