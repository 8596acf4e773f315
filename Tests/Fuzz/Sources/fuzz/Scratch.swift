import Glibc

/// The one file that a target reads which reads files: in memory.
enum Scratch {
    private static let descriptor: CInt = {
        var name = Array("/dev/shm/tutti-fuzz-XXXXXX".utf8CString)
        defer { unlink(name) }
        return mkstemp(&name)
    }()

    /// - Returns: where the bytes are now.
    static func write(_ bytes: [UInt8]) -> String? {
        guard descriptor >= 0, ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        else { return nil }
        return "/proc/self/fd/\(descriptor)"
    }
}
