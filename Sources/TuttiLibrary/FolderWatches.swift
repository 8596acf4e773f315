import Glibc
import TuttiHost

/// What the kernel tells of changes in folders (inotify(7)). Used by one thread.
struct FolderWatches: ~Copyable {
    /// What was told since the last time.
    struct Changes {
        /// Roots in which something has changed.
        var roots: Set<Int64> = []
        /// Whether more has changed than the kernel kept.
        var isOverflown = false
    }

    let descriptor: Int32
    private var roots: [Int32: Int64] = [:]
    /// Whether the kernel has taken no more folders.
    private(set) var isFull = false

    private static let events =
        UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    /// - Throws: `HostError.system` when the kernel gives none.
    init() throws(HostError) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { throw .system(action: "watch folders", code: errno) }
    }

    deinit { close(descriptor) }

    /// Watches a folder.
    ///
    /// - Returns: whether it was not watched before.
    mutating func add(_ path: String, of root: Int64) -> Bool {
        let watch = inotify_add_watch(descriptor, path, Self.events)
        guard watch >= 0 else {
            if errno == ENOSPC { isFull = true }
            return false
        }
        return roots.updateValue(root, forKey: watch) == nil
    }

    /// Takes what has been told.
    mutating func changes() -> Changes {
        var changes = Changes()
        while true {
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            guard !bytes.isEmpty else { return changes }
            bytes.withUnsafeBytes { note($0, &changes) }
        }
    }

    private mutating func note(_ bytes: UnsafeRawBufferPointer, _ changes: inout Changes) {
        let size = MemoryLayout<inotify_event>.size
        var place = 0
        while place + size <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
            place += size + Int(event.len)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.isOverflown = true }
            if let root = roots[event.wd] { changes.roots.insert(root) }
            if event.mask & UInt32(IN_IGNORED) != 0 { roots[event.wd] = nil }
        }
    }

    private static let bufferSize = 65_536
}
