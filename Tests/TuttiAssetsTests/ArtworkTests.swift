import Foundation
import TestSupport
import Testing
import TuttiAssets

/// Pictures of music files: found inside or beside them, and made smaller.
@Suite("Artwork", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct ArtworkTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// A picture file of this size.
    private func draw(_ name: String, _ size: String) throws {
        try workshop.run(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=1", "-frames:v", "1", name)
    }

    /// Width and height that a JPEG's frame header says (ITU-T T.81, B.2.2).
    private func size(ofJPEG bytes: [UInt8]) -> [Int]? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            if (0xC0...0xC2).contains(bytes[index + 1]) {
                return [7, 5].map { Int(bytes[index + $0]) << 8 | Int(bytes[index + $0 + 1]) }
            }
            index += 2 + (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]))
        }
        return nil
    }

    @Test func aPictureInsideIsFoundAndMadeSmaller() throws {
        try draw("inside.png", "1000x500")
        try draw("cover.jpg", "300x300")
        try workshop.writeWAV("song.wav", frames: 4_410)
        try workshop.run(
            "ffmpeg", "-v", "error", "-i", "song.wav", "-i", "inside.png", "-map", "0", "-map", "1", "-c:v", "copy",
            "-disposition:v", "attached_pic", "song.flac")
        let picture = try #require(try AssetInfo.Artwork.find(forFile: workshop.path("song.flac")))
        #expect(picture.mimeType == "image/png")
        #expect(size(ofJPEG: try picture.scaled(to: 320)) == [320, 160])
        #expect(size(ofJPEG: try picture.scaled(to: 4_096)) == [1_000, 500], "it does not grow")
    }

    @Test(arguments: ["cover.jpg", "Folder.png", "front.webp"])
    func aPictureBesideIsTaken(_ name: String) throws {
        try draw("drawn.png", "80x200")
        try workshop.run("ffmpeg", "-v", "error", "-i", "drawn.png", name)
        try workshop.writeWAV("song.wav", frames: 4_410)
        let picture = try #require(try AssetInfo.Artwork.find(forFile: workshop.path("song.wav")))
        #expect(size(ofJPEG: try picture.scaled(to: 100)) == [40, 100])
    }

    @Test func whatHasNoneHasNone() throws {
        try workshop.writeWAV("song.wav", frames: 4_410)
        try workshop.write(Array("no picture".utf8), to: "cover.jpg")
        try workshop.write([], to: "folder.jpg")
        #expect(try AssetInfo.Artwork.find(forFile: workshop.path("song.wav")) == nil)
        #expect(throws: AssetError.notFound("/nowhere.flac")) { try AssetInfo.Artwork.find(forFile: "/nowhere.flac") }
        for uri in ["http://127.0.0.1:9/radio", "-", "/dev/zero"] {
            #expect(throws: AssetError.self) { try AssetInfo.Artwork.find(forFile: uri) }
        }
    }

    @Test func aDamagedPictureIsAnError() throws {
        try draw("whole.png", "64x64")
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: workshop.path("whole.png"))))
        for length in stride(from: 1, to: whole.count, by: 97) {
            let part = AssetInfo.Artwork(data: Array(whole[..<length]), mimeType: "image/png")
            _ = try? part.scaled(to: 64)
        }
        #expect(throws: (any Error).self) {
            try AssetInfo.Artwork(data: Array(whole[..<40]), mimeType: "image/png").scaled(to: 64)
        }
        #expect(throws: (any Error).self) {
            try AssetInfo.Artwork(data: whole, mimeType: "text/plain").scaled(to: 64)
        }
        // A header that promises 65 535 by 65 535 pixels costs nothing.
        var vast = whole
        vast.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        #expect(throws: (any Error).self) {
            try AssetInfo.Artwork(data: vast, mimeType: "image/png").scaled(to: 64)
        }
    }
}
