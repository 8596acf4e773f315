import CFFmpeg
import Testing
import TuttiCodecs
import TuttiCore
import TuttiFFmpeg

@Suite("Packets of original formats become blocks")
struct PacketDecoderTests {
    struct Encoded {
        let format: AudioFormat
        let packets: [[UInt8]]
        let framesPerPacket: Int
    }

    /// A tone through one of libavcodec's own encoders.
    private func encode(_ codec: AudioFormat.Codec, _ id: AVCodecID, _ sampleFormat: AVSampleFormat) throws -> Encoded {
        let context = try #require(avcodec_alloc_context3(avcodec_find_encoder(id)))
        defer {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
        }
        context.pointee.sample_rate = 44_100
        context.pointee.sample_fmt = sampleFormat
        context.pointee.bit_rate = 128_000
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        av_channel_layout_default(&context.pointee.ch_layout, 1)
        try #require(avcodec_open2(context, nil, nil) == 0)
        let frame = try #require(av_frame_alloc())
        let packet = try #require(av_packet_alloc())
        defer {
            var (ownedFrame, ownedPacket): (UnsafeMutablePointer<AVFrame>?, UnsafeMutablePointer<AVPacket>?) = (
                frame, packet
            )
            av_frame_free(&ownedFrame)
            av_packet_free(&ownedPacket)
        }
        frame.pointee.nb_samples = context.pointee.frame_size
        frame.pointee.format = sampleFormat.rawValue
        frame.pointee.sample_rate = 44_100
        try #require(av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout) == 0)
        try #require(av_frame_get_buffer(frame, 0) == 0)
        var packets: [[UInt8]] = []
        for round in 0..<20 {
            try #require(av_frame_make_writable(frame) == 0)
            let plane = UnsafeMutableRawPointer(try #require(frame.pointee.data.0))
            for index in 0..<Int(frame.pointee.nb_samples) {
                let value = (round * Int(frame.pointee.nb_samples) + index) / 50 % 2 == 0 ? 0.25 : -0.25
                if sampleFormat == AV_SAMPLE_FMT_FLTP {
                    plane.storeBytes(of: Float(value), toByteOffset: index * 4, as: Float.self)
                } else {
                    plane.storeBytes(of: Int16(value * 32_768), toByteOffset: index * 2, as: Int16.self)
                }
            }
            try #require(avcodec_send_frame(context, frame) == 0)
            while avcodec_receive_packet(context, packet) == 0 {
                packets.append(Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
                av_packet_unref(packet)
            }
        }
        let cookie = Array(
            UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
        let format = try #require(
            AudioFormat(codec: codec, sampleRate: 44_100, channelCount: 1, bitDepth: 16, magicCookie: cookie))
        return Encoded(format: format, packets: packets, framesPerPacket: Int(context.pointee.frame_size))
    }

    private func buffer(_ encoded: Encoded, _ data: [UInt8], trimAtStart: Int = 0) throws -> SampleBuffer {
        try #require(
            SampleBuffer(
                format: encoded.format, presentationTime: .zero, frameCount: encoded.framesPerPacket,
                trimAtStart: trimAtStart, data: data))
    }

    @Test func alacIsLosslessWithEachFormOfItsCookie() throws {
        let encoded = try encode(.alac, AV_CODEC_ID_ALAC, AV_SAMPLE_FMT_S16P)
        for dropped in [0, 8, 12] {
            let format = try #require(
                AudioFormat(
                    codec: .alac, sampleRate: 44_100, channelCount: 1, bitDepth: 16,
                    magicCookie: Array(encoded.format.magicCookie.dropFirst(dropped))))
            let decoder = try FFmpegPacketDecoder(format: format)
            let one = Encoded(format: format, packets: encoded.packets, framesPerPacket: encoded.framesPerPacket)
            let block = try decoder.decode(try buffer(one, encoded.packets[0], trimAtStart: 60))
            #expect(block.frameCount == encoded.framesPerPacket - 60)
            #expect(block.samples.prefix(41) == [Float](repeating: -0.25, count: 40)[...] + [0.25])
        }
    }

    @Test func aacGivesEachPacketsFramesAndSurvivesDamage() throws {
        let encoded = try encode(.aac, AV_CODEC_ID_AAC, AV_SAMPLE_FMT_FLTP)
        let decoder = try FFmpegPacketDecoder(format: encoded.format)
        var energy: Float = 0
        for (index, packet) in encoded.packets.enumerated() {
            if index == 8 {
                #expect(throws: CodecError.self) { try decoder.decode(try buffer(encoded, [0xFF, 0xFF, 0xFF, 0xFF])) }
                decoder.reset()
                continue
            }
            let block = try decoder.decode(try buffer(encoded, packet))
            #expect(block.frameCount == 1_024)
            #expect(block.channelCount == 1)
            if index == 15 { energy = block.samples.reduce(0) { $0 + $1 * $1 } / 1_024 }
        }
        #expect(abs(energy - 0.0625) < 0.01)
    }

    @Test func samplesNeedNoDecoder() throws {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 44_100, channelCount: 2, bitDepth: 16))
        #expect(throws: CodecError.unsupported("pcm packets")) { try FFmpegPacketDecoder(format: format) }
    }
}
