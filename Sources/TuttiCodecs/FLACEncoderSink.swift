import CFLAC

/// Where libFLAC's encoder puts what it writes: the stream's header first, then frame by frame.
final class FLACEncoderSink {
    private(set) var header: [UInt8] = []
    private var packets: [EncodedPacket] = []

    /// The packets since the last call.
    func takePackets() -> [EncodedPacket] {
        defer { packets.removeAll(keepingCapacity: true) }
        return packets
    }

    /// Takes one write; libFLAC counts no frames for metadata and writes each frame in one piece.
    fileprivate func write(_ bytes: UnsafeBufferPointer<UInt8>, frameCount: Int) {
        if frameCount == 0 {
            header.append(contentsOf: bytes)
        } else {
            packets.append(
                EncodedPacket(data: Array(bytes), frameCount: frameCount, trimAtStart: 0, trimAtEnd: 0))
        }
    }
}

/// libFLAC's write callback; the client data is a `FLACEncoderSink` that outlives the encoder's calls.
let flacEncoderWrite: FLAC__StreamEncoderWriteCallback = { _, buffer, count, frames, _, client in
    guard let buffer, let client else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
    Unmanaged<FLACEncoderSink>.fromOpaque(client).takeUnretainedValue()
        .write(UnsafeBufferPointer(start: buffer, count: count), frameCount: Int(frames))
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
}
