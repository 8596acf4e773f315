import Synchronization
import TuttiEffects

/// The ring behind a tap, between the render thread and whoever listens.
///
/// RT on the writing side: no allocation, no lock. A reader that is late loses frames, which are counted.
struct TapRing: ~Copyable {
    let ring: FrameRing
    /// The number of the first frame; `Int64.min` before it.
    private let start = Atomic<Int64>(.min)
    private let lost = Atomic<Int64>(0)

    init(channels: Int, frames: Int) { ring = FrameRing(channels: channels, frames: frames) }

    func write(_ planes: Planes, frames: Int, at time: Int64) {
        if start.load(ordering: .relaxed) == .min { start.store(time, ordering: .releasing) }
        let count = ring.write(planes, frames: frames)
        if count < frames { lost.add(Int64(frames - count), ordering: .releasing) }
    }

    /// The node's time of the next frame to read.
    var time: Int64 {
        let first = start.load(ordering: .acquiring)
        return (first == .min ? 0 : first) + ring.readIndex + lost.load(ordering: .acquiring)
    }
}

/// The memory of a tap's ring.
///
/// Guard of `@unchecked Sendable`: the ring is lock-free, with the render thread as its writer and the holder of the tap's
/// lock as its reader.
final class TapSource: @unchecked Sendable {
    let shape: UnitShape
    let ring: UnsafeMutablePointer<TapRing>

    init(_ shape: UnitShape, frames: Int) {
        self.shape = shape
        ring = .allocate(capacity: 1)
        ring.initialize(to: TapRing(channels: shape.format.channelCount, frames: frames))
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }
}

/// A listener at a node's output.
final class Tap: Sendable {
    typealias Handler = @Sendable (PCMBuffer, AudioTime) -> Void

    private let bufferSize: Int
    private let handler: Handler
    /// The ring of the node's present shape; nil before a plan has the tap.
    private let source = Mutex<TapSource?>(nil)
    private let isRemoved = Atomic<Bool>(false)

    init(bufferSize: Int, handler: @escaping Handler) {
        self.bufferSize = bufferSize
        self.handler = handler
    }

    /// The ring for a unit of this shape.
    func source(for shape: UnitShape) -> TapSource {
        source.withLock { source in
            if let source, source.shape.covers(shape) { return source }
            let made = TapSource(shape, frames: max(1 << 15, 4 * bufferSize, 2 * shape.capacity))
            source = made
            return made
        }
    }

    /// Calls the handler no more.
    func remove() { isRemoved.store(true, ordering: .releasing) }

    /// Forgets what is there, since the node's time begins anew. Only while nothing renders.
    func restart() { source.withLock { $0 = nil } }

    /// Hands over what is there in buffers of at most the tap's size; only full ones unless `all`.
    func deliver(all: Bool) {
        while !isRemoved.load(ordering: .acquiring), let (buffer, time) = source.withLock({ next($0, all: all) }) {
            handler(buffer, time)
        }
    }

    private func next(_ source: TapSource?, all: Bool) -> (PCMBuffer, AudioTime)? {
        guard let source else { return nil }
        let (ring, format) = (source.ring, source.shape.format)
        let count = min(bufferSize, ring.pointee.ring.readable)
        guard count > 0, all || count == bufferSize,
            let buffer = try? PCMBuffer(format: format, frameCapacity: bufferSize)
        else { return nil }
        let time = AudioTime(sampleTime: ring.pointee.time, sampleRate: format.sampleRate)
        buffer.frameLength = ring.pointee.ring.read(into: buffer.planes, at: 0, frames: count)
        return (buffer, time)
    }
}
