import Foundation
import Testing
import TuttiCore
import TuttiFFmpeg

@Suite("FFmpeg's libraries are there when they are needed")
struct LibraryTests {
    @Test("what the loader lists, and no name that only ends alike")
    func known() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tutti-cache-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let names = [
            "glibc-ld.so.cache1.1", "/usr/lib/libavcodec.so.59", "libswresample.so.4", "/opt/notlibavutil.so.57",
        ]
        try Data(names.joined(separator: "\0").utf8).write(to: URL(fileURLWithPath: path))
        #expect(FFmpegLibrary.isKnown("libavcodec.so.59", toLoader: path))
        #expect(FFmpegLibrary.isKnown("libswresample.so.4", toLoader: path))
        #expect(!FFmpegLibrary.isKnown("libavutil.so.57", toLoader: path))
        #expect(!FFmpegLibrary.isKnown("libavcodec.so.5", toLoader: path))
        #expect(!FFmpegLibrary.isKnown("libavcodec.so.59", toLoader: path + ".nowhere"))
    }

    @Test("what is said to be decodable can be loaded, and is decoded")
    func decodable() throws {
        // The tests are linked with FFmpeg, so it is installed.
        #expect(FFmpegLibrary.isInstalled)
        _ = try FFmpegLibrary.loaded()
        #expect(FFmpegPacketDecoder.decodable == [.aac, .alac, .mp3, .vorbis])
    }
}
