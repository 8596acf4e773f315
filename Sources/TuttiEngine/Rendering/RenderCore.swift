import CKernels
import Synchronization
import TuttiEffects
import TuttiRealtime

/// What runs plans: one thread renders, others hand plans over.
///
/// Guard of `@unchecked Sendable`: `shared` is atomic; `state` belongs to whoever has `shared.gate` in `rendering`, or
/// closed it.
final class RenderCore: @unchecked Sendable {
    /// The places of `RenderShared.gate`.
    enum Gate {
        static let closed = 0
        static let open = 1
        static let rendering = 2
    }

    let shared: UnsafeMutablePointer<RenderShared>
    private let state: UnsafeMutablePointer<RenderState>

    init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: RenderShared())
        state = .allocate(capacity: 1)
        state.initialize(to: RenderState())
    }

    deinit {
        state.pointee.releasePlans()
        shared.pointee.releasePlans()
        state.deinitialize(count: 1)
        state.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    // MARK: Control

    /// Begins with `plan`, without a fade.
    func open(_ plan: RenderPlan) {
        if shared.pointee.gate.load(ordering: .acquiring) != Gate.closed { close() }
        release()
        state.pointee.install(plan)
        shared.pointee.gate.store(Gate.open, ordering: .releasing)
    }

    /// Goes on after `close`; false when there is nothing to go on with.
    func reopen() -> Bool {
        guard state.pointee.current != nil else { return false }
        shared.pointee.gate.store(Gate.open, ordering: .releasing)
        return true
    }

    /// Waits for a call that is under way, and lets none in any more.
    func close() {
        while shared.pointee.gate.load(ordering: .relaxed) != Gate.closed {
            let exchange = shared.pointee.gate.compareExchange(
                expected: Gate.open, desired: Gate.closed, ordering: .acquiringAndReleasing)
            if exchange.exchanged { return }
            pauseThread()
        }
    }

    /// Gives up all plans. Only while closed.
    func release() {
        state.pointee.releasePlans()
        shared.pointee.releasePlans()
    }

    /// Hands a plan over to the render thread. One that it has not taken yet is dropped.
    func publish(_ plan: RenderPlan) {
        RenderShared.release(shared.pointee.pending.put(Unmanaged.passRetained(plan).toOpaque()))
    }

    /// Frees plans that the render thread has given back. By one thread at a time.
    func collect() {
        while let plan = shared.pointee.retired.pop() { RenderShared.release(plan) }
    }

    // MARK: Rendering (RT)

    /// Makes the next frames, or says why not; `output` is silent then.
    func render(_ frames: Int, into output: Planes) -> AudioEngine.ManualRenderingStatus {
        let entry = shared.pointee.gate.compareExchange(
            expected: Gate.open, desired: Gate.rendering, ordering: .acquiringAndReleasing)
        guard entry.exchanged else {
            output.clear(from: 0, frames: frames)
            return .cannotDoInCurrentContext
        }
        let mode = tutti_denormals_flush()
        let status = state.pointee.render(frames, into: output, shared)
        tutti_denormals_restore(mode)
        shared.pointee.gate.store(Gate.open, ordering: .releasing)
        return status
    }
}

/// What both sides of a core touch.
struct RenderShared: ~Copyable {
    let gate = Atomic<Int>(RenderCore.Gate.closed)
    /// The `RenderPlan` that is to come.
    let pending = PointerSlot()
    /// Plans that are over.
    let retired = PointerRing(capacity: 64)
    /// Frames rendered.
    let sampleTime = Atomic<Int64>(0)
    let nonFiniteSamples = Atomic<Int>(0)

    func releasePlans() {
        Self.release(pending.take())
        while let plan = retired.pop() { Self.release(plan) }
    }

    static func release(_ plan: UnsafeMutableRawPointer?) {
        if let plan { Unmanaged<RenderPlan>.fromOpaque(plan).release() }
    }
}
