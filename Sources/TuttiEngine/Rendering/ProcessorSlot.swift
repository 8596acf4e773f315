import Synchronization
import TuttiEffects
import TuttiRealtime

/// Where a node's sound goes through a processor that can be exchanged while it plays. A new one runs unheard on the same
/// input until its filters have settled, and is then crossfaded to.
///
/// RT: `process` allocates nothing, takes no lock and counts no references.
///
/// Guard of `@unchecked Sendable`: `shared` has atomics and lock-free queues; `state` is the render thread's.
final class ProcessorSlot: @unchecked Sendable {
    /// A processor on its way to the render thread, or back; the pointer to it owns it.
    final class Stage {
        /// Nil for sound as it is.
        let processor: AudioProcessor?
        let latency: Int

        init(_ processor: AudioProcessor?) {
            self.processor = processor
            latency = max(0, processor?.latency ?? 0)
        }
    }

    private let shared: UnsafeMutablePointer<SlotShared>
    private let state: UnsafeMutablePointer<SlotState>
    /// The latency of what was offered last.
    private let offeredLatency = Atomic<Int>(0)

    /// A slot that begins with `processor`.
    ///
    /// - Parameters:
    ///   - planeCount: channels that come in or go out, whichever are more.
    ///   - maximumFrames: what processors are made for.
    init(_ processor: AudioProcessor?, sampleRate: Int, planeCount: Int, maximumFrames: Int) {
        shared = .allocate(capacity: 1)
        shared.initialize(to: SlotShared())
        state = .allocate(capacity: 1)
        state.initialize(
            to: SlotState(shared, sampleRate: sampleRate, planeCount: planeCount, maximumFrames: maximumFrames))
        let stage = Stage(processor)
        offeredLatency.store(stage.latency, ordering: .relaxed)
        state.pointee.begin(with: Unmanaged.passRetained(stage).toOpaque())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        shared.pointee.releaseStages()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    var latency: Int { offeredLatency.load(ordering: .relaxed) }

    /// Has the render thread take over `processor`; nil for sound as it is. One that it has not taken yet is dropped.
    func offer(_ processor: AudioProcessor?) {
        let stage = Stage(processor)
        offeredLatency.store(stage.latency, ordering: .relaxed)
        SlotShared.release(shared.pointee.pending.put(Unmanaged.passRetained(stage).toOpaque()))
    }

    /// Frees what the render thread has given back. By one thread at a time.
    func collect() {
        while let stage = shared.pointee.retired.pop() { SlotShared.release(stage) }
    }

    /// Forgets everything heard. Only while nothing renders.
    func reset() { state.pointee.reset() }

    /// Processes `frames` frames of `input` into `output`, whose memory has `planeCount` planes.
    func process(_ input: Planes, into output: Planes, frames: Int) {
        state.pointee.process(input, into: output, frames: frames)
    }
}
