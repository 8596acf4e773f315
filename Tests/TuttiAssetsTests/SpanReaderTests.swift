import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiDecoding

@Suite("The pictures of a track on a timeline", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct SpanReaderTests {
    private let shop: Workshop

    init() throws { shop = try Workshop() }

    private static func tenths(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 10) }
    private static func frames(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 25) }

    /// A film of 25 pictures a second, with sound of another length.
    private func film(
        _ name: String, seconds: Double = 3, soundSeconds: Double, options: [String] = FilmReaderTests.h264,
        sound: [String] = ["-c:a", "pcm_s16le"]
    ) throws -> AssetInput {
        try shop.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=\(seconds)", "-f",
                "lavfi", "-i", "sine=sample_rate=48000:duration=\(soundSeconds)", "-map", "0", "-map", "1",
            ] + options + sound + [name])
        return AssetInput(uri: shop.path(name))
    }

    /// What the screen shows at a time: the last picture at or before it.
    private func luma(_ frames: [VideoFrame], at time: MediaTime) -> [UInt8]? {
        frames.last { $0.presentationTime <= time }?.luma
    }

    // MARK: Films

    @Test("lie where the track does, each at its time", arguments: ["film.mkv", "film.mp4"])
    func whole(_ file: String) throws {
        let input = try film(file, soundSeconds: 3, sound: file == "film.mp4" ? ["-c:a", "alac"] : ["-c:a", "flac"])
        let whole = try FilmReader(input).decodeAll()
        let start = MediaTime(frame: 7, sampleRate: 44_100)
        let reader = SpanReader(PictureSpan(serial: 1, input: input, start: start, end: start + Self.frames(75)))
        let buffers = try reader.readAll()
        #expect(buffers.count == 75 && buffers[0].isSync)
        // B-pictures come after what they refer to.
        #expect(buffers.map(\.presentationTime) != buffers.map(\.presentationTime).sorted())
        let frames = try decode(buffers)
        #expect(frames.map(\.presentationTime) == (0..<75).map { start + Self.frames($0) })
        #expect(frames.map(\.luma) == whole.map(\.luma))
        #expect(frames.dropLast().allSatisfy { $0.duration.map { abs($0.seconds - 0.04) < 0.001 } ?? true })
        #expect(reader.problem == nil)
    }

    @Test("of a stretched part begin with the sync picture before the wanted time")
    func stretched() throws {
        let input = try film("film.mkv", seconds: 6, soundSeconds: 6)
        let whole = try FilmReader(input).decodeAll()
        // From 1 s to 5.5 s of the film, in 3 s.
        let start = Self.tenths(200)
        let span = PictureSpan(
            serial: 1, input: input, start: start, offset: Self.tenths(10), rate: 1.5, end: start + Self.tenths(30))
        for (from, first) in [(0, 25), (11, 50), (15, 75), (29, 120)] as [(Int64, Int64)] {
            let from = start + Self.tenths(from)
            let buffers = try SpanReader(span, from: from).readAll()
            let sync = try #require(buffers.first)
            #expect(sync.isSync && sync.presentationTime <= from)
            let frames = try decode(buffers)
            for frame in stride(from: first, to: 137, by: 1) {
                let time = span.time(of: Self.frames(frame))
                guard time >= from, time < start + Self.tenths(30) else { continue }
                let shown = frames.last { $0.presentationTime <= time }
                #expect(shown.map { abs(($0.presentationTime - time).nanoseconds) <= 1 } ?? false)
                #expect(shown?.luma == whole[Int(frame)].luma, "\(frame)")
            }
            #expect(
                buffers.allSatisfy { $0.presentationTime >= start && $0.presentationTime <= start + Self.tenths(30) })
        }
    }

    @Test("before the track's start do not lie among those of the track before")
    func offset() throws {
        let input = try film("film.mkv", soundSeconds: 3)
        let whole = try FilmReader(input).decodeAll()
        let start = Self.tenths(50)
        let span = PictureSpan(serial: 1, input: input, start: start, offset: Self.frames(30))
        let frames = try decode(try SpanReader(span).readAll())
        #expect(frames.allSatisfy { $0.presentationTime >= start })
        #expect(luma(frames, at: start) == whole[30].luma)
        #expect(luma(frames, at: start + Self.frames(20)) == whole[50].luma)
    }

    @Test("of the middle of a group of pictures are whole", arguments: FilmReaderTests.codings)
    func middle(_ coding: FilmReaderTests.Coding) throws {
        let input = AssetInput(uri: try shop.film(coding.file, coding.options))
        let whole = try FilmReader(input).decodeAll()
        let span = PictureSpan(serial: 1, input: input, start: Self.tenths(40), end: Self.tenths(65))
        for from in [Self.tenths(42), Self.tenths(51), Self.tenths(64)] {
            let buffers = try SpanReader(span, from: from).readAll()
            #expect(buffers.first.map { $0.isSync && $0.presentationTime <= from } ?? false)
            let frames = try decode(buffers)
            for time in stride(from: from.frame(at: 25), to: 162, by: 1).map({ Self.frames($0) }) {
                #expect(luma(frames, at: time) == luma(whole, at: span.place(at: time)), "\(from) \(time)")
            }
        }
    }

    @Test("of two tracks end to end follow each other at the instant of the change")
    func twoTracks() throws {
        let first = try film("first.mkv", soundSeconds: 3)
        let second = try film(
            "second.mkv", seconds: 2, soundSeconds: 2, options: FilmReaderTests.h264 + ["-vf", "hflip"])
        // The change is in the middle of a run of B-pictures.
        for cut in 37...40 as ClosedRange<Int64> {
            let change = Self.frames(cut)
            let spans = [
                PictureSpan(serial: 1, input: first, start: .zero, end: change),
                PictureSpan(serial: 2, input: second, start: change, end: change + Self.frames(50)),
            ]
            var shown: [VideoFrame] = []
            for frame in try spans.flatMap({ try decode(try SpanReader($0).readAll()) }) {
                // As a renderer does: what comes later replaces what was to be shown at its time or after it.
                while let last = shown.last, last.presentationTime >= frame.presentationTime { shown.removeLast() }
                shown.append(frame)
            }
            let wanted =
                try FilmReader(first).decodeAll().prefix(Int(cut)).map(\.luma)
                + FilmReader(second).decodeAll().map(\.luma)
            #expect(shown.map(\.luma) == wanted)
            #expect(shown.map(\.presentationTime) == (0..<cut + 50).map { Self.frames($0) })
        }
    }

    @Test("of a variable rate keep their times and lengths")
    func variable() throws {
        let filter = ",select='not(mod(n\\,7))+lt(mod(n\\,11)\\,2)'"
        let path = try shop.film("vfr.mkv", FilmReaderTests.h264 + ["-vsync", "vfr"], filter: filter)
        let span = PictureSpan(serial: 1, input: AssetInput(uri: path), start: Self.tenths(100))
        let frames = try decode(try SpanReader(span).readAll())
        let wanted = (0..<75).filter { $0 % 7 == 0 || $0 % 11 < 2 }
        #expect(frames.map(\.presentationTime) == wanted.map { Self.tenths(100) + Self.frames(Int64($0)) })
    }

    @Test("stay when they are over before the sound, and end with it when they are longer")
    func lengths() throws {
        let long = try film("long.mkv", seconds: 1, soundSeconds: 4)
        let span = PictureSpan(serial: 1, input: long, start: Self.tenths(10), end: Self.tenths(50))
        let frames = try decode(try SpanReader(span).readAll())
        #expect(frames.count == 25)
        let last = try #require(frames.last)
        #expect(last.duration.map { last.presentationTime + $0 } == Self.tenths(50))
        // Beyond the film's end, too, there is its last picture.
        let late = try decode(try SpanReader(span, from: Self.tenths(45)).readAll())
        #expect(late.last?.luma == last.luma && late.last?.presentationTime == last.presentationTime)
        #expect(try SpanReader(span, from: Self.tenths(50)).next() == nil)

        let short = try film("short.mkv", seconds: 4, soundSeconds: 1)
        let cut = try SpanReader(PictureSpan(serial: 1, input: short, start: .zero, end: Self.tenths(10))).readAll()
        #expect(Set(try decode(cut).map(\.presentationTime)).isSuperset(of: (0..<25).map { Self.frames($0) }))
        #expect(cut.allSatisfy { $0.presentationTime <= Self.tenths(10) })
        // Whatever lies at the end is what pictures before it refer to.
        #expect(cut.last.map { $0.presentationTime < Self.tenths(10) } ?? false)
        let open = SpanReader(PictureSpan(serial: 1, input: short, start: .zero))
        #expect(try open.readAll().count == 100)
    }

    @Test("end where it turns out meanwhile that the track does")
    func endFound() throws {
        let input = try film("film.mkv", soundSeconds: 3)
        let reader = SpanReader(PictureSpan(serial: 1, input: input, start: .zero))
        for _ in 0..<10 { #expect(try reader.next() != nil) }
        reader.end = Self.frames(30)
        var rest: [VideoSampleBuffer] = []
        while let buffer = try reader.next() { rest.append(buffer) }
        #expect((20...23).contains(rest.count))
        #expect(rest.allSatisfy { $0.presentationTime <= Self.frames(30) })
    }

    @Test("that begin after the sound come after a black one")
    func lateFilm() throws {
        try shop.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=3", "-itsoffset", "1",
                "-f",
                "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2", "-map", "1", "-map", "0", "-c:a", "pcm_s16le",
            ] + FilmReaderTests.h264 + ["late.mkv"])
        let span = PictureSpan(serial: 1, input: AssetInput(uri: shop.path("late.mkv")), start: Self.tenths(20))
        for from in [20, 25] as [Int64] {
            let buffers = try SpanReader(span, from: Self.tenths(from)).readAll()
            try #require(buffers.count == 51)
            #expect(buffers[0].presentationTime == Self.tenths(20) && buffers[0].duration == Self.tenths(10))
            #expect(try decode([buffers[0]]).allSatisfy(\.isBlack))
            #expect(buffers[1].isSync && buffers[1].presentationTime == Self.tenths(30))
        }
        let later = try #require(try SpanReader(span, from: Self.tenths(35)).next())
        #expect(later.format.codec == .h264 && later.presentationTime == Self.tenths(30))
        // The span ends before the film begins.
        var short = span
        short.end = Self.tenths(29)
        let only = try SpanReader(short).readAll()
        #expect(only.count == 1 && only[0].format.codec == .mjpeg)
    }

    @Test("of a file that was cut off are those that are there, and the last one stays")
    func cutOff() throws {
        let input = try film("whole.mkv", soundSeconds: 3)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: input.uri)))
        let half = AssetInput(uri: try shop.write(bytes.prefix(bytes.count / 2), to: "half.mkv"))
        let frames = try decode(
            try SpanReader(PictureSpan(serial: 1, input: half, start: .zero, end: Self.tenths(30))).readAll())
        #expect((20..<60).contains(frames.count))
        let last = try #require(frames.last)
        #expect(last.duration.map { last.presentationTime + $0 } == Self.tenths(30))
    }

    @Test("are of the video track that was chosen")
    func tracks() throws {
        try shop.film("one.mkv", FilmReaderTests.h264, size: "64x48", seconds: 1)
        try shop.film("two.mkv", FilmReaderTests.h264, size: "32x32", seconds: 2)
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "one.mkv", "-i", "two.mkv", "-map", "0", "-map", "1", "-c", "copy",
            "both.mkv")
        let input = AssetInput(uri: shop.path("both.mkv"))
        for (track, width, count) in [(nil, 64, 25), (0, 64, 25), (1, 32, 50)] as [(Int?, Int, Int)] {
            let reader = SpanReader(PictureSpan(serial: 1, input: input, start: .zero, videoTrack: track))
            let buffers = try reader.readAll()
            #expect(buffers.count == count && buffers.allSatisfy { $0.format.width == width })
            #expect(reader.problem == nil)
        }
        let reader = SpanReader(PictureSpan(serial: 1, input: input, start: .zero, videoTrack: 9))
        #expect(try reader.readAll().count == 25)
        #expect(reader.problem == "\(input.uri): there is no video track 9; another one is shown")
    }

    // MARK: Stills

    @Test("of a song are its cover", arguments: ["song.mp3", "song.flac", "song.m4a"], ["cover.png", "cover.jpg"])
    func cover(_ song: String, _ cover: String) throws {
        try shop.film(cover, ["-frames:v", "1"], size: "2000x1000")
        try shop.writeWAV("in.wav", frames: 44_100)
        try shop.run(
            "ffmpeg", "-v", "error", "-i", "in.wav", "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy",
            "-disposition:v", "attached_pic", song)
        let input = AssetInput(uri: shop.path(song))
        let span = PictureSpan(serial: 3, input: input, start: Self.tenths(30), end: Self.tenths(40))
        let artwork = try Asset.open(input).info.artwork
        for reader in [SpanReader(span), SpanReader(span, from: Self.tenths(37), artwork: artwork)] {
            let buffers = try reader.readAll()
            try #require(buffers.count == 1)
            #expect(buffers[0].isSync && buffers[0].format.codec == .mjpeg)
            #expect((buffers[0].format.width, buffers[0].format.height) == (1_280, 640))
            #expect(buffers[0].presentationTime == Self.tenths(30) && buffers[0].duration == Self.tenths(10))
            let frame = try #require(try decode(buffers).first)
            #expect((frame.width, frame.height) == (1_280, 640) && !frame.isBlack)
            #expect(reader.problem == nil)
        }
    }

    @Test("of a song without one are the folder's picture, or black")
    func withoutCover() throws {
        try shop.writeWAV("song.wav", frames: 44_100)
        let input = AssetInput(uri: shop.path("song.wav"))
        let reader = SpanReader(PictureSpan(serial: 3, input: input, start: Self.tenths(30)))
        let buffers = try reader.readAll()
        try #require(buffers.count == 1)
        #expect(buffers[0].presentationTime == Self.tenths(30) && buffers[0].isSync && reader.problem == nil)
        let black = try decode(buffers)
        #expect(black.count == 1 && black.allSatisfy { $0.isBlack && $0.width == 16 })
        try shop.film("folder.png", ["-frames:v", "1"], size: "100x80")
        let found = try SpanReader(PictureSpan(serial: 3, input: input, start: .zero)).readAll()
        #expect(found.map(\.format.width) == [100])
    }

    @Test("are said again every hour")
    func hours() throws {
        try shop.writeWAV("song.wav", frames: 4_410)
        let span = PictureSpan(
            serial: 1, input: AssetInput(uri: shop.path("song.wav")), start: Self.tenths(5), end: Self.tenths(72_015))
        let all = try SpanReader(span).readAll()
        #expect(all.map(\.presentationTime) == [5, 36_005, 72_005].map { Self.tenths($0) })
        #expect(all.map(\.duration) == [36_000, 36_000, 10].map { Self.tenths($0) })
        let late = try SpanReader(span, from: Self.tenths(36_006)).readAll()
        #expect(late == Array(all.dropFirst()))
    }

    @Test("that cannot be read are the cover or black, and why is said")
    func unreadable() throws {
        let other = try film("other.mkv", seconds: 0.2, soundSeconds: 0.2, options: ["-c:v", "ffv1"])
        let reader = SpanReader(PictureSpan(serial: 1, input: other, start: .zero))
        let buffers = try reader.readAll()
        #expect(try decode(buffers).allSatisfy(\.isBlack) && buffers.count == 1)
        #expect(reader.problem == "\(other.uri): pictures coded as ffv1 cannot be decoded")
        let gone = SpanReader(PictureSpan(serial: 1, input: AssetInput(uri: shop.path("gone.mkv")), start: .zero))
        #expect(try gone.readAll().count == 1)
        #expect(gone.problem == "\(shop.path("gone.mkv")): no such file or address")
        try shop.writeWAV("song.wav", frames: 4_410)
        let song = PictureSpan(serial: 1, input: AssetInput(uri: shop.path("song.wav")), start: .zero)
        let torn = SpanReader(song, artwork: AssetInfo.Artwork(data: [0x89, 0x50, 0x4E, 0x47], mimeType: "image/png"))
        #expect(try decode(try torn.readAll()).map(\.isBlack) == [true])
        #expect(torn.problem?.contains("its cover cannot be shown") ?? false)
        // Whoever plays it reads what comes once only.
        let pipe = SpanReader(PictureSpan(serial: 1, input: AssetInput(uri: "-"), start: .zero))
        #expect(try pipe.readAll().count == 1 && pipe.problem == nil)
    }

    @Test("end at once when reading is interrupted")
    func interrupted() throws {
        let input = try film("film.mkv", soundSeconds: 3)
        for count in [0, 30] {
            let reader = SpanReader(PictureSpan(serial: 1, input: input, start: .zero))
            for _ in 0..<count { #expect(try reader.next() != nil) }
            reader.interrupter.interrupt()
            #expect(throws: AssetError.interrupted(input.uri)) { try reader.readAll() }
        }
    }

    // MARK: Decoding

    private func decode(_ buffers: [VideoSampleBuffer]) throws -> [VideoFrame] {
        var decoder: (format: VideoFormat, any VideoDecoder)?
        var frames: [VideoFrame] = []
        for buffer in buffers {
            if decoder?.format != buffer.format {
                frames += decoder?.1.finish() ?? []
                decoder = (buffer.format, try Decoders.makeVideo(for: buffer.format))
            }
            frames += try decoder?.1.decode(buffer) ?? []
        }
        return frames + (decoder?.1.finish() ?? [])
    }
}

extension SpanReader {
    /// Everything from here on.
    func readAll() throws -> [VideoSampleBuffer] {
        var buffers: [VideoSampleBuffer] = []
        while let buffer = try next() { buffers.append(buffer) }
        return buffers
    }
}

extension VideoFrame {
    /// Whether all of it is black.
    var isBlack: Bool {
        let isGrey = (1..<pixelFormat.planeCount).allSatisfy { index in
            withPlane(index) { plane in
                (0..<(height + 1) / 2).allSatisfy { row in
                    UnsafeRawBufferPointer(start: plane.bytes + row * plane.bytesPerRow, count: (width + 1) / 2)
                        .allSatisfy { $0 == 128 }
                }
            }
        }
        return pixelFormat == .yuv420 && isFullRange && isGrey && luma.allSatisfy { $0 == 0 }
    }
}
