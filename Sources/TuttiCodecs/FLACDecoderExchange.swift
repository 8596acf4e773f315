import CFLAC

/// What goes to and fro between `FLACPacketDecoder` and libFLAC's callbacks during one call.
final class FLACDecoderExchange {
    private let info: FLACStreamInfo
    private var input: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var frameCount = 0
    private var trimAtStart = 0
    private var trimAtEnd = 0
    private var samples: [Float]?
    /// Whether libFLAC complained since the last `expect`.
    private(set) var hasFailed = false

    init(info: FLACStreamInfo) {
        self.info = info
        input = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Sets what the next frame must be and which part of it is wanted.
    func expect(frameCount: Int, trimAtStart: Int, trimAtEnd: Int) {
        self.frameCount = frameCount
        self.trimAtStart = trimAtStart
        self.trimAtEnd = trimAtEnd
        samples = nil
        hasFailed = false
    }

    /// Lends `bytes` to the read callback while `body` runs.
    func withInput<Result>(_ bytes: [UInt8], _ body: () -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            input = buffer
            position = 0
            defer { input = UnsafeBufferPointer(start: nil, count: 0) }
            return body()
        }
    }

    /// The frame's samples, interleaved, unless the frame was damaged or not the one expected.
    func takeSamples() -> [Float]? {
        defer { samples = nil }
        return hasFailed ? nil : samples
    }

    fileprivate func read(into output: UnsafeMutablePointer<UInt8>, atMost count: Int) -> Int {
        guard let base = input.baseAddress else { return 0 }
        let taken = min(count, input.count - position)
        output.update(from: base + position, count: taken)
        position += taken
        return taken
    }

    fileprivate func fail() { hasFailed = true }

    fileprivate func write(
        _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<Int32>?>
    ) {
        guard samples == nil, Int(header.blocksize) == frameCount, Int(header.channels) == info.channelCount,
            Int(header.bits_per_sample) == info.bitDepth, Int(header.sample_rate) == info.sampleRate
        else { return fail() }
        let first = trimAtStart
        let frames = frameCount - trimAtStart - trimAtEnd
        let width = info.channelCount
        let scale = 1 / Float(sign: .plus, exponent: info.bitDepth - 1, significand: 1)
        samples = [Float](unsafeUninitializedCapacity: frames * width) { output, count in
            for channel in 0..<width {
                guard let source = channels[channel], let target = output.baseAddress else { return }
                for frame in 0..<frames { target[frame * width + channel] = Float(source[first + frame]) * scale }
            }
            count = frames * width
        }
        // Also catches a missing channel: the array is then empty.
        if samples?.count != frames * width { fail() }
    }
}

/// libFLAC's read callback; the client data is a `FLACDecoderExchange` that outlives the decoder's calls.
let flacDecoderRead: FLAC__StreamDecoderReadCallback = { _, buffer, count, client in
    guard let buffer, let count, let client else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    let exchange = Unmanaged<FLACDecoderExchange>.fromOpaque(client).takeUnretainedValue()
    count.pointee = exchange.read(into: buffer, atMost: count.pointee)
    return count.pointee == 0
        ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

/// libFLAC's write callback: one decoded frame.
let flacDecoderWrite: FLAC__StreamDecoderWriteCallback = { _, frame, channels, client in
    guard let frame, let channels, let client else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
    Unmanaged<FLACDecoderExchange>.fromOpaque(client).takeUnretainedValue().write(frame.pointee.header, channels)
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

/// libFLAC's error callback: damage of any kind.
let flacDecoderError: FLAC__StreamDecoderErrorCallback = { _, _, client in
    guard let client else { return }
    Unmanaged<FLACDecoderExchange>.fromOpaque(client).takeUnretainedValue().fail()
}
