import CPipeWire

/// What PipeWire gives a stream of a program.
enum StreamBuffers {
    /// Takes all that is there: interleaved stereo. RT.
    @inline(__always)
    static func take(from stream: OpaquePointer, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        while let buffer = pw_stream_dequeue_buffer(stream) {
            if let inner = buffer.pointee.buffer, inner.pointee.n_datas > 0, let data = inner.pointee.datas,
                let memory = data.pointee.data, let chunk = data.pointee.chunk
            {
                let offset = min(chunk.pointee.offset, data.pointee.maxsize)
                let size = min(chunk.pointee.size, data.pointee.maxsize - offset)
                let samples = memory.advanced(by: Int(offset)).assumingMemoryBound(to: Float.self)
                body(UnsafeBufferPointer(start: samples, count: Int(size) / MemoryLayout<Float>.size & ~1))
            }
            pw_stream_queue_buffer(stream, buffer)
        }
    }
}
