import CFFmpeg

extension FFmpegLibrary {
    /// Gives `body` parameters of nothing to fill in, and frees them after it.
    func withParameters<Result>(
        _ body: (UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) -> Result
    ) throws(FFmpegError) -> Result {
        guard let parameters = functions.avcodec_parameters_alloc() else { throw .outOfMemory }
        defer {
            var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
            functions.avcodec_parameters_free(&owned)
        }
        return try body(parameters)
    }

    /// A decoder for a stream with these parameters. The caller frees it.
    ///
    /// - Parameter configure: sets what the parameters do not say, before it is opened.
    /// - Throws: what libavcodec says to the parameters.
    func openDecoder(
        _ codec: UnsafePointer<AVCodec>, parameters: UnsafePointer<AVCodecParameters>,
        _ configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let context = functions.avcodec_alloc_context3(codec) else { throw .outOfMemory }
        var code = functions.avcodec_parameters_to_context(context, parameters)
        if code >= 0 {
            configure(context)
            code = functions.avcodec_open2(context, codec, nil)
        }
        guard code >= 0 else {
            free(context)
            throw FFmpegError(code: code, operation: "opening the decoder")
        }
        return context
    }

    /// Frees a decoder.
    func free(_ context: UnsafeMutablePointer<AVCodecContext>) {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        functions.avcodec_free_context(&owned)
    }

    /// An empty packet. The caller frees it.
    func makePacket() throws(FFmpegError) -> UnsafeMutablePointer<AVPacket> {
        guard let packet = functions.av_packet_alloc() else { throw .outOfMemory }
        return packet
    }

    /// Frees a packet.
    func free(_ packet: UnsafeMutablePointer<AVPacket>) {
        var owned: UnsafeMutablePointer<AVPacket>? = packet
        functions.av_packet_free(&owned)
    }

    /// Puts bytes into an empty packet; `av_packet_unref` empties it again.
    ///
    /// - Throws: `.invalidData` for none, or more than a packet has room for; `.outOfMemory`.
    func fill(_ packet: UnsafeMutablePointer<AVPacket>, with data: [UInt8]) throws(FFmpegError) {
        guard !data.isEmpty, let size = Int32(exactly: data.count), size < Int32.max - AV_INPUT_BUFFER_PADDING_SIZE
        else { throw .invalidData }
        try FFmpegError.check(functions.av_new_packet(packet, size), "decoding")
        data.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count).copyMemory(from: bytes)
        }
    }
}
