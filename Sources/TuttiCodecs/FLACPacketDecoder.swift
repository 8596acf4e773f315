import CFLAC
import TuttiCore

/// Decodes FLAC frames one by one, each as if it were the stream's first.
final class FLACPacketDecoder: PacketDecoder {
    let concealedPacketCount = 0

    private let format: AudioFormat
    private let info: FLACStreamInfo
    private let handle: FLACDecoderHandle
    private let exchange: FLACDecoderExchange

    init(format: AudioFormat) throws(CodecError) {
        let info = try FLACStreamInfo(parsing: format.magicCookie)
        guard info.sampleRate == format.sampleRate, info.channelCount == format.channelCount,
            info.bitDepth == format.bitDepth
        else {
            throw .invalidFormat(
                "STREAMINFO says \(info.sampleRate):\(info.bitDepth):\(info.channelCount), the format \(format)")
        }
        self.format = format
        self.info = info
        exchange = FLACDecoderExchange(info: info)
        handle = try FLACDecoderHandle()
        let status = FLAC__stream_decoder_init_stream(
            handle.pointer, flacDecoderRead, nil, nil, nil, nil, flacDecoderWrite, nil, flacDecoderError,
            Unmanaged.passUnretained(exchange).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw .library("libFLAC's decoder did not start (status \(status.rawValue))")
        }
        // A stream of nothing but its STREAMINFO, flagged as the last metadata block.
        let header = Array("fLaC".utf8) + [0x80, 0, 0, UInt8(FLACStreamInfo.byteCount)] + format.magicCookie
        let isRead = exchange.withInput(header) {
            FLAC__stream_decoder_process_until_end_of_metadata(handle.pointer) != 0
        }
        guard isRead, !exchange.hasFailed, handle.state == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC else {
            throw .invalidFormat("libFLAC rejected the STREAMINFO")
        }
    }

    func decode(_ buffer: SampleBuffer) throws(CodecError) -> PCMBlock {
        guard buffer.format == format else { throw .invalidFormat("the packet has another format") }
        guard buffer.frameCount > 0, buffer.frameCount <= info.maximumBlockSize else {
            throw .corruptPacket("\(buffer.frameCount) frames, but a block has \(info.maximumBlockSize) at most")
        }
        guard FLAC__stream_decoder_flush(handle.pointer) != 0 else {
            throw .library("libFLAC's decoder is stuck (state \(handle.state.rawValue))")
        }
        exchange.expect(frameCount: buffer.frameCount, trimAtStart: buffer.trimAtStart, trimAtEnd: buffer.trimAtEnd)
        _ = exchange.withInput(buffer.data) { FLAC__stream_decoder_process_single(handle.pointer) }
        guard let samples = exchange.takeSamples() else { throw .corruptPacket("not exactly one FLAC frame") }
        return PCMBlock(samples: samples, channelCount: format.channelCount, sampleRate: format.sampleRate)
    }

    /// Nothing to forget: frames do not depend on one another.
    func reset() {}
}

/// Owns libFLAC's decoder.
private struct FLACDecoderHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<FLAC__StreamDecoder>

    init() throws(CodecError) {
        guard let decoder = FLAC__stream_decoder_new() else { throw .library("libFLAC is out of memory") }
        pointer = decoder
    }

    var state: FLAC__StreamDecoderState { FLAC__stream_decoder_get_state(pointer) }

    deinit { FLAC__stream_decoder_delete(pointer) }
}
