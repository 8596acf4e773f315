import Synchronization
package import TuttiEffects

/// Where an output's sound goes through effects, which can be exchanged while it plays: one thread offers processors,
/// the render thread takes them over without a click.
///
/// A processor may be late by `latency` frames. The slot has the decks play that much earlier, so that what leaves the
/// output is in time whatever it went through. A later processor that is less late gets its input through a delay, until
/// nothing sounds for a while: so an exchange skips or repeats no frame.
///
/// Guard: `run` belongs to the render thread from the first `RenderKernel.render` on; everything else is atomic.
package final class EffectSlot: @unchecked Sendable {
    /// The most frames that a processor may be late.
    package static let maximumLatency = 65_536

    /// A processor on its way to the render thread, or back; it is owned by the pointer to it.
    final class Stage {
        /// Nil for sound as it is.
        let processor: AudioProcessor?
        /// Frames that its output is later than its input.
        let latency: Int
        /// Which of the processor's planes is the right side: the only one of those that give one channel.
        let rightPlane: Int

        init(_ processor: AudioProcessor?) {
            self.processor = processor
            rightPlane = min(1, max(0, (processor?.outputChannelCount ?? 2) - 1))
            latency = min(max(0, processor?.latency ?? 0), EffectSlot.maximumLatency)
        }
    }

    let run: UnsafeMutablePointer<EffectRun>
    private let shared: UnsafeMutablePointer<EffectShared>
    /// What its processors are to be made for.
    package let shape: AudioProcessor.Shape

    /// A slot in which sound stays as it is.
    package init(sampleRate: Int, maximumFrames: Int) {
        shape = AudioProcessor.Shape(sampleRate: sampleRate, channelCount: 2, maximumFrames: max(1, maximumFrames))
        shared = .allocate(capacity: 1)
        shared.initialize(to: EffectShared())
        run = .allocate(capacity: 1)
        run.initialize(to: EffectRun(shape, shared))
    }

    deinit {
        run.deinitialize(count: 1)
        run.deallocate()
        Self.release(shared.pointee.pending.take())
        Self.release(shared.pointee.retired.take())
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Frames that decks play ahead of the output at the moment.
    package var lead: Int { shared.pointee.lead.load(ordering: .relaxed) }

    /// Has the render thread take over `processor`, made for `shape`; nil for sound as it is. One that was offered and
    /// not taken yet is dropped.
    package func offer(_ processor: AudioProcessor?) {
        collect()
        let stage = Unmanaged.passRetained(Stage(processor)).toOpaque()
        let dropped = shared.pointee.pending.put(stage)
        Self.release(dropped)
    }

    /// Frees what the render thread has given back.
    package func collect() {
        Self.release(shared.pointee.retired.take())
    }

    static func release(_ stage: UnsafeMutableRawPointer?) {
        if let stage { Unmanaged<Stage>.fromOpaque(stage).release() }
    }
}

/// What both threads of a slot touch.
struct EffectShared: ~Copyable {
    /// The stage that is to come.
    let pending = PointerSlot()
    /// The stage that is over.
    let retired = PointerSlot()
    /// Frames that decks are ahead of the output.
    let lead = Atomic<Int>(0)
}
