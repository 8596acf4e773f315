#if FFmpeg
import Glibc

/// What an MP3's encoder says of the frames that it added. libavformat drops them, and still counts them in the
/// duration.
enum LAMETag {
    /// Where the first frame is looked for behind the tags, and how much of it holds the encoder's own.
    private static let (reach, length) = (64 << 10, 256)
    /// Programs whose padding libavformat takes away.
    private static let writers = ["LAME", "Lavf", "Lavc"]

    /// Frames before the first one that is heard and after the last; nil for a file without such a tag.
    static func paddedFrames(of path: String) -> Int64? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let start = read(descriptor, at: 0, count: 10)
        return paddedFrames(in: read(descriptor, at: sizeOfTags(start), count: reach + length))
    }

    /// The bytes of an ID3v2 tag at the beginning.
    private static func sizeOfTags(_ start: [UInt8]) -> Int {
        guard start.count == 10, start.starts(with: "ID3".utf8) else { return 0 }
        let size = start[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return size + (start[5] & 0x10 == 0 ? 10 : 20)
    }

    /// The same from the bytes that begin with the first frame, or with something before it.
    static func paddedFrames(in bytes: [UInt8]) -> Int64? {
        let places = bytes.indices.prefix(reach)
        guard let frame = places.first(where: { bytes[$0] == 0xFF && MPEGHeader.read(bytes[$0...]) != nil })
        else { return nil }
        let (isOne, isMono) = (bytes[frame + 1] & 0x08 != 0, bytes[frame + 3] >> 6 == 3)
        let tag = bytes[frame...].dropFirst(4 + (isOne ? (isMono ? 17 : 32) : (isMono ? 9 : 17)))
        guard ["Xing", "Info"].contains(where: { tag.starts(with: $0.utf8) }), tag.count > 8 else { return nil }
        let flags = tag[tag.startIndex + 7]
        let sizes = [4, 4, 100, 4].enumerated().map { flags >> $0.offset & 1 == 1 ? $0.element : 0 }
        let own = tag.dropFirst(8 + sizes.reduce(0, +))
        guard own.count >= 24, writers.contains(where: { own.starts(with: $0.utf8) }) else { return nil }
        let pads = own.dropFirst(21).prefix(3).reduce(0) { $0 << 8 | Int64($1) }
        return pads >> 12 + pads & 0xFFF
    }

    private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            filled = max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
        }
    }
}
#endif
