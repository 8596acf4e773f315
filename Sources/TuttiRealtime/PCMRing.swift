import Synchronization

/// A lock-free ring of interleaved stereo floats between one writer (a decode worker) and one reader (a render
/// thread).
///
/// Frames are numbered from 0 at the last `reset`; the numbers never wrap in practice, so the index of the frame that
/// the reader stands at is exact. The reader may step back over the last `retainedFrames` frames: they are given to
/// the writer only once they lie further behind. Frames take memory from when they are first written.
///
/// RT on the reading side: no allocation, no lock.
package struct PCMRing: ~Copyable {
    /// Frames that fit, retained ones included; a power of two.
    package let capacity: Int
    private let memory: LazyMemory
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    /// Frames the writer has put in; stored by the writer only.
    private let written = Atomic<Int64>(0)
    /// Frames the reader has given back; stored by the reader only.
    private let released = Atomic<Int64>(0)
    /// Where the reader stands; stored by the reader only.
    private let cursor = Atomic<Int64>(0)
    /// Frames kept behind the reader; changed by `reset` only.
    private let retained = Atomic<Int64>(0)

    /// A ring of at least `minimumFrames` frames, rounded up to a power of two (256 … 2²⁴).
    package init(minimumFrames: Int) {
        var size = 256
        while size < minimumFrames && size < 1 << 24 { size *= 2 }
        capacity = size
        mask = size - 1
        memory = LazyMemory(count: 2 * size)
        samples = memory.floats
    }

    /// Empties the ring and starts numbering at 0. Only while neither side uses it.
    package func reset(retainedFrames: Int = 0) {
        retained.store(Int64(min(max(0, retainedFrames), capacity / 2)), ordering: .relaxed)
        cursor.store(0, ordering: .relaxed)
        released.store(0, ordering: .relaxed)
        written.store(0, ordering: .releasing)
    }

    /// Empties the ring and lets the system have its memory. Only while neither side uses it.
    package func giveBack() {
        guard framesWritten > 0 else { return }
        reset()
        memory.giveBack()
    }

    /// Frames written since the reset and not taken back.
    package var framesWritten: Int64 { written.load(ordering: .acquiring) }

    /// The index of the frame that the reader reads next.
    package var readIndex: Int64 { cursor.load(ordering: .acquiring) }

    /// The oldest frame that the reader may still step back to.
    package var oldestIndex: Int64 { released.load(ordering: .acquiring) }

    /// Frames from the reader's place to the writer's.
    package var readableFrames: Int { Int(max(0, framesWritten - readIndex)) }

    /// Frames that the writer may put in now.
    package var writableFrames: Int {
        capacity - Int(written.load(ordering: .relaxed) - released.load(ordering: .acquiring))
    }

    // MARK: writer

    /// Puts in as many of the interleaved stereo frames of `source` as fit, and returns how many.
    package func write(_ source: Span<Float>) -> Int {
        source.withUnsafeBufferPointer { buffer in
            let count = min(buffer.count / 2, writableFrames)
            guard count > 0, let base = buffer.baseAddress else { return 0 }
            let start = written.load(ordering: .relaxed)
            let offset = Int(start) & mask
            let first = min(count, capacity - offset)
            (samples + 2 * offset).update(from: base, count: 2 * first)
            samples.update(from: base + 2 * first, count: 2 * (count - first))
            written.store(start + Int64(count), ordering: .releasing)
            return count
        }
    }

    /// Puts in up to `frames` frames of silence, and returns how many fitted.
    package func writeSilence(frames: Int) -> Int {
        let count = min(max(0, frames), writableFrames)
        let start = written.load(ordering: .relaxed)
        let offset = Int(start) & mask
        let first = min(count, capacity - offset)
        (samples + 2 * offset).update(repeating: 0, count: 2 * first)
        samples.update(repeating: 0, count: 2 * (count - first))
        written.store(start + Int64(count), ordering: .releasing)
        return count
    }

    /// Takes back the frames from `frame` on, which were written already, unless the reader is nearer to it than
    /// `margin` frames, or past it: it may have seen how many there were. The reader must not come half as far in one
    /// go.
    ///
    /// - Returns: whether the next frame written is number `frame`.
    package func takeBack(from frame: Int64, margin: Int64) -> Bool {
        let end = written.load(ordering: .relaxed)
        guard frame >= 0, frame <= end, frame - readIndex >= margin else { return false }
        written.store(frame, ordering: .sequentiallyConsistent)
        guard frame - cursor.load(ordering: .sequentiallyConsistent) < margin / 2 else { return true }
        // This thread was kept waiting in between; the frames are still there.
        written.store(end, ordering: .releasing)
        return false
    }

    // MARK: reader (RT)

    /// The frames to read next that lie together in memory, at most `limit`; the rest follows after `consume`.
    package func readableSpan(limit: Int) -> UnsafeBufferPointer<Float> {
        let offset = Int(cursor.load(ordering: .relaxed)) & mask
        let count = min(limit, min(readableFrames, capacity - offset))
        return UnsafeBufferPointer(start: samples + 2 * offset, count: 2 * max(0, count))
    }

    /// Steps over `frames` frames, at most as many as are readable.
    package func consume(_ frames: Int) {
        seek(to: cursor.load(ordering: .relaxed) + Int64(max(0, frames)))
    }

    /// Puts the reader at `index`, held inside what the ring has; returns where it stands then.
    @discardableResult
    package func seek(to index: Int64) -> Int64 {
        let oldest = released.load(ordering: .relaxed)
        let place = min(max(index, oldest), written.load(ordering: .acquiring))
        cursor.store(place, ordering: .releasing)
        let release = place - retained.load(ordering: .relaxed)
        if release > oldest { released.store(release, ordering: .releasing) }
        return place
    }
}
