import Synchronization
import TuttiEffects
import TuttiRealtime

/// A plan's memory, for the render thread.
struct PlanView {
    let plan: UnsafeMutableRawPointer
    let serial: Int
    let fadeFrames: Int
    let steps: UnsafeMutablePointer<PlanStep>
    let stepCount: Int
    let edges: UnsafeMutablePointer<PlanEdge>
    let edgeCount: Int
    let inputs: UnsafeMutablePointer<RenderInput>

    init(_ plan: UnsafeMutableRawPointer) {
        self = Unmanaged<RenderPlan>.fromOpaque(plan)._withUnsafeGuaranteedRef { PlanView($0, plan) }
    }

    private init(_ plan: RenderPlan, _ pointer: UnsafeMutableRawPointer) {
        self.plan = pointer
        (serial, fadeFrames) = (plan.serial, plan.fadeFrames)
        (steps, stepCount) = (plan.steps, plan.stepCount)
        (edges, edgeCount) = (plan.edges, plan.edgeCount)
        inputs = plan.inputs
    }
}

/// The render thread's half of a core: the plan that is heard and the one that takes over.
///
/// A change of the graph takes place in up to two fades. Connections that the next plan lacks fade out while the current
/// plan renders; then the next plan takes over, and its new connections fade in, except from units that never made a
/// sound: those begin as they begin. So every unit renders each frame once, and its state goes on.
///
/// RT: no allocation, no lock, no references counted.
struct RenderState: ~Copyable {
    private(set) var current: PlanView?
    private var next: PlanView?
    /// Frames until `next` takes over.
    private var fadeLeft = 0

    /// Begins with a plan, without a fade. Only while nothing renders.
    mutating func install(_ plan: RenderPlan) {
        releasePlans()
        let view = PlanView(Unmanaged.passRetained(plan).toOpaque())
        for index in 0..<view.edgeCount {
            view.edges[index].state.pointee.isLive = true
            view.edges[index].state.pointee.ramp.jump(to: 1)
        }
        current = view
    }

    /// Only while nothing renders.
    mutating func releasePlans() {
        RenderShared.release(current?.plan)
        RenderShared.release(next?.plan)
        (current, next) = (nil, nil)
    }

    /// Makes `frames` frames.
    mutating func render(
        _ frames: Int, into output: Planes, _ shared: UnsafeMutablePointer<RenderShared>
    ) -> AudioEngine.ManualRenderingStatus {
        takePending(shared)
        guard let plan = current, Self.fetch(plan, frames) else {
            output.clear(from: 0, frames: frames)
            return current == nil ? .error : .insufficientDataFromInputNode
        }
        var done = 0
        while done < frames, let plan = current {
            let count = next == nil ? frames - done : min(frames - done, fadeLeft)
            if done > 0 { _ = Self.fetch(plan, count) }
            Self.run(plan, count, shared)
            let last = plan.steps[plan.stepCount - 1].output
            output.copy(last, at: done, frames: count)
            done += count
            shared.pointee.sampleTime.add(Int64(count), ordering: .releasing)
            if next != nil {
                fadeLeft -= count
                if fadeLeft <= 0 {
                    commit(shared)
                    takePending(shared)
                }
            }
        }
        return .success
    }

    // MARK: Plans

    /// Takes the next plan, and fades out what it lacks.
    private mutating func takePending(_ shared: UnsafeMutablePointer<RenderShared>) {
        guard next == nil, !shared.pointee.pending.isEmpty, shared.pointee.retired.hasRoom,
            let pointer = shared.pointee.pending.take()
        else { return }
        let view = PlanView(pointer)
        next = view
        var index = 0
        while index < view.edgeCount {
            view.edges[index].state.pointee.plan = view.serial
            index += 1
        }
        fadeLeft = 0
        if let current {
            index = 0
            while index < current.edgeCount {
                let edge = current.edges[index]
                if edge.state.pointee.plan != view.serial, edge.state.pointee.isRendered {
                    edge.state.pointee.ramp.go(to: 0, frames: edge.fadeFrames)
                    fadeLeft = current.fadeFrames
                }
                index += 1
            }
        }
        if fadeLeft == 0 { commit(shared) }
    }

    /// Lets the next plan be heard.
    private mutating func commit(_ shared: UnsafeMutablePointer<RenderShared>) {
        guard let view = next else { return }
        if let current { _ = shared.pointee.retired.push(current.plan) }
        (current, next) = (view, nil)
        var index = 0
        while index < view.edgeCount {
            let edge = view.edges[index]
            if !edge.state.pointee.isLive {
                edge.state.pointee.isLive = true
                if view.steps[edge.source].clock.pointee.sampleTime.load(ordering: .relaxed) > 0 {
                    edge.state.pointee.ramp.jump(to: 0)
                    edge.state.pointee.ramp.go(to: 1, frames: edge.fadeFrames)
                }
            }
            index += 1
        }
    }

    // MARK: One pass

    /// How many frames each unit has to make, and whether those with sound from outside have it.
    private static func fetch(_ plan: PlanView, _ frames: Int) -> Bool {
        demand(plan, frames)
        var index = 0
        while index < plan.stepCount {
            let count = plan.steps[index].frames
            if plan.steps[index].edgeCount == 0 {
                let unit = Unmanaged<RenderUnit>.fromOpaque(plan.steps[index].unit)
                guard unit._withUnsafeGuaranteedRef({ $0.fetch(count) }) else { return false }
            }
            index += 1
        }
        return true
    }

    private static func demand(_ plan: PlanView, _ frames: Int) {
        var index = 0
        while index < plan.stepCount {
            plan.steps[index].frames = plan.steps[index].isRoot ? frames : 0
            index += 1
        }
        while index > 0 {
            index -= 1
            let step = plan.steps[index]
            var offset = step.firstEdge
            while offset < step.firstEdge + step.edgeCount {
                let edge = plan.edges[offset]
                plan.steps[edge.source].frames = Unmanaged<RenderEdge>.fromOpaque(edge.edge)
                    ._withUnsafeGuaranteedRef { $0.demand(step.frames) }
                offset += 1
            }
        }
    }

    private static func run(_ plan: PlanView, _ frames: Int, _ shared: UnsafeMutablePointer<RenderShared>) {
        demand(plan, frames)
        let engineTime = shared.pointee.sampleTime.load(ordering: .relaxed)
        var index = 0
        while index < plan.stepCount {
            let step = plan.steps[index]
            var offset = step.firstEdge
            while offset < step.firstEdge + step.edgeCount {
                let edge = plan.edges[offset]
                let source = plan.steps[edge.source]
                plan.inputs[offset].isFirst = !edge.state.pointee.isRendered
                plan.inputs[offset].planes = Unmanaged<RenderEdge>.fromOpaque(edge.edge)._withUnsafeGuaranteedRef {
                    $0.process(source.output, sourceFrames: source.frames, frames: step.frames)
                }
                offset += 1
            }
            let nodeTime = step.clock.pointee.sampleTime.load(ordering: .relaxed)
            let call = RenderCall(
                frames: step.frames, inputs: plan.inputs + step.firstEdge, inputCount: step.edgeCount,
                nodeTime: nodeTime, engineTime: engineTime, engineFramesPerFrame: step.engineFramesPerFrame)
            Unmanaged<RenderUnit>.fromOpaque(step.unit)._withUnsafeGuaranteedRef { $0.render(call) }
            let found = step.output.removeNonFinite(frames: step.frames)
            if found > 0 { shared.pointee.nonFiniteSamples.add(found, ordering: .relaxed) }
            if let tap = step.tap { tap.pointee.write(step.output, frames: step.frames, at: nodeTime) }
            step.clock.pointee.sampleTime.store(nodeTime + Int64(step.frames), ordering: .releasing)
            index += 1
        }
    }
}
