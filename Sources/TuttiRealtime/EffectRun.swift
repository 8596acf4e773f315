import Synchronization
import TuttiEffects

/// The render thread's half of an `EffectSlot`.
///
/// RT after `init`: nothing is allocated, locked, retained or released.
struct EffectRun: ~Copyable {
    /// How one processor takes over from another.
    private enum Exchange {
        /// Seconds for which the new one runs unheard, besides its latency, so that its filters have settled.
        static let warmUp = 0.03
        /// Seconds of crossfade.
        static let fade = 0.02
        /// How many times its frames a period may ask of the decks until they are as far ahead as is wanted.
        static let pieces = 4
    }

    private let shared: UnsafeMutablePointer<EffectShared>
    private let maximumFrames: Int
    private let warmUp: Int
    private let fade: Int
    private var ring: EffectRing
    private let memory: PlaneMemory
    private let mixed: UnsafeMutablePointer<Float>
    /// The stage that is heard, and the one that takes over; owned.
    private var current: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer?
    /// One that is over and could not be given back yet.
    private var old: UnsafeMutableRawPointer?
    /// Frames that `next` has run for.
    private var nextFrames = 0
    /// Frames in the ring that are not due yet.
    private(set) var ahead = 0
    /// Frames at the ring's end in which nothing sounded, and in which nothing was altered.
    private var silentFrames = 0
    private var exactFrames = 0

    /// - Parameter shared: what the other thread touches too; it outlives this.
    init(_ shape: AudioProcessor.Shape, _ shared: UnsafeMutablePointer<EffectShared>) {
        self.shared = shared
        maximumFrames = shape.maximumFrames
        warmUp = Int(Double(shape.sampleRate) * Exchange.warmUp)
        fade = max(1, Int(Double(shape.sampleRate) * Exchange.fade))
        ring = EffectRing(
            limit: EffectSlot.maximumLatency + (Exchange.pieces + 2) * maximumFrames,
            usual: (Exchange.pieces + 2) * maximumFrames)
        // A chain may have more channels inside than come in.
        memory = PlaneMemory(channels: 8, frames: maximumFrames)
        mixed = .allocate(capacity: 2 * maximumFrames)
        mixed.initialize(repeating: 0, count: 2 * maximumFrames)
    }

    deinit {
        mixed.deallocate()
        for stage in [current, next, old] { EffectSlot.release(stage) }
    }

    /// Begins a period.
    ///
    /// - Parameter isDiscontinuity: whether what was made ahead is for instants that have passed.
    /// - Returns: whether the frames of this period go through here.
    mutating func begin(isDiscontinuity: Bool) -> Bool {
        giveBack()
        if next == nil, old == nil, !shared.pointee.pending.isEmpty {
            next = shared.pointee.pending.take()
            nextFrames = 0
            if current == nil, processor(next) == nil {
                // Sound is as it is already: an exchange would alter its bits for nothing.
                (old, next) = (next, nil)
                giveBack()
            }
            ring.reserve(latency(next) + (Exchange.pieces + 2) * maximumFrames)
        }
        if isDiscontinuity, ahead > 0 {
            ring.drop(ahead)
            ahead = 0
            reset(current)
            reset(next)
        }
        return current != nil || next != nil || ahead > 0
    }

    /// Takes frames that decks have made, `ahead` frames before they are due.
    mutating func push(_ samples: UnsafePointer<Float>, frames: Int, _ report: RenderReport) {
        ring.write(samples, frames: frames)
        ahead += frames
        let isSilent = report.audibleDecks == 0 && report.soundingOverlays == 0
        silentFrames = isSilent ? silentFrames &+ frames : 0
        exactFrames = report.isBitExact ? exactFrames &+ frames : 0
    }

    /// Whether decks are to make another piece of `frames` frames in this period.
    ///
    /// - Parameter pieces: how many they have made.
    func wantsMore(_ frames: Int, pieces: Int) -> Bool {
        pieces < Exchange.pieces && ahead < frames + max(latency(current), latency(next))
    }

    /// Makes the frames that are due.
    ///
    /// - Returns: whether they are the decks' own.
    mutating func process(_ frames: Int, into output: UnsafeMutablePointer<Float>) -> Bool {
        let isExact = processor(current) == nil && next == nil && exactFrames >= ahead
        run(current, frames, into: output)
        if next != nil { takeOver(frames, output) }
        ahead -= frames
        shrink(frames)
        shared.pointee.lead.store(ahead, ordering: .relaxed)
        return isExact
    }

    // MARK: Stages

    private func latency(_ stage: UnsafeMutableRawPointer?) -> Int {
        guard let stage else { return 0 }
        return Unmanaged<EffectSlot.Stage>.fromOpaque(stage)._withUnsafeGuaranteedRef { $0.latency }
    }

    private func rightPlane(_ stage: UnsafeMutableRawPointer?) -> Int {
        guard let stage else { return 1 }
        return Unmanaged<EffectSlot.Stage>.fromOpaque(stage)._withUnsafeGuaranteedRef { $0.rightPlane }
    }

    private func processor(_ stage: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let stage else { return nil }
        return Unmanaged<EffectSlot.Stage>.fromOpaque(stage)._withUnsafeGuaranteedRef { stage in
            guard let processor = stage.processor else { return nil }
            return Unmanaged.passUnretained(processor).toOpaque()
        }
    }

    private func reset(_ stage: UnsafeMutableRawPointer?) {
        guard let processor = processor(stage) else { return }
        Unmanaged<AudioProcessor>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.reset() }
    }

    /// Runs a stage on what is due for it.
    ///
    /// - Returns: false while decks are not far enough ahead; the frames are silent then.
    @discardableResult
    private func run(
        _ stage: UnsafeMutableRawPointer?, _ frames: Int, into output: UnsafeMutablePointer<Float>
    ) -> Bool {
        let ago = ahead - latency(stage)
        guard ago >= frames else {
            output.update(repeating: 0, count: 2 * frames)
            return false
        }
        guard let processor = processor(stage) else {
            ring.read(ago, frames: frames, into: output)
            return true
        }
        ring.read(ago, frames: frames, left: memory.planes[0], right: memory.planes[1])
        Unmanaged<AudioProcessor>.fromOpaque(processor)._withUnsafeGuaranteedRef {
            $0.process(memory.planes, frames: frames)
        }
        let (left, right) = (memory.planes[0], memory.planes[rightPlane(stage)])
        var frame = 0
        while frame < frames {
            (output[2 * frame], output[2 * frame + 1]) = (left[frame], right[frame])
            frame += 1
        }
        return true
    }

    /// Runs the stage that takes over, and fades to it once it has settled.
    private mutating func takeOver(_ frames: Int, _ output: UnsafeMutablePointer<Float>) {
        guard run(next, frames, into: mixed) else { return }
        let begin = latency(next) + (processor(next) == nil ? 0 : warmUp)
        var frame = 0
        while frame < frames {
            let progress = min(max(nextFrames + frame + 1 - begin, 0), fade)
            let share = Float(progress) / Float(fade)
            for sample in (2 * frame)...(2 * frame + 1) {
                output[sample] += (mixed[sample] - output[sample]) * share
            }
            frame += 1
        }
        nextFrames += frames
        guard nextFrames >= begin + fade else { return }
        (old, current, next) = (current, next, nil)
        if processor(current) == nil {
            // Sound as it is needs no stage.
            giveBack()
            if old == nil { (old, current) = (current, nil) }
        }
        giveBack()
    }

    /// Lets decks be less far ahead once what they have made ahead is silent.
    private mutating func shrink(_ frames: Int) {
        let wanted = (latency(current) + frames - 1) / frames * frames
        guard next == nil, ahead > wanted, silentFrames >= ahead + frames else { return }
        ring.drop(ahead - wanted)
        ahead = wanted
    }

    private mutating func giveBack() {
        guard let stage = old, shared.pointee.retired.isEmpty else { return }
        // Nobody else puts anything there.
        _ = shared.pointee.retired.put(stage)
        old = nil
    }
}
