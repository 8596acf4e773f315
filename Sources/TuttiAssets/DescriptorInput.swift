#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc

/// Feeds libavformat from a file descriptor that cannot seek, without ever blocking longer than a tenth of a second
/// between looks at the interrupter.
final class DescriptorInput {
    private let descriptor: Int32
    /// What keeps a pipe or device open.
    private let held: HeldInput?
    private let interrupter: Interrupter
    /// The first bytes.
    private(set) var beginning: [UInt8] = []

    private static let beginningLength = 12
    static let bufferSize: Int32 = 65_536
    private static let pollMilliseconds: Int32 = 100

    /// - Parameter descriptor: open; it stays so.
    init(descriptor: Int32, interrupter: Interrupter) {
        self.descriptor = descriptor
        self.interrupter = interrupter
        held = nil
    }

    /// A pipe or device. Whether somebody writes there already does not matter.
    init(path: String, interrupter: Interrupter) throws(AssetError) {
        let held = try HeldInput(path: path)
        (descriptor, self.held, self.interrupter) = (held.descriptor, held, interrupter)
    }

    /// A libavformat input that reads here; it does not keep this object alive. Freed by `free`.
    func makeContext() -> UnsafeMutablePointer<AVIOContext>? {
        guard let memory = av_malloc(Int(Self.bufferSize)) else { return nil }
        let context = avio_alloc_context(
            memory.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, Unmanaged.passUnretained(self).toOpaque(),
            { opaque, buffer, size in
                guard let opaque, let buffer else { return tutti_averror(EINVAL) }
                return Unmanaged<DescriptorInput>.fromOpaque(opaque).takeUnretainedValue().read(
                    into: UnsafeMutableRawPointer(buffer), size: size)
            }, nil, nil)
        if context == nil { av_free(memory) }
        return context
    }

    static func free(_ context: UnsafeMutablePointer<AVIOContext>) {
        av_free(context.pointee.buffer)
        context.pointee.buffer = nil
        var owned: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&owned)
    }

    private func read(into buffer: UnsafeMutableRawPointer, size: Int32) -> Int32 {
        guard size > 0 else { return tutti_averror(EINVAL) }
        while !interrupter.shouldStop {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, Self.pollMilliseconds)
            // To a reader that came after its last writer had gone, a pipe never tells that it is over: reading it
            // does.
            let mayBeOver = held != nil && ready == 0 && !beginning.isEmpty
            if ready == 0 && !mayBeOver || (ready < 0 && errno == EINTR) { continue }
            if ready < 0 { return tutti_averror(errno) }
            let count = Glibc.read(descriptor, buffer, Int(size))
            if count > 0 {
                noteBeginning(UnsafeRawBufferPointer(start: buffer, count: count))
                return Int32(count)
            }
            if count == 0 { return tutti_averror_eof() }
            if errno != EINTR && errno != EAGAIN { return tutti_averror(errno) }
        }
        return tutti_averror_exit()
    }

    private func noteBeginning(_ bytes: UnsafeRawBufferPointer) {
        let missing = Self.beginningLength - beginning.count
        if missing > 0 { beginning += bytes.prefix(missing) }
    }
}
#endif
