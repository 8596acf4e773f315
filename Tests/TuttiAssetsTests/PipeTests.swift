import Foundation
import Glibc
import Testing
import TuttiAssets
import TuttiCore

/// Pipes that have a name.
@Suite("Pipes")
struct PipeTests {
    private func pipe(in shop: Workshop) throws -> String {
        let path = shop.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func allOfItIsHeard() throws {
        let shop = try Workshop()
        let samples = try shop.writeWAV("a.wav", frames: 150_000)
        let path = try pipe(in: shop)
        let data = try Data(contentsOf: URL(fileURLWithPath: shop.path("a.wav")))
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)
            try? writer?.write(contentsOf: data)
            try? writer?.close()
        }
        let asset = try Asset.open(AssetInput(uri: path))
        #expect(try asset.readAll() == samples.map { Float($0) / 32_768 })
        #expect(throws: AssetError.notSeekable(path)) { try asset.seek(to: .zero) }
    }

    @Test func whereNobodyWritesItIsLeftOnInterrupt() throws {
        let shop = try Workshop()
        let path = try pipe(in: shop)
        let interrupter = Interrupter()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            interrupter.interrupt()
            // Whoever waits for a writer all the same finds nothing.
            Thread.sleep(forTimeInterval: 5)
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            if writer >= 0 { close(writer) }
        }
        #expect(throws: AssetError.interrupted(path)) {
            try Asset.open(AssetInput(uri: path), interrupter: interrupter)
        }
    }

    @Test func whoOnlyLooksTakesNothing() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 1_000)
        #expect(try OpenedAsset.open(AssetInput(uri: try pipe(in: shop)), interrupter: Interrupter()) == nil)
        #expect(throws: AssetError.notFound("/none")) {
            try OpenedAsset.open(AssetInput(uri: "/none"), interrupter: Interrupter())
        }
        let input = AssetInput(uri: shop.path("a.wav"))
        let opened = try #require(try OpenedAsset.open(input, interrupter: Interrupter()))
        #expect(opened.take(for: AssetInput(uri: shop.path("b.wav"))) == nil)
        #expect(opened.take(for: input) != nil)
        #expect(opened.take(for: input) == nil)
        let interrupter = Interrupter()
        let stopped = try #require(try OpenedAsset.open(input, interrupter: interrupter))
        interrupter.interrupt()
        #expect(stopped.take(for: input) == nil)
    }
}
