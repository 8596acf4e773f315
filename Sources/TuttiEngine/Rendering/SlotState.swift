import TuttiEffects
import TuttiRealtime

/// The render thread's half of a `ProcessorSlot`.
struct SlotState: ~Copyable {
    /// Seconds for which a new processor runs unheard, besides its latency, and seconds of the crossfade.
    private static let (warmUpTime, fadeTime) = (0.03, 0.02)

    private let shared: UnsafeMutablePointer<SlotShared>
    private let warmUp: Int
    private let fade: Int
    private let maximumFrames: Int
    private var current: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer?
    /// Frames that `next` has run for, and for which it does before and until the crossfade is over.
    private var nextFrames = 0
    private var fadeStart = 0
    private let scratch: PlaneMemory
    /// Pointers into `output` and `scratch`, where the present piece begins.
    private let window: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let planeCount: Int

    init(
        _ shared: UnsafeMutablePointer<SlotShared>, sampleRate: Int, planeCount: Int, maximumFrames: Int
    ) {
        self.shared = shared
        warmUp = Int(Double(sampleRate) * Self.warmUpTime)
        fade = max(1, Int(Double(sampleRate) * Self.fadeTime))
        self.maximumFrames = maximumFrames
        self.planeCount = planeCount
        scratch = PlaneMemory(channels: planeCount, frames: maximumFrames)
        window = .allocate(capacity: planeCount)
        for channel in 0..<planeCount { (window + channel).initialize(to: scratch.planes[channel]) }
    }

    deinit {
        window.deallocate()
        for stage in [current, next] { SlotShared.release(stage) }
    }

    mutating func begin(with stage: UnsafeMutableRawPointer) { current = stage }

    mutating func reset() {
        for stage in [current, next] {
            if let processor = Self.processor(stage) {
                Unmanaged<AudioProcessor>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.reset() }
            }
        }
    }

    mutating func process(_ input: Planes, into output: Planes, frames: Int) {
        var done = 0
        while done < frames {
            takePending()
            var count = min(frames - done, maximumFrames)
            if next != nil { count = min(count, fadeStart + fade - nextFrames) }
            var channel = 0
            while channel < planeCount {
                window[channel] = output.channels[channel] + done
                channel += 1
            }
            Self.run(current, input, done, Planes(window, count: planeCount), count)
            if next != nil { takeOver(input, output, done, count) }
            done += count
        }
    }

    private mutating func takePending() {
        guard next == nil, !shared.pointee.pending.isEmpty, shared.pointee.retired.hasRoom,
            let stage = shared.pointee.pending.take()
        else { return }
        next = stage
        nextFrames = 0
        fadeStart = Self.latency(stage) + (Self.processor(stage) == nil ? 0 : warmUp)
    }

    /// Runs the stage that takes over, and fades to it once it has settled.
    private mutating func takeOver(_ input: Planes, _ output: Planes, _ start: Int, _ frames: Int) {
        Self.run(next, input, start, scratch.planes, frames)
        let first = nextFrames + 1 - fadeStart
        var channel = 0
        while channel < output.count {
            let (old, new) = (output[channel] + start, scratch.planes[channel])
            var frame = max(0, -first)
            while frame < frames {
                let t = Float(first + frame) / Float(fade)
                old[frame] += (new[frame] - old[frame]) * (t * t * (3 - 2 * t))
                frame += 1
            }
            channel += 1
        }
        nextFrames += frames
        guard nextFrames >= fadeStart + fade else { return }
        if let current { _ = shared.pointee.retired.push(current) }
        (current, next) = (next, nil)
    }

    // MARK: Stages

    private static func run(
        _ stage: UnsafeMutableRawPointer?, _ input: Planes, _ start: Int, _ output: Planes, _ frames: Int
    ) {
        output.copy(input, from: start, frames: frames)
        guard let processor = processor(stage) else { return }
        Unmanaged<AudioProcessor>.fromOpaque(processor)._withUnsafeGuaranteedRef {
            $0.process(output, frames: frames)
        }
    }

    private static func processor(_ stage: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let stage else { return nil }
        return Unmanaged<ProcessorSlot.Stage>.fromOpaque(stage)._withUnsafeGuaranteedRef { stage in
            guard let processor = stage.processor else { return nil }
            return Unmanaged.passUnretained(processor).toOpaque()
        }
    }

    private static func latency(_ stage: UnsafeMutableRawPointer?) -> Int {
        guard let stage else { return 0 }
        return Unmanaged<ProcessorSlot.Stage>.fromOpaque(stage)._withUnsafeGuaranteedRef { $0.latency }
    }
}

/// What both sides of a slot touch.
struct SlotShared: ~Copyable {
    /// The stage that is to come.
    let pending = PointerSlot()
    /// Stages that are over.
    let retired = PointerRing(capacity: 16)

    /// Frees the stages that the render thread does not have.
    func releaseStages() {
        Self.release(pending.take())
        while let stage = retired.pop() { Self.release(stage) }
    }

    static func release(_ stage: UnsafeMutableRawPointer?) {
        if let stage { Unmanaged<ProcessorSlot.Stage>.fromOpaque(stage).release() }
    }
}
