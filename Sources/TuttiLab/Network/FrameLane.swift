/// A frame that waits for its time.
package struct WaitingFrame: Sendable, Equatable {
    /// Nanoseconds since the switch started.
    package var due: Int64
    /// Its place in the pool.
    package var slot: Int32
    package var length: UInt32
    /// Worth the processor time of hitting `due` within a microsecond or so.
    package var isPrecise: Bool

    package init(due: Int64, slot: Int32, length: UInt32, isPrecise: Bool) {
        self.due = due
        self.slot = slot
        self.length = length
        self.isPrecise = isPrecise
    }
}

/// The frames under way from one port to another, in order.
///
/// Used by the switch's thread alone.
package struct FrameLane: Sendable {
    private var ring: [WaitingFrame]
    private var head = 0
    private var tail = 0
    /// Index of the first precise frame, `tail` when there is none.
    private var precise = 0
    private var lastDue = Int64.min

    package init() {
        ring = Array(repeating: WaitingFrame(due: 0, slot: 0, length: 0, isPrecise: false), count: 64)
    }

    package var isEmpty: Bool { head == tail }

    /// When the first frame is due; the far future for an empty lane.
    package var nextDue: Int64 { isEmpty ? .max : ring[head & (ring.count - 1)].due }

    /// When the first precise frame is due; the far future when there is none.
    package var nextPreciseDue: Int64 { precise == tail ? .max : ring[precise & (ring.count - 1)].due }

    /// Puts a frame at the end; it becomes due no earlier than the one before it.
    package mutating func append(_ frame: WaitingFrame) {
        if tail - head == ring.count { grow() }
        var frame = frame
        frame.due = max(frame.due, lastDue)
        lastDue = frame.due
        ring[tail & (ring.count - 1)] = frame
        if precise == tail, !frame.isPrecise { precise += 1 }
        tail += 1
    }

    /// Takes the first frame. The lane must not be empty.
    package mutating func removeFirst() -> WaitingFrame {
        let frame = ring[head & (ring.count - 1)]
        head += 1
        if precise < head {
            precise = head
            while precise < tail, !ring[precise & (ring.count - 1)].isPrecise { precise += 1 }
        }
        return frame
    }

    private mutating func grow() {
        var larger = Array(repeating: ring[0], count: ring.count * 2)
        for index in head..<tail { larger[index & (larger.count - 1)] = ring[index & (ring.count - 1)] }
        ring = larger
    }
}
