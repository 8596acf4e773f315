import Glibc
import TuttiHost

/// The store's file, and those that SQLite keeps beside it.
package enum StoreFile {
    private static let header = Array("SQLite format 3\0".utf8)
    /// The suffixes of the file and its companions.
    private static let suffixes = ["", "-wal", "-shm"]

    /// What is wrong with a file at first sight, before SQLite sees it: that would take the log of an empty one for a
    /// leftover.
    package static func flaw(of path: String) -> StoreFlaw? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // After the header follow two bytes of page size, and the versions that may write and read it.
        var bytes = [UInt8](repeating: 0, count: header.count + 4)
        let count = read(descriptor, &bytes, bytes.count)
        if count == 0 { return exists(path + "-wal") ? .unreadable("it is empty, but its log is not") : nil }
        let isDatabase =
            count == bytes.count && bytes.starts(with: header) && bytes.suffix(2).allSatisfy { (1...2).contains($0) }
        return isDatabase ? nil : .unreadable("it is not an SQLite database")
    }

    /// Whether there is a store that is not empty.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Gives a store another name, beside its own.
    ///
    /// - Returns: a line that says so, and where the store is now.
    /// - Throws: `StoreError` when it cannot be renamed.
    static func setAside(_ path: String, because flaw: StoreFlaw) throws(StoreError) -> (remark: String, path: String) {
        let stem = path.hasSuffix(".sqlite") ? String(path.dropLast(7)) : path
        var number = 1
        var target: String { "\(stem)-\(flaw.word)-\(number).sqlite" }
        while suffixes.contains(where: { access(target + $0, F_OK) == 0 }) { number += 1 }
        for suffix in suffixes where access(path + suffix, F_OK) == 0 {
            guard rename(path + suffix, target + suffix) == 0 else {
                throw .unusable(
                    "the store \(path) \(flaw) and cannot be renamed: \(HostError.text(ofErrno: errno))")
            }
        }
        return ("the store \(path) \(flaw); it was renamed to \(target), and a new store was created", target)
    }
}
