import Testing
import TuttiCodecs
import TuttiCore
import TuttiFFmpeg

@Suite struct VideoDecoderTests {
    /// What ffmpeg encodes with, and with which options.
    struct Coding: Sendable, CustomTestStringConvertible {
        let codec: VideoFormat.Codec
        let options: [String]
        var pixels = VideoFrame.PixelFormat.yuv420

        var testDescription: String { codec.rawValue }
    }

    private static let codings = [
        Coding(codec: .h264, options: ["-c:v", "libx264", "-g", "12", "-bf", "3", "-pix_fmt", "yuv420p"]),
        Coding(
            codec: .h264, options: ["-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-preset", "ultrafast"],
            pixels: .yuv420p10),
        Coding(codec: .hevc, options: ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p"]),
        Coding(codec: .vp8, options: ["-c:v", "libvpx", "-pix_fmt", "yuv420p"]),
        Coding(codec: .vp9, options: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-pix_fmt", "yuv420p"]),
        Coding(codec: .mpeg2, options: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
        Coding(codec: .mpeg4, options: ["-c:v", "mpeg4", "-bf", "2"]),
        Coding(codec: .mjpeg, options: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
    ]

    private func decodeAll(_ film: Film, threads: Int = 2) throws -> [VideoFrame] {
        let decoder = try FFmpegVideoDecoder(format: film.format, threads: threads)
        var frames: [VideoFrame] = []
        for buffer in film.buffers { frames += try decoder.decode(buffer) }
        return frames + decoder.finish()
    }

    /// The luma of a frame, row by row.
    private func luma(_ frame: VideoFrame) -> [UInt8] {
        frame.withPlane(0) { plane in
            (0..<frame.height).flatMap { row in
                UnsafeRawBufferPointer(start: plane.bytes + row * plane.bytesPerRow, count: frame.width)
            }
        }
    }

    @Test(arguments: codings) func everyPictureComesOnceInTheOrderOfTimes(coding: Coding) throws {
        let film = try Film(coding.codec, coding.options)
        let frames = try decodeAll(film)
        #expect(frames.map(\.presentationTime) == film.buffers.map(\.presentationTime).sorted())
        #expect(frames.count == 50)
        #expect(frames.allSatisfy { $0.width == 64 && $0.height == 48 && $0.pixelFormat == coding.pixels })
        #expect(frames.allSatisfy { $0.isFullRange == (coding.codec == .mjpeg) })
        // The pictures are told apart.
        #expect(Set(frames.map { luma($0) }).count > 20)
    }

    @Test(arguments: [codings[0], codings[2], codings[5]]) func theWayToAPictureIsShorterWithoutThoseThatNoneRefersTo(
        coding: Coding
    ) throws {
        let film = try Film(coding.codec, coding.options)
        let whole = try decodeAll(film)
        let decoder = try FFmpegVideoDecoder(format: film.format)
        var frames: [VideoFrame] = []
        for (number, buffer) in film.buffers.enumerated() {
            decoder.skipsUnreferenced = number < 30
            frames += try decoder.decode(buffer)
        }
        frames += decoder.finish()
        let passed = Set(film.buffers.prefix(30).map(\.presentationTime))
        #expect(frames.count { passed.contains($0.presentationTime) } < 25)
        #expect(frames.count { !passed.contains($0.presentationTime) } == film.buffers.count - 30)
        for frame in frames {
            let same = try #require(whole.first { $0.presentationTime == frame.presentationTime })
            #expect(luma(frame) == luma(same))
        }
    }

    @Test func decodingBeginsAnewAtASyncPicture() throws {
        let film = try Film(.h264, Self.codings[0].options)
        let whole = try decodeAll(film, threads: 1)
        let decoder = try FFmpegVideoDecoder(format: film.format, threads: 4)
        for buffer in film.buffers.prefix(30) { _ = try decoder.decode(buffer) }
        decoder.reset()
        let sync = try #require(film.buffers.dropFirst(12).firstIndex { $0.isSync })
        var frames: [VideoFrame] = []
        for buffer in film.buffers[sync...] { frames += try decoder.decode(buffer) }
        frames += decoder.finish()
        #expect(frames.first?.presentationTime == film.buffers[sync].presentationTime)
        for frame in frames {
            let same = try #require(whole.first { $0.presentationTime == frame.presentationTime })
            #expect(luma(frame) == luma(same))
        }
    }

    @Test(arguments: codings) func nothingIsShownBeforeItsReferences(coding: Coding) throws {
        let film = try Film(coding.codec, coding.options)
        let whole = try decodeAll(film)
        let decoder = try FFmpegVideoDecoder(format: film.format, threads: 2)
        var frames: [VideoFrame] = []
        // Without the sync picture that the others refer to.
        for buffer in film.buffers.dropFirst() { frames += (try? decoder.decode(buffer)) ?? [] }
        frames += decoder.finish()
        for frame in frames {
            let isRight = whole.contains { $0.presentationTime == frame.presentationTime && luma($0) == luma(frame) }
            #expect(isRight, "\(frame.presentationTime)")
        }
        let sync = film.buffers.dropFirst().firstIndex { $0.isSync }
        #expect(frames.isEmpty == (sync == nil))
    }

    @Test func twoPicturesInOnePacketFollowOneAnother() throws {
        let film = try Film(.vp9, Self.codings[4].options, count: 4)
        let whole = try decodeAll(film)
        // A superframe (VP9 Bitstream Specification, annex B) of two pictures that are both shown.
        let (first, second) = (film.buffers[0], film.buffers[1])
        let marker: UInt8 = 0b110_11_001
        let sizes = [first, second].flatMap { buffer in (0..<4).map { UInt8(buffer.data.count >> ($0 * 8) & 0xFF) } }
        let both = try #require(
            VideoSampleBuffer(
                format: film.format, presentationTime: first.presentationTime, duration: first.duration, isSync: true,
                data: first.data + second.data + [marker] + sizes + [marker]))
        let decoder = try FFmpegVideoDecoder(format: film.format)
        let frames = try [both, film.buffers[2], film.buffers[3]].flatMap { try decoder.decode($0) } + decoder.finish()
        #expect(frames.map { luma($0) } == whole.map { luma($0) })
        #expect(frames.map(\.presentationTime) == whole.map(\.presentationTime))
    }

    @Test func otherPixelsAreRefusedByName() throws {
        let film = try Film(.h264, ["-c:v", "libx264rgb", "-pix_fmt", "rgb24"])
        let what = CodecError.unsupported("pictures with pixels of FFmpeg's format gbrp")
        let decoder = try FFmpegVideoDecoder(format: film.format, threads: 1)
        #expect(throws: what) { for buffer in film.buffers { _ = try decoder.decode(buffer) } }
    }

    @Test func aPictureBeyondTheLimitsIsRefused() throws {
        // The picture's own header asks for 13 616 × 13 616 pixels.
        let film = try Film(.vp8, Self.codings[3].options, count: 1)
        var data = film.buffers[0].data
        (data[6], data[7], data[8], data[9]) = (0x30, 0x35, 0x30, 0x35)
        let huge = try #require(
            VideoSampleBuffer(format: film.format, presentationTime: .zero, isSync: true, data: data))
        let decoder = try FFmpegVideoDecoder(format: film.format, threads: 1)
        // What libavcodec says to the size; once there is a frame, or too little data for one, the words are others.
        #expect(throws: CodecError.corruptPacket("decoding: Invalid argument")) { try decoder.decode(huge) }
        #expect(try decoder.decode(film.buffers[0]).count + decoder.finish().count == 1)
    }

    @Test func framesOutliveTheirDecoder() throws {
        let film = try Film(.mpeg4, Self.codings[6].options, size: "66x50", count: 10)
        let frames = try decodeAll(film)
        #expect(frames.count == 10 && frames[9].width == 66 && luma(frames[9]).count == 66 * 50)
        #expect(frames[0].colorMatrix == .bt601 && frames[0].pixelAspectRatio == .square)
    }

    @Test(arguments: 0..<24) func damagedPicturesAreErrorsOrPictures(seed: UInt64) throws {
        let coding = Self.codings[Int(seed) % Self.codings.count]
        let film = try Film(coding.codec, coding.options, count: 12)
        var random = SplitMix64(seed: seed)
        let decoder = try FFmpegVideoDecoder(format: film.format)
        for buffer in film.buffers {
            var data = buffer.data
            for _ in 0..<8 { data[Int(random.next() % UInt64(data.count))] ^= UInt8(1 << (random.next() % 8)) }
            if random.next() % 3 == 0 { data = Array(data.prefix(1 + Int(random.next() % UInt64(data.count)))) }
            let damaged = try #require(
                VideoSampleBuffer(
                    format: film.format, presentationTime: buffer.presentationTime, isSync: buffer.isSync, data: data))
            let frames = (try? decoder.decode(damaged)) ?? []
            for frame in frames { #expect(luma(frame).count == frame.width * frame.height) }
        }
        _ = decoder.finish()
        // It is none the worse for it.
        var frames: [VideoFrame] = []
        for buffer in film.buffers { frames += (try? decoder.decode(buffer)) ?? [] }
        frames += decoder.finish()
        #expect(frames.count >= 6)
    }

    @Test func badCookiesAndOtherFormatsAreErrors() throws {
        let cookie = try #require(VideoFormat(codec: .h264, width: 64, height: 48, magicCookie: [1, 2, 3, 4, 5, 6, 7]))
        // Some decoders look at it with the first picture.
        if let decoder = try? FFmpegVideoDecoder(format: cookie) {
            let buffer = try #require(
                VideoSampleBuffer(format: cookie, presentationTime: .zero, isSync: true, data: [0, 0, 0, 1, 9]))
            // Threads say so later, if at all.
            let frames = (try? decoder.decode(buffer)) ?? []
            #expect(frames.isEmpty && decoder.finish().isEmpty)
            let other = try #require(VideoFormat(codec: .vp8, width: 64, height: 48))
            let stranger = try #require(
                VideoSampleBuffer(format: other, presentationTime: .zero, isSync: true, data: [1]))
            #expect(throws: CodecError.self) { try decoder.decode(stranger) }
        }
    }
}
