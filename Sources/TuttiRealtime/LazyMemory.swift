import Glibc

/// Floats that take no memory before they are written, nor after they have been given back. They begin as zeros.
///
/// Guard: whoever owns it says which thread may write or give back.
struct LazyMemory: ~Copyable {
    /// Below this many bytes it is no use to have pages of one's own.
    private static let smallest = 64 << 10

    let floats: UnsafeMutablePointer<Float>
    private let byteCount: Int
    private let isMapped: Bool

    /// Memory for `count` floats.
    init(count: Int) {
        byteCount = max(1, count) * MemoryLayout<Float>.stride
        if byteCount >= Self.smallest, let pages = Self.map(byteCount) {
            (floats, isMapped) = (pages, true)
        } else {
            floats = .allocate(capacity: max(1, count))
            floats.initialize(repeating: 0, count: max(1, count))
            isMapped = false
        }
    }

    deinit {
        if isMapped {
            munmap(floats, byteCount)
        } else {
            floats.deallocate()
        }
    }

    /// Lets the system have the pages; what is read before it is written anew may be anything.
    func giveBack() {
        guard isMapped, madvise(floats, byteCount, MADV_DONTNEED) != 0 else { return }
        // Where the process's pages are locked in memory; Linux 5.18.
        madvise(floats, byteCount, MADV_DONTNEED_LOCKED)
    }

    /// Pages from the system, which a C library would clear, and so take, when it has used them before.
    private static func map(_ byteCount: Int) -> UnsafeMutablePointer<Float>? {
        let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages, pages != MAP_FAILED else { return nil }
        // One page of 2 MiB would be all of it, and a neighbour's.
        madvise(pages, byteCount, MADV_NOHUGEPAGE)
        return pages.bindMemory(to: Float.self, capacity: byteCount / MemoryLayout<Float>.stride)
    }
}
