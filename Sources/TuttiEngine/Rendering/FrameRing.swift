import Synchronization
import TuttiEffects

/// A lock-free ring of planar frames between one writer and one reader.
///
/// RT on both sides: no allocation, no lock.
struct FrameRing: ~Copyable {
    let capacity: Int
    private let memory: PlaneMemory
    private let written = Atomic<Int64>(0)
    private let consumed = Atomic<Int64>(0)

    /// A ring of at least `frames` frames, rounded up to a power of two (at most 2²⁴).
    init(channels: Int, frames: Int) {
        var size = 64
        while size < frames && size < 1 << 24 { size *= 2 }
        capacity = size
        memory = PlaneMemory(channels: channels, frames: size)
    }

    var channelCount: Int { memory.planes.count }
    /// Frames for the reader.
    var readable: Int { Int(written.load(ordering: .acquiring) - consumed.load(ordering: .acquiring)) }
    /// Room for the writer.
    var writable: Int { capacity - readable }
    /// Frames that the reader has taken.
    var readIndex: Int64 { consumed.load(ordering: .acquiring) }

    /// Puts in frames `offset` … of `source`, as many as fit; says how many.
    func write(_ source: Planes, from offset: Int = 0, frames: Int) -> Int {
        let count = min(frames, writable)
        guard count > 0 else { return 0 }
        let start = written.load(ordering: .relaxed)
        let place = Int(start) & (capacity - 1)
        let first = min(count, capacity - place)
        memory.planes.copyPart(source, from: offset, at: place, frames: first)
        memory.planes.copyPart(source, from: offset + first, at: 0, frames: count - first)
        written.store(start + Int64(count), ordering: .releasing)
        return count
    }

    /// Copies out as many frames as there are, at most `frames`, and gives them back unless `keeping`.
    func read(into output: Planes, at offset: Int, frames: Int, keeping: Bool = false) -> Int {
        let count = min(frames, readable)
        guard count > 0 else { return 0 }
        let start = consumed.load(ordering: .relaxed)
        let place = Int(start) & (capacity - 1)
        let first = min(count, capacity - place)
        output.copyPart(memory.planes, from: place, at: offset, frames: first)
        output.copyPart(memory.planes, from: 0, at: offset + first, frames: count - first)
        if !keeping { consumed.store(start + Int64(count), ordering: .releasing) }
        return count
    }
}

extension Planes {
    @inline(__always)
    fileprivate func copyPart(_ source: Planes, from offset: Int, at start: Int, frames: Int) {
        if frames > 0 { copy(source, from: offset, at: start, frames: frames) }
    }
}
