import Glibc

/// The length that the first bytes of a WAV file promise; libavformat quietly takes the file's own length for it.
enum WAVHeader {
    /// Programs that write to a pipe put lengths at or above this where they do not know it.
    private static let unknownLength: UInt32 = 0x7FFF_0000

    /// The size that the file should have; nil for an unknown one or another kind of file.
    static func fileSize(of path: String) -> Int64? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 8)
        guard pread(descriptor, &header, header.count, 0) == header.count, header.starts(with: Array("RIFF".utf8))
        else {
            return nil
        }
        let length = header[4...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return length == 0 || length >= unknownLength ? nil : Int64(length) + 8
    }
}
