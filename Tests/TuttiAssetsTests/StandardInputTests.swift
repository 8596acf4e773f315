import Foundation
import Testing
import TuttiAssets
import TuttiCore

@Suite("Standard input", .serialized)
struct StandardInputTests {
    /// Runs `body` with the file at `path` as standard input.
    private func with(_ path: String, _ body: () throws -> Void) throws {
        let file = try #require(FileHandle(forReadingAtPath: path))
        let saved = dup(0)
        dup2(file.fileDescriptor, 0)
        defer {
            dup2(saved, 0)
            close(saved)
        }
        try body()
    }

    @Test func wavAndRawSamples() throws {
        let shop = try Workshop()
        let original = try shop.writeWAV("a.wav", frames: 50_000).map { Float($0) / 32_768 }
        let bytes = Workshop.sound(frames: 50_000, channels: 2).withUnsafeBytes { Array($0) }
        try shop.write(bytes, to: "a.raw")
        try with(shop.path("a.wav")) {
            let asset = try Asset.open(AssetInput(uri: "-"))
            #expect(try asset.readAll() == original)
            #expect(throws: AssetError.notSeekable("standard input")) { try asset.seek(to: .zero) }
        }
        try with(shop.path("a.raw")) {
            let input = try InputResolver.resolve(["-"], stdinFormat: try RawFormat(parsing: "44100:16:2"))
            let asset = try Asset.open(try #require(input.first))
            try asset.seek(to: MediaTime(frame: 20_000, sampleRate: 44_100))
            #expect(try asset.readAll() == Array(original[40_000...]))
        }
    }

    @Test func nothingAtAll() throws {
        #expect(throws: AssetError.notAudio("standard input")) {
            try with("/dev/null") { _ = try Asset.open(AssetInput(uri: "-")) }
        }
    }
}
