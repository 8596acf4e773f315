import Glibc
import TuttiCore

extension WAVHeader {
    /// The size in bytes that the first bytes of a WAV file promise; libavformat quietly takes the file's own length
    /// for it.
    ///
    /// - Returns: nil for an unknown size, another kind of file, and none.
    static func promisedSize(ofFileAt path: String) -> Int64? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var first = [UInt8](repeating: 0, count: 8)
        return pread(descriptor, &first, first.count, 0) == first.count ? promisedSize(first) : nil
    }
}
