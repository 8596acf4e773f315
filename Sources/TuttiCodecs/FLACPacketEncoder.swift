import CFLAC
import TuttiCore

/// FLAC: every packet is one frame, which a decoder takes alone once it knows the STREAMINFO in the magic cookie.
final class FLACPacketEncoder: PacketEncoder {
    let format: AudioFormat
    let framesPerPacket: Int

    private let handle: FLACEncoderHandle
    private let sink: FLACEncoderSink
    private var quantiser: SampleQuantiser
    private var integers: [Int32]
    private var isFinished = false

    init(sampleRate: Int, channelCount: Int, bitDepth: Int, options: EncoderOptions) throws(CodecError) {
        guard (0...8).contains(options.flacLevel) else { throw .unsupported("FLAC level \(options.flacLevel)") }
        let quantiser = try SampleQuantiser(sourceBitDepth: bitDepth, options: options)
        let blockSize = Self.blockSize(sampleRate: sampleRate)
        let handle = try FLACEncoderHandle()
        let sink = FLACEncoderSink()
        let encoder = handle.pointer
        // Beyond the streamable subset only in that odd sampling rates stand in the STREAMINFO alone.
        guard FLAC__stream_encoder_set_streamable_subset(encoder, 0) != 0,
            FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount)) != 0,
            FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(quantiser.bitDepth)) != 0,
            FLAC__stream_encoder_set_sample_rate(encoder, UInt32(sampleRate)) != 0,
            FLAC__stream_encoder_set_compression_level(encoder, UInt32(options.flacLevel)) != 0,
            FLAC__stream_encoder_set_blocksize(encoder, UInt32(blockSize)) != 0
        else { throw .library("libFLAC rejected \(sampleRate):\(quantiser.bitDepth):\(channelCount)") }
        let status = FLAC__stream_encoder_init_stream(
            encoder, flacEncoderWrite, nil, nil, nil, Unmanaged.passUnretained(sink).toOpaque())
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw .library("libFLAC's encoder did not start (status \(status.rawValue))")
        }
        // The marker `fLaC` and a block header of four bytes stand before the STREAMINFO.
        let header = sink.header
        guard header.count >= 8 + FLACStreamInfo.byteCount,
            let format = AudioFormat(
                codec: .flac, sampleRate: sampleRate, channelCount: channelCount, bitDepth: quantiser.bitDepth,
                magicCookie: Array(header[8..<8 + FLACStreamInfo.byteCount]))
        else { throw .library("libFLAC's encoder produced no STREAMINFO") }
        self.format = format
        self.framesPerPacket = blockSize
        self.handle = handle
        self.sink = sink
        self.quantiser = quantiser
        self.integers = [Int32](repeating: 0, count: blockSize * channelCount)
    }

    /// 4096 frames (85 ms at 48 kHz) from 32 kHz on; fewer below, so that the first packet never takes much longer.
    private static func blockSize(sampleRate: Int) -> Int {
        switch sampleRate {
        case ..<12_000: 1024
        case ..<32_000: 2048
        default: 4096
        }
    }

    func encode(_ samples: [Float]) throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { throw .invalidInput("the stream has ended") }
        guard samples.count % format.channelCount == 0 else { throw .invalidInput("an incomplete frame") }
        var position = 0
        while position < samples.count {
            let end = min(position + integers.count, samples.count)
            quantiser.quantise(samples[position..<end], into: &integers)
            let frames = (end - position) / format.channelCount
            guard FLAC__stream_encoder_process_interleaved(handle.pointer, integers, UInt32(frames)) != 0 else {
                throw .library("libFLAC's encoder stopped (state \(handle.state))")
            }
            position = end
        }
        return sink.takePackets()
    }

    func finish() throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { return [] }
        isFinished = true
        guard FLAC__stream_encoder_finish(handle.pointer) != 0 else {
            throw .library("libFLAC's encoder did not finish (state \(handle.state))")
        }
        return sink.takePackets()
    }
}

/// Owns libFLAC's encoder.
private struct FLACEncoderHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<FLAC__StreamEncoder>

    init() throws(CodecError) {
        guard let encoder = FLAC__stream_encoder_new() else { throw .library("libFLAC is out of memory") }
        pointer = encoder
    }

    var state: UInt32 { FLAC__stream_encoder_get_state(pointer).rawValue }

    deinit { FLAC__stream_encoder_delete(pointer) }
}
