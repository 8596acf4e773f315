import CLab
import Glibc

/// The switch's end of one cable: a packet socket on a veth interface, and a batch in each direction.
///
/// Used by the switch's thread alone.
final class PacketPort {
    /// A frame that has arrived.
    struct Arrival {
        var slot: Int32
        /// 0 for a frame that was too long for a slot.
        var length: UInt32
        /// Nanoseconds of CLOCK_REALTIME by the kernel's stamp, 0 without one.
        var stamp: Int64
    }

    /// Frames of a full batch.
    static let batch = Int(CLAB_BATCH)
    /// The kernel's queue of arrived frames: more than a quarter of a second of 100 Mbit/s.
    private static let receiveBufferBytes: Int32 = 16 << 20

    let descriptor: Int32
    private let slots = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * batch)
    private let lengths = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * batch)
    private let stamps = UnsafeMutablePointer<Int64>.allocate(capacity: batch)
    private var staged = 0

    /// Opens the interface in the calling thread's network namespace.
    init(interface: String) throws(LabError) {
        descriptor = clab_packet_open(interface, Self.receiveBufferBytes)
        guard descriptor >= 0 else { throw .system(call: "packet socket on \(interface)", errno: -descriptor) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        slots.deallocate()
        lengths.deallocate()
        stamps.deallocate()
    }

    /// Receives up to a batch of frames into free slots. Returns how many; they are read with `arrival`, and their
    /// slots are the caller's.
    func receive(into pool: FramePool) -> Int {
        var wanted = 0
        while wanted < Self.batch, let slot = pool.take() {
            slots[wanted] = slot
            wanted += 1
        }
        let outcome = clab_packet_receive(
            descriptor, pool.memory, UInt32(FramePool.slotBytes), slots, Int32(wanted), lengths, stamps)
        let received = max(Int(outcome), 0)
        while wanted > received {
            wanted -= 1
            pool.giveBack(slots[wanted])
        }
        return received
    }

    /// The frame at `index` of the batch that was received last.
    func arrival(_ index: Int) -> Arrival {
        Arrival(slot: slots[index], length: lengths[index], stamp: stamps[index])
    }

    /// Adds a frame to the batch to send; true when the batch is full and wants `flush`.
    func stage(_ frame: WaitingFrame) -> Bool {
        slots[Self.batch + staged] = frame.slot
        lengths[Self.batch + staged] = frame.length
        staged += 1
        return staged == Self.batch
    }

    /// Sends the staged batch and gives its slots back. Returns how many frames the interface did not take.
    func flush(_ pool: FramePool) -> Int {
        var done = 0
        var refused = 0
        while done < staged {
            let sent = clab_packet_send(
                descriptor, pool.memory, UInt32(FramePool.slotBytes), slots + Self.batch + done,
                lengths + Self.batch + done, Int32(staged - done))
            if sent <= 0 { refused += 1 }
            done += max(Int(sent), 1)
        }
        for index in 0..<staged { pool.giveBack(slots[Self.batch + index]) }
        staged = 0
        return refused
    }
}
