import Synchronization

/// Room for one pointer on its way from one thread to another. It does not own it.
///
/// RT: no allocation, no lock.
package struct PointerSlot: ~Copyable {
    /// An empty one.
    package init() {}

    private let bits = Atomic<UInt>(0)

    /// Whether there is nothing to take.
    package var isEmpty: Bool { bits.load(ordering: .relaxed) == 0 }

    /// Takes the pointer out.
    package func take() -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: exchange(0)) }

    /// Puts a pointer in, and gives the one that has not been taken.
    package func put(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: exchange(UInt(bitPattern: pointer)))
    }

    /// Numbers, and not inlined: an exchange of pointers is more than the compiler bears under the thread sanitizer.
    @inline(never)
    private func exchange(_ new: UInt) -> UInt { bits.exchange(new, ordering: .acquiringAndReleasing) }
}
