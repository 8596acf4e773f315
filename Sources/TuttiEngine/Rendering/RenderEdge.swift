import TuttiEffects

/// The render thread's half of a connection: it converts what one unit makes to what another takes, and fades when the
/// connection comes or goes.
///
/// Channels: mono becomes stereo by going to both sides at full level; stereo becomes mono as the mean of both sides.
///
/// Guard of `@unchecked Sendable`: `state` belongs to the render thread once the edge is in a plan that has been handed over.
final class RenderEdge: @unchecked Sendable {
    struct State: ~Copyable {
        var converter: RateConverter?
        var ramp = SmoothRamp(1)
        /// Whether a plan with this edge has been heard, and whether it has been rendered.
        var isLive = false
        var isRendered = false
        /// The newest plan that has the edge.
        var plan = 0
    }

    let state: UnsafeMutablePointer<State>
    /// What comes in and what goes out.
    let source: EngineFormat
    let destination: EngineFormat
    /// The most frames of one call.
    let capacity: Int
    /// Frames of the destination that sound is late.
    let latency: Int
    private let memory: PlaneMemory
    private let planes: Planes
    private let resampled: PlaneMemory?
    private let resampledPlanes: Planes?

    init(from source: EngineFormat, to destination: EngineFormat, capacity: Int) {
        let sourceCapacity = Self.sourceCapacity(
            capacity, from: source.sampleRate, to: destination.sampleRate)
        self.capacity = capacity
        self.source = source
        self.destination = destination
        memory = PlaneMemory(channels: destination.channelCount, frames: capacity)
        planes = memory.planes
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        if source.sampleRate == destination.sampleRate {
            latency = 0
            resampled = nil
            resampledPlanes = nil
        } else {
            let converter = RateConverter(
                channels: source.channelCount, from: source.sampleRate, to: destination.sampleRate,
                sourceCapacity: sourceCapacity, outputCapacity: capacity)
            latency = converter.latency
            state.pointee.converter = consume converter
            let memory = PlaneMemory(channels: source.channelCount, frames: capacity)
            resampledPlanes = memory.planes
            resampled = consume memory
        }
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The most source frames that `frames` frames need.
    static func sourceCapacity(_ frames: Int, from source: Int, to destination: Int) -> Int {
        source == destination ? frames : (frames * source + destination - 1) / destination + 8
    }

    /// Source frames for `frames` frames.
    func demand(_ frames: Int) -> Int {
        state.pointee.converter == nil ? frames : state.pointee.demand(frames)
    }

    /// The frames as the destination takes them, in memory of the edge or of the source.
    func process(_ input: Planes, sourceFrames: Int, frames: Int) -> Planes {
        var current = input
        if let resampledPlanes {
            state.pointee.convert(input, sourceFrames, into: resampledPlanes, frames: frames)
            current = resampledPlanes
        }
        if source.channelCount != destination.channelCount {
            if destination.channelCount == 1 {
                planes.mix(stereo: current, frames: frames)
            } else {
                planes.copy(current, frames: frames)
            }
            current = planes
        }
        if !state.pointee.ramp.isResting || state.pointee.ramp.target != 1 {
            var channel = 0
            while channel < planes.count {
                state.pointee.ramp.apply(current[channel], to: planes[channel], frames: frames, adding: false)
                channel += 1
            }
            state.pointee.ramp.advance(frames)
            current = planes
        }
        state.pointee.isRendered = true
        return current
    }

    /// Forgets what the filter has heard. Only while nothing renders.
    func reset() { state.pointee.resetConverter() }
}

extension RenderEdge.State {
    fileprivate func demand(_ frames: Int) -> Int { converter?.demand(frames) ?? frames }

    fileprivate mutating func convert(_ input: Planes, _ sourceFrames: Int, into output: Planes, frames: Int) {
        converter?.process(input, sourceFrames, into: output, frames: frames)
    }

    fileprivate mutating func resetConverter() { converter?.reset() }
}
