import CFFmpeg
import Testing
import TuttiFFmpeg

@Suite("Frames become interleaved floats")
struct FrameConverterTests {
    /// A frame of 16-bit samples, freed with the object.
    final class Frame {
        let pointer: UnsafeMutablePointer<AVFrame>

        init(_ samples: [Int16], channels: Int, rate: Int) throws {
            pointer = try #require(av_frame_alloc())
            pointer.pointee.format = AV_SAMPLE_FMT_S16.rawValue
            pointer.pointee.sample_rate = Int32(rate)
            pointer.pointee.nb_samples = Int32(samples.count / channels)
            av_channel_layout_default(&pointer.pointee.ch_layout, Int32(channels))
            try #require(av_frame_get_buffer(pointer, 0) == 0)
            samples.withUnsafeBytes { bytes in
                UnsafeMutableRawPointer(pointer.pointee.data.0)?.copyMemory(
                    from: bytes.baseAddress ?? UnsafeRawPointer(pointer), byteCount: bytes.count)
            }
        }

        deinit {
            var owned: UnsafeMutablePointer<AVFrame>? = pointer
            av_frame_free(&owned)
        }
    }

    @Test func everySixteenBitValueIsExact() throws {
        let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        let converter = FrameConverter(output: .stereo)
        let frame = try Frame(all, channels: 2, rate: 44_100)
        #expect(try converter.convert(frame.pointer) == all.map { Float($0) / 32_768 })
        #expect(converter.sampleRate == 44_100)
        #expect(converter.channelCount == 2)
    }

    @Test func sourceChannelsStayAsTheyAre() throws {
        let converter = FrameConverter(output: .sourceChannels)
        let frame = try Frame([1, 2, 3, 4, 5, 6], channels: 6, rate: 48_000)
        #expect(try converter.convert(frame.pointer) == [1, 2, 3, 4, 5, 6].map { $0 / 32_768 })
    }

    @Test func laterFramesAreMixedAndResampledToTheFirst() throws {
        let converter = FrameConverter(output: .stereo)
        let first = try Frame([Int16](repeating: 1_000, count: 2_000), channels: 2, rate: 48_000)
        let second = try Frame([Int16](repeating: 1_000, count: 24_000), channels: 1, rate: 24_000)
        #expect(try converter.convert(first.pointer).count == 2_000)
        let rest = try converter.convert(second.pointer) + converter.drain()
        #expect(abs(rest.count / 2 - 48_000) <= 2)
        #expect(abs(rest[48_000] * 32_768 - 1_000) < 1)
        #expect(converter.sampleRate == 48_000)
    }

    @Test func aFrameWithoutShapeIsRefused() throws {
        let frame = try Frame([1, 2], channels: 2, rate: 48_000)
        frame.pointer.pointee.sample_rate = 0
        #expect(throws: FFmpegError.invalidData) { try FrameConverter(output: .stereo).convert(frame.pointer) }
    }

    @Test func codesBecomeErrors() {
        #expect(FFmpegError(code: tutti_averror_eof(), operation: "x") == .endOfStream)
        #expect(FFmpegError(code: tutti_averror_http_not_found(), operation: "x") == .http(status: 404))
        #expect(FFmpegError(code: tutti_averror(5), operation: "reading").description == "reading: Input/output error")
    }
}
