import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("The pictures of a file", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct FilmReaderTests {
    /// A file of ours, and what it is made with.
    struct Coding: Sendable, CustomTestStringConvertible {
        let file: String
        let codec: VideoFormat.Codec
        let options: [String]
        /// Whether its timestamps are those of the pictures exactly.
        var isExact = true
        var testDescription: String { file }
    }

    static let yuv = ["-pix_fmt", "yuv420p"]
    static let h264 = ["-c:v", "libx264", "-g", "20", "-bf", "3"] + yuv
    static let codings = [
        Coding(file: "h264.mp4", codec: .h264, options: h264),
        Coding(file: "h264.mkv", codec: .h264, options: h264),
        Coding(file: "h264.ts", codec: .h264, options: h264),
        Coding(file: "h264.avi", codec: .h264, options: h264, isExact: false),
        Coding(file: "open.mkv", codec: .h264, options: h264 + ["-x264-params", "open-gop=1:scenecut=0"]),
        Coding(
            file: "hevc.mp4", codec: .hevc,
            options: ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=20:open-gop=1"] + yuv),
        Coding(file: "vp8.webm", codec: .vp8, options: ["-c:v", "libvpx", "-g", "20", "-auto-alt-ref", "1"] + yuv),
        Coding(
            file: "vp9.webm", codec: .vp9,
            options: ["-c:v", "libvpx-vp9", "-g", "20", "-deadline", "realtime", "-cpu-used", "8"] + yuv),
        Coding(
            file: "av1.mkv", codec: .av1,
            options: ["-c:v", "libaom-av1", "-g", "20", "-usage", "realtime", "-cpu-used", "8"] + yuv),
        Coding(file: "mpeg2.mkv", codec: .mpeg2, options: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
        Coding(file: "mpeg2.mpg", codec: .mpeg2, options: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
        Coding(file: "mpeg4.mp4", codec: .mpeg4, options: ["-c:v", "mpeg4", "-bf", "2", "-g", "12"]),
        Coding(file: "mpeg4.avi", codec: .mpeg4, options: ["-c:v", "mpeg4", "-bf", "2", "-g", "12"], isExact: false),
        Coding(file: "mjpeg.mov", codec: .mjpeg, options: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
        Coding(file: "theora.ogv", codec: .theora, options: ["-c:v", "libtheora", "-g", "20", "-q:v", "7"]),
    ]

    @Test("each comes once, in order, at its time", arguments: codings)
    func all(_ coding: Coding) throws {
        let shop = try Workshop()
        let path = try shop.film(coding.file, coding.options)
        let reader = try FilmReader(AssetInput(uri: path))
        #expect(reader.tracks.count == 1 && reader.track.format.codec == coding.codec)
        #expect((reader.track.format.width, reader.track.format.height) == (64, 48))
        #expect(abs((reader.track.frameRate ?? 0) - 25) < 0.01)
        let frames = try reader.decodeAll()
        #expect(frames.map(\.luma) == (try shop.luma(of: coding.file, width: 64, height: 48)))
        #expect(frames.count == 75 && reader.damageCount == 0)
        let first = coding.isExact ? 0 : frames.first?.presentationTime.frame(at: 25) ?? -1
        #expect((0...2).contains(first))
        #expect(frames.map(\.presentationTime) == (0..<75).map { MediaTime(frame: $0 + first, sampleRate: 25) })
    }

    @Test("a seek goes to the last sync picture at or before the time", arguments: codings)
    func seek(_ coding: Coding) throws {
        let shop = try Workshop()
        let input = AssetInput(uri: try shop.film(coding.file, coding.options))
        let reader = try FilmReader(input)
        let buffers = try reader.readAll()
        let whole = try FilmReader(input).decodeAll()
        let syncs = buffers.filter(\.isSync).map(\.presentationTime)
        try #require(syncs.count > 2, "one group of pictures shows nothing")
        for tenth in [0, 29, 17, 8, 1, 22, 40, 5] as [Int64] {
            let target = MediaTime(frame: tenth, sampleRate: 10)
            try reader.seek(to: target)
            let wanted = syncs.filter { $0 <= target }.max() ?? syncs[0]
            let rest = try reader.readAll()
            #expect(rest.first?.presentationTime == wanted && rest.first?.isSync == true, "\(tenth)")
            #expect(rest.count == buffers.count - (buffers.firstIndex { $0.presentationTime == wanted } ?? 0))
            try reader.seek(to: target)
            let frames = try reader.decodeAll()
            // Pictures that refer to ones before the sync picture are left out, not shown grey.
            let isRight = frames.allSatisfy { frame in
                whole.contains { $0.presentationTime == frame.presentationTime && $0.luma == frame.luma }
            }
            #expect(isRight, "\(tenth)")
            let (shown, same) = (
                frames.last { $0.presentationTime <= target }, whole.last { $0.presentationTime <= target }
            )
            #expect(shown?.presentationTime == same?.presentationTime && shown?.luma == same?.luma, "\(tenth)")
        }
    }

    @Test("without a container are shown in the order that the coding says", arguments: ["raw.h264", "raw.hevc"])
    func raw(_ file: String) throws {
        let shop = try Workshop()
        let names = file == "raw.h264" ? ["h264.mp4", "open.mkv"] : ["hevc.mp4"]
        for coding in Self.codings where names.contains(coding.file) {
            try shop.film(file, ["-y"] + coding.options)
            let frames = try FilmReader(AssetInput(uri: shop.path(file))).decodeAll()
            #expect(frames.map(\.luma) == (try shop.luma(of: file, width: 64, height: 48)))
            #expect(frames.map(\.presentationTime) == (0..<75).map { MediaTime(frame: $0, sampleRate: 25) })
        }
    }

    @Test("of odd sizes, with ten bits and with oblong pixels")
    func shapes() throws {
        let shop = try Workshop()
        let odd = try FilmReader(AssetInput(uri: try shop.film("odd.mp4", Self.h264, size: "66x50", seconds: 1)))
        let frames = try odd.decodeAll()
        #expect(frames.map(\.luma) == (try shop.luma(of: "odd.mp4", width: 66, height: 50)))
        let deep = Self.h264.dropLast() + ["yuv420p10le"]
        let ten = try FilmReader(AssetInput(uri: try shop.film("ten.mp4", Array(deep), seconds: 1))).decodeAll()
        #expect(ten.count == 25 && ten.allSatisfy { $0.pixelFormat == .yuv420p10 })
        let wide = try shop.film("wide.mp4", Self.h264 + ["-aspect", "16:9"], seconds: 1)
        let wanted = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        let reader = try FilmReader(AssetInput(uri: wide))
        #expect(reader.track.format.pixelAspectRatio == wanted)
        #expect(try reader.decodeAll().allSatisfy { $0.pixelAspectRatio == wanted })
    }

    @Test("are turned as the medium asks", arguments: [90, 180, 270])
    func turned(_ angle: Int) throws {
        let shop = try Workshop()
        let plain = try FilmReader(AssetInput(uri: try shop.film("plain.mp4", Self.h264, seconds: 0.2)))
        #expect(plain.track.rotation == 0)
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "plain.mp4", "-c", "copy", "-metadata:s:v", "rotate=\(angle)", "turned.mp4")
        // Turned by ffmpeg as it shows the file, and by hand.
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "turned.mp4", "-vf", "extractplanes=y", "-f", "rawvideo", "shown.raw")
        let reader = try FilmReader(AssetInput(uri: shop.path("turned.mp4")))
        var (picture, width) = (try #require(try reader.decodeAll().first).luma, 64)
        for _ in 0..<reader.track.rotation / 90 {
            let height = picture.count / width
            picture = (0..<width).flatMap { x in (0..<height).reversed().map { y in picture[y * width + x] } }
            width = height
        }
        let shown = try Data(contentsOf: shop.folder.appendingPathComponent("shown.raw"))
        #expect(reader.track.rotation != 0 && picture == [UInt8](shown.prefix(64 * 48)))
    }

    @Test("of a variable rate have the file's own times", arguments: ["vfr.mp4", "vfr.mkv"])
    func variable(_ file: String) throws {
        let shop = try Workshop()
        let filter = ",select='not(mod(n\\,7))+lt(mod(n\\,11)\\,2)'"
        let path = try shop.film(file, Self.h264 + ["-vsync", "vfr"], filter: filter)
        let frames = try FilmReader(AssetInput(uri: path)).decodeAll()
        let wanted = (0..<75).filter { $0 % 7 == 0 || $0 % 11 < 2 }
        #expect(frames.map { $0.presentationTime } == wanted.map { MediaTime(frame: Int64($0), sampleRate: 25) })
        #expect(frames.map(\.luma) == (try shop.luma(of: file, width: 64, height: 48)))
    }

    @Test("are read by track, with what the medium says of each")
    func tracks() throws {
        let shop = try Workshop()
        try shop.film("one.mkv", Self.h264, size: "64x48", seconds: 1)
        try shop.film("two.mkv", Self.h264, size: "32x32", rate: "30000/1001", seconds: 2)
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "one.mkv", "-i", "two.mkv", "-map", "0", "-map", "1", "-c", "copy",
            "-metadata:s:v:0", "language=deu", "-disposition:v:0", "0", "-disposition:v:1", "default", "both.mkv")
        let reader = try FilmReader(AssetInput(uri: shop.path("both.mkv")))
        #expect(reader.tracks.map(\.format.width) == [64, 32])
        #expect(reader.tracks.map(\.language) == ["deu", nil])
        #expect(reader.tracks.map(\.isDefault) == [false, true])
        #expect(reader.track == reader.tracks[1])
        #expect(reader.tracks[1].frameDuration == MediaTime(value: 1_001, timescale: 30_000))
        #expect(try reader.decodeAll().count == 60)
        try reader.select(reader.tracks[0])
        let frames = try reader.decodeAll()
        #expect(frames.count == 25 && frames.allSatisfy { $0.width == 64 })
        try reader.seek(to: .zero)
        #expect(try reader.decodeAll().count == 25)
    }

    @Test("are none where there is sound and a cover only, and unsupported in other codings")
    func none() throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: 44_100)
        #expect(throws: AssetError.noVideoStream(shop.path("in.wav"))) {
            try FilmReader(AssetInput(uri: shop.path("in.wav")))
        }
        try shop.film("cover.png", ["-frames:v", "1"])
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "in.wav", "-i", "cover.png", "-map", "0", "-map", "1", "-c:v", "copy",
            "-disposition:v", "attached_pic", "song.mp3")
        #expect(throws: AssetError.noVideoStream(shop.path("song.mp3"))) {
            try FilmReader(AssetInput(uri: shop.path("song.mp3")))
        }
        let other = try shop.film("other.mkv", ["-c:v", "ffv1"], seconds: 0.2)
        #expect(throws: AssetError.unsupported(other, reason: "pictures coded as ffv1 cannot be decoded")) {
            try FilmReader(AssetInput(uri: other))
        }
        #expect(throws: AssetError.notFound(shop.path("gone.mkv"))) {
            try FilmReader(AssetInput(uri: shop.path("gone.mkv")))
        }
    }

    @Test("of part of a file begin and end with it")
    func part() throws {
        let shop = try Workshop()
        let path = try shop.film("whole.mp4", Self.h264)
        let whole = try FilmReader(AssetInput(uri: path)).decodeAll()
        let (start, end) = (MediaTime(frame: 31, sampleRate: 25), MediaTime(frame: 50, sampleRate: 25))
        let reader = try FilmReader(AssetInput(uri: path, start: start, end: end))
        let frames = try reader.decodeAll()
        #expect(frames.last { $0.presentationTime <= .zero }?.luma == whole[31].luma)
        #expect(frames.last { $0.presentationTime < end - start }?.luma == whole[49].luma)
        #expect(frames.filter { $0.presentationTime >= end - start }.count <= 4)
    }

    @Test("of recordings that were joined go on where the timestamps begin anew")
    func joined() throws {
        let shop = try Workshop()
        try shop.film("late.ts", Self.h264 + ["-output_ts_offset", "500"], seconds: 1)
        try shop.film("early.ts", Self.h264, seconds: 1)
        try shop.run("sh", "-c", "cat late.ts early.ts late.ts > joined.ts")
        let frames = try FilmReader(AssetInput(uri: shop.path("joined.ts"))).decodeAll()
        #expect(frames.count == 75)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
        #expect(frames.last.map { $0.presentationTime < MediaTime(frame: 4, sampleRate: 1) } ?? false)
    }

    @Test("come from a pipe too, once")
    func pipe() throws {
        let shop = try Workshop()
        let path = try shop.film("in.mkv", Self.h264, seconds: 1)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try shop.run("mkfifo", "pipe")
        let fifo = shop.path("pipe")
        let writer = Thread {
            guard let file = FileHandle(forWritingAtPath: fifo) else { return }
            try? file.write(contentsOf: bytes)
            try? file.close()
        }
        writer.start()
        let reader = try FilmReader(AssetInput(uri: fifo))
        #expect(try reader.decodeAll().count == 25)
        #expect(throws: AssetError.notSeekable(fifo)) { try reader.seek(to: .zero) }
    }
}
