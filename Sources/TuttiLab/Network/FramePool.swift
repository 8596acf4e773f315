/// Memory for the frames under way, in slots of equal size; taken and given back without allocation.
///
/// Used by the switch's thread alone.
final class FramePool {
    /// Bytes of a slot: an Ethernet frame at the usual MTU with VLAN tag, rounded up.
    static let slotBytes = 2048

    let memory: UnsafeMutablePointer<UInt8>
    private let free: UnsafeMutablePointer<Int32>
    private(set) var freeCount: Int

    /// - Parameter slots: frames that can be under way at once.
    init(slots: Int) {
        // The kernel gives the pages as they are first touched; the free list is a stack, so few are.
        memory = .allocate(capacity: slots * Self.slotBytes)
        free = .allocate(capacity: slots)
        for index in 0..<slots { free[index] = Int32(slots - 1 - index) }
        freeCount = slots
    }

    deinit {
        memory.deallocate()
        free.deallocate()
    }

    /// A free slot, nil when all are taken.
    func take() -> Int32? {
        guard freeCount > 0 else { return nil }
        freeCount -= 1
        return free[freeCount]
    }

    /// Gives back a slot that `take` gave.
    func giveBack(_ slot: Int32) {
        free[freeCount] = slot
        freeCount += 1
    }

    /// The first byte of a slot.
    func bytes(of slot: Int32) -> UnsafeMutablePointer<UInt8> {
        memory + Int(slot) * Self.slotBytes
    }
}
