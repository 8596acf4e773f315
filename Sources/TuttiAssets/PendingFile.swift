import Glibc
import Synchronization
import TuttiCore

/// A file that is written under a name of its own, beside the one that it takes when it is complete.
///
/// Dropped before that, it is removed. Used by one thread at a time.
final class PendingFile {
    let path: String
    private let temporary: String
    private var descriptor: Int32
    private let replacing: Bool
    /// The first `errno` of a failed write; 0 while there is none.
    private(set) var failure: Int32 = 0
    /// Where the file ends.
    private(set) var size: Int64 = 0

    private static let counter = Atomic<UInt64>(0)

    /// Begins a file.
    ///
    /// - Parameter replacing: whether a file of that name may be replaced.
    /// - Throws: `.exists`, `.unwritable`.
    init(_ path: String, replacing: Bool) throws(AudioFileError) {
        try Self.check(path, replacing: replacing)
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let folder = slash.map { String(path[...$0]) } ?? ""
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        // What is hidden is in nobody's way; a long name is cut, so that this one is not too long.
        temporary = "\(folder).\(name.unicodeScalars.prefix(40).map(String.init).joined()).\(getpid()).\(number).part"
        descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .unwritable(path, reason: Self.text(errno)) }
        self.path = path
        self.replacing = replacing
    }

    deinit { discard() }

    /// - Throws: why no file can have this name.
    static func check(_ path: String, replacing: Bool) throws(AudioFileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .unwritable(path, reason: "this is no file's name") }
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A link that leads nowhere would be replaced, too.
            if errno == ENOENT, lstat(path, &status) != 0 { return }
            throw .unwritable(path, reason: text(errno))
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw .unwritable(path, reason: "this is a folder")
        case S_IFREG where !replacing: throw .exists(path)
        case S_IFREG: break
        default: throw .unwritable(path, reason: "this is no ordinary file")
        }
    }

    /// Writes bytes at a place of the file; false once anything has failed.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        guard failure == 0, descriptor >= 0 else { return false }
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset) + done)
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                failure = count == 0 ? ENOSPC : errno
                return false
            }
        }
        size = max(size, offset + Int64(bytes.count))
        return true
    }

    /// Gives the file its name.
    ///
    /// - Throws: `.unwritable` with what failed first; the file is removed then.
    func commit() throws(AudioFileError) {
        guard descriptor >= 0 else { throw .closed(path) }
        // Some file systems tell only now that there is no room.
        if failure == 0, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
        if close(descriptor) != 0, failure == 0, errno != EINTR { failure = errno }
        descriptor = -1
        do throws(AudioFileError) {
            if failure != 0 { throw .unwritable(path, reason: Self.text(failure)) }
            try Self.check(path, replacing: replacing)
            guard rename(temporary, path) == 0 else { throw .unwritable(path, reason: Self.text(errno)) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the file, unless it has its name already.
    func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(temporary)
    }

    /// What `failure` means; nil while there is none.
    var error: AudioFileError? { failure == 0 ? nil : .unwritable(path, reason: Self.text(failure)) }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
