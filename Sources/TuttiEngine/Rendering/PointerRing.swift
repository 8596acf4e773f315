import Synchronization

/// A lock-free queue of pointers between one writer and one reader. It owns none of them.
///
/// RT on both sides: no allocation, no lock.
struct PointerRing: ~Copyable {
    let capacity: Int
    private let slots: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    /// - Precondition: `capacity` is a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a power of two")
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: nil, count: capacity)
    }

    deinit { slots.deallocate() }

    /// The number of the pointer that is taken next; they are numbered from 0.
    var readIndex: Int { taken.load(ordering: .acquiring) }
    /// The number of the pointer that is put in next.
    var writeIndex: Int { written.load(ordering: .acquiring) }
    var hasRoom: Bool { writeIndex - readIndex < capacity }

    /// - Returns: false when it is full.
    func push(_ pointer: UnsafeMutableRawPointer) -> Bool {
        let index = written.load(ordering: .relaxed)
        guard index - taken.load(ordering: .acquiring) < capacity else { return false }
        slots[index & (capacity - 1)] = pointer
        written.store(index + 1, ordering: .releasing)
        return true
    }

    func pop() -> UnsafeMutableRawPointer? {
        let index = taken.load(ordering: .relaxed)
        guard index < written.load(ordering: .acquiring) else { return nil }
        let pointer = slots[index & (capacity - 1)]
        taken.store(index + 1, ordering: .releasing)
        return pointer
    }

    /// Looks at pointer number `index`, for the reader.
    func peek(_ index: Int) -> UnsafeMutableRawPointer? {
        index >= readIndex && index < writeIndex ? slots[index & (capacity - 1)] : nil
    }
}
