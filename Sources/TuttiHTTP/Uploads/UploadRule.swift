/// A file that somebody has sent.
package struct Upload: Sendable, Equatable {
    /// The file.
    package let path: String
    package let bytes: Int
    /// When it was there, in seconds since 1970.
    package let time: Int

    package init(path: String, bytes: Int, time: Int) {
        self.path = path
        self.bytes = bytes
        self.time = time
    }
}

/// Which files stay when there are many.
///
/// A file that a queue or a schedule names always stays. Any other goes once it is a week old; when there is no room
/// for a new one, the oldest go first, except those of the last hour, which somebody may be about to play.
package struct UploadRule: Sendable {
    /// Bytes of one file.
    package var fileBytes = 1 << 30
    /// Bytes of all files together, and how many there may be.
    package var (totalBytes, count) = (4 << 30, 1_000)
    /// Bytes that the disk keeps free for what matters more: the service's store, and the logs.
    package var spareBytes = 256 << 20
    /// Seconds after which a file goes that nothing needs, and before which it does not.
    package var (longest, shortest) = (7 * 86_400, 3_600)

    package init() {}

    /// The files that go, the oldest first, before one of `bytes` comes; nil if there is no room even then.
    ///
    /// - Parameters:
    ///   - needed: paths that a queue or a schedule names.
    ///   - reserved: bytes and number of files that are just coming.
    package func leaving(
        _ uploads: [Upload], needed: Set<String>, for bytes: Int, reserved: (bytes: Int, count: Int) = (0, 0),
        at now: Int
    ) -> [Upload]? {
        var total = uploads.reduce(reserved.bytes) { $0 + $1.bytes }
        var count = uploads.count + reserved.count
        var leaving: [Upload] = []
        for upload in uploads.sorted(by: { $0.time < $1.time }) where !needed.contains(upload.path) {
            let age = now - upload.time
            let isFull = total + bytes > totalBytes || count >= self.count
            guard age > longest || isFull && age > shortest else { continue }
            leaving.append(upload)
            total -= upload.bytes
            count -= 1
        }
        return total + bytes <= totalBytes && count < self.count ? leaving : nil
    }
}
