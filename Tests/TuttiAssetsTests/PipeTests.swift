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

    @Test func whatIsPlayedAtOnceIsOpenedOnceAndWhatIsNoSoundIsRefused() throws {
        let shop = try Workshop()
        let samples = try shop.writeWAV("a.wav", frames: 150_000)
        let sound = try Data(contentsOf: URL(fileURLWithPath: shop.path("a.wav")))
        let path = try pipe(in: shop)
        func write(_ data: Data) {
            Thread.detachNewThread {
                let writer = FileHandle(forWritingAtPath: path)
                try? writer?.write(contentsOf: data)
                try? writer?.close()
            }
        }
        let input = AssetInput(uri: path)
        write(sound)
        let opened = try #require(try OpenedAsset.open(input, interrupter: Interrupter()))
        #expect(!opened.close(after: AssetInput(uri: shop.path("a.wav"))), "another one may be played first")
        let asset = try #require(opened.take(for: input))
        #expect(try asset.readAll() == samples.map { Float($0) / 32_768 })
        #expect(opened.close(after: input))
        write(Data(repeating: 65, count: 3_000))
        #expect(throws: AssetError.notAudio(path)) { try OpenedAsset.open(input, interrupter: Interrupter()) }
        #expect(throws: AssetError.self) {
            try OpenedAsset.open(AssetInput(uri: "/dev/null"), interrupter: Interrupter())
        }
        // Nobody writes: the player may wait.
        let silent = try #require(try OpenedAsset.open(input, interrupter: Interrupter()))
        #expect(silent.take(for: input) == nil)
    }

    @Test func whoOnlyLooksTakesNothing() throws {
        let shop = try Workshop()
        try shop.writeWAV("a.wav", frames: 1_000)
        let unread = AssetInput(uri: try pipe(in: shop))
        #expect(try OpenedAsset.open(unread, interrupter: Interrupter(), isToBePlayed: false) == nil)
        #expect(throws: AssetError.notFound("/none")) {
            try OpenedAsset.open(AssetInput(uri: "/none"), interrupter: Interrupter(), isToBePlayed: false)
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
