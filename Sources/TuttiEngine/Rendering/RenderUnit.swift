import Synchronization
import TuttiEffects

/// What a unit is made for.
struct UnitShape: Hashable {
    /// What goes out.
    var format: EngineFormat
    /// Channels that come in.
    var inputChannelCount: Int
    /// The most frames of one call.
    var capacity: Int

    /// Whether a unit of this shape does for `other`.
    func covers(_ other: UnitShape) -> Bool {
        format == other.format && inputChannelCount == other.inputChannelCount && capacity >= other.capacity
    }
}

/// One input of a unit in one call.
struct RenderInput {
    var planes: Planes
    /// Which input of the unit it is.
    var bus: Int
    /// Whether this is the connection's first call.
    var isFirst: Bool
}

/// What a unit gets for one call.
struct RenderCall {
    /// Frames to make, 0 … the shape's capacity.
    var frames: Int
    var inputs: UnsafeMutablePointer<RenderInput>?
    var inputCount: Int
    /// The first frame's number on the unit's own time.
    var nodeTime: Int64
    /// The first frame's number on the engine's time, and how many of the engine's frames one of the unit's is.
    var engineTime: Int64
    var engineFramesPerFrame: Double

    /// A call for no frames.
    static var none: RenderCall {
        RenderCall(frames: 0, inputs: nil, inputCount: 0, nodeTime: 0, engineTime: 0, engineFramesPerFrame: 1)
    }
}

/// The render thread's half of a node: it belongs to one node and is shared by all plans that the node is in, so its
/// state goes on while the graph changes.
///
/// RT: `render` allocates nothing, takes no lock and counts no references; it is called through `Unmanaged`. Subclasses
/// hold their state by plain pointers.
///
/// Guard of `@unchecked Sendable`: what is not atomic belongs to the render thread while a plan has the unit.
class RenderUnit: @unchecked Sendable {
    let shape: UnitShape
    /// What it makes.
    let output: Planes
    private let memory: PlaneMemory
    /// Frames rendered so far; stored by the render thread.
    let clock: UnsafeMutablePointer<UnitClock>

    init(_ shape: UnitShape, planeCount: Int? = nil) {
        self.shape = shape
        memory = PlaneMemory(channels: planeCount ?? shape.format.channelCount, frames: shape.capacity)
        output = Planes(memory.planes.channels, count: shape.format.channelCount)
        clock = .allocate(capacity: 1)
        clock.initialize(to: UnitClock())
    }

    deinit {
        clock.deinitialize(count: 1)
        clock.deallocate()
    }

    /// All planes, of which a processor with more channels inside may need more than go out.
    var workingPlanes: Planes { memory.planes }

    /// Frames that the output is later than the input.
    var latency: Int { 0 }

    /// Gets what is needed for `frames` frames from outside, before anything is rendered; false when it is not there.
    func fetch(_ frames: Int) -> Bool { true }

    /// Makes `call.frames` frames in `output`.
    func render(_ call: RenderCall) {}

    /// Forgets everything heard. Only while nothing renders.
    func reset() {}

    /// Frees what the render thread has given back.
    func collect() {}
}

/// A unit's time.
struct UnitClock: ~Copyable {
    let sampleTime = Atomic<Int64>(0)
}
