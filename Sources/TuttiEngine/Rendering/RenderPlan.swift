import Synchronization
import TuttiEffects

/// One unit's turn.
struct PlanStep {
    /// A `RenderUnit`.
    let unit: UnsafeMutableRawPointer
    let output: Planes
    let clock: UnsafeMutablePointer<UnitClock>
    /// Its edges in the plan's list.
    let firstEdge: Int
    let edgeCount: Int
    /// A `Tap`'s ring, or nil.
    let tap: UnsafeMutablePointer<TapRing>?
    /// Whether it makes as many frames as the engine, rather than what others ask of it.
    let isRoot: Bool
    let engineFramesPerFrame: Double
    /// Frames of the present call.
    var frames = 0
}

/// One input of a step.
struct PlanEdge {
    /// A `RenderEdge`.
    let edge: UnsafeMutableRawPointer
    let state: UnsafeMutablePointer<RenderEdge.State>
    /// The step that it comes from.
    let source: Int
    /// Frames of a fade.
    let fadeFrames: Int
}

/// What the render thread does in one call, in order: units before those that take their sound, the output last.
///
/// Made outside of the render thread; it keeps everything in it alive until it has been given back.
///
/// Guard of `@unchecked Sendable`: the raw memory belongs to the render thread from the hand-over until it is given back.
final class RenderPlan: @unchecked Sendable {
    let serial: Int
    let format: EngineFormat
    /// Frames of a fade at the output.
    let fadeFrames: Int
    let steps: UnsafeMutablePointer<PlanStep>
    let stepCount: Int
    let edges: UnsafeMutablePointer<PlanEdge>
    let edgeCount: Int
    let inputs: UnsafeMutablePointer<RenderInput>
    private let units: [RenderUnit]
    private let kept: [AnyObject]
    private let whenFreed: @Sendable () -> Void

    init(
        serial: Int, format: EngineFormat, fadeFrames: Int, steps: [PlanStep], edges: [PlanEdge],
        inputs: [RenderInput], units: [RenderUnit], kept: [AnyObject], whenFreed: @escaping @Sendable () -> Void
    ) {
        self.serial = serial
        self.format = format
        self.fadeFrames = fadeFrames
        stepCount = steps.count
        edgeCount = edges.count
        self.steps = Self.memory(steps)
        self.edges = Self.memory(edges)
        self.inputs = Self.memory(inputs)
        self.units = units
        self.kept = kept
        self.whenFreed = whenFreed
    }

    deinit {
        steps.deallocate()
        edges.deallocate()
        inputs.deallocate()
        whenFreed()
    }

    private static func memory<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        for (index, element) in elements.enumerated() { (pointer + index).initialize(to: element) }
        return pointer
    }

    /// Frees what units have given back. Outside of the render thread.
    func collect() { for unit in units { unit.collect() } }
}

extension RenderPlan {
    /// Lets all units' times begin at 0. Only before anything renders.
    func restartClocks() {
        for index in 0..<stepCount { steps[index].clock.pointee.sampleTime.store(0, ordering: .relaxed) }
    }
}
