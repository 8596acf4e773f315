/// Mixes two decks into the frames of one output: what the render thread calls once a period. Overlays have two more
/// each, for which the first two are lowered.
///
/// RT: after `init` nothing is allocated, locked, retained or released; the decks are reached through plain pointers.
package struct RenderKernel: ~Copyable {
    private let decks: (Deck, Deck)
    private let sharedA: UnsafeMutablePointer<DeckShared>
    private let sharedB: UnsafeMutablePointer<DeckShared>
    private let voiceA: UnsafeMutablePointer<DeckVoice>
    private let voiceB: UnsafeMutablePointer<DeckVoice>
    private let scratch: UnsafeMutablePointer<Float>
    private let maximumFrames: Int
    private var volume: GainRamp
    private var overlays: OverlayMixer
    private var ducking: Ducking
    private let effects: EffectSlot?
    private let effectRun: UnsafeMutablePointer<EffectRun>?

    /// A kernel for an output of periods of at most `maximumPeriodFrames` frames; the decks were made for the same.
    ///
    /// - Parameters:
    ///   - overlays: two decks for each overlay, for eight overlays at most.
    ///   - effects: what the sound goes through before its volume; made for periods of as many frames.
    package init(
        decks first: Deck, _ second: Deck, overlays: [(Deck, Deck)] = [], maximumPeriodFrames: Int,
        initialGain: Float = 1, effects: EffectSlot? = nil
    ) {
        precondition(first.outputRate == second.outputRate, "both decks are made for one output")
        precondition(overlays.count <= 8, "a report has a bit for each overlay")
        decks = (first, second)
        (sharedA, voiceA) = (first.shared, first.voice)
        (sharedB, voiceB) = (second.shared, second.voice)
        maximumFrames = max(1, maximumPeriodFrames)
        scratch = .allocate(capacity: 2 * maximumFrames)
        scratch.initialize(repeating: 0, count: 2 * maximumFrames)
        volume = GainRamp(gain: initialGain)
        self.overlays = OverlayMixer(overlays, maximumFrames: maximumFrames)
        ducking = Ducking(outputRate: Double(first.outputRate))
        self.effects = effects
        effectRun = effects?.run
    }

    deinit { scratch.deallocate() }

    /// Frames that decks play ahead of the output, for effects that are late.
    package var effectLead: Int { effectRun?.pointee.ahead ?? 0 }

    /// Makes the frames of `period`, interleaved stereo, at `output`, which has room for `period.frameCount` of them;
    /// frames past `maximumPeriodFrames` are left alone.
    ///
    /// - Parameter overlayPeriod: the same period as overlays have it, whose instants are in group time; nil where that
    ///   is playback time.
    package mutating func render(
        _ period: RenderPeriod, overlays overlayPeriod: RenderPeriod? = nil, into output: UnsafeMutablePointer<Float>
    ) -> RenderReport {
        var report = RenderReport()
        let frames = min(period.frameCount, maximumFrames)
        guard frames > 0 else { return report }
        var period = period
        period.frameCount = frames
        var overlayPeriod = overlayPeriod ?? period
        overlayPeriod.frameCount = frames
        if let effectRun, effectRun.pointee.begin(isDiscontinuity: period.isDiscontinuity) {
            mixAhead(effectRun, period, overlayPeriod, into: output, &report)
            let isExact = effectRun.pointee.process(frames, into: output)
            report.isBitExact = report.isBitExact && isExact
        } else {
            mix(period, overlays: overlayPeriod, into: output, &report)
        }
        volume.set(target: period.gain, frames: period.gainRampFrames)
        if !volume.isUnity {
            volume.apply(to: output, frames: frames)
            report.isBitExact = report.isBitExact && report.audibleDecks == 0
            report.isScaled = true
        }
        return report
    }

    /// Has the decks make what effects want ahead of the output, in pieces of a period.
    private mutating func mixAhead(
        _ run: UnsafeMutablePointer<EffectRun>, _ period: RenderPeriod, _ overlayPeriod: RenderPeriod,
        into output: UnsafeMutablePointer<Float>, _ report: inout RenderReport
    ) {
        var (period, overlayPeriod) = (
            period.advanced(by: run.pointee.ahead), overlayPeriod.advanced(by: run.pointee.ahead)
        )
        var pieces = 0
        repeat {
            var piece = RenderReport()
            mix(period, overlays: overlayPeriod, into: output, &piece)
            run.pointee.push(output, frames: period.frameCount, piece)
            report.take(piece)
            pieces += 1
            period = period.advanced(by: period.frameCount)
            overlayPeriod = overlayPeriod.advanced(by: overlayPeriod.frameCount)
            (period.isDiscontinuity, period.isRelocated) = (false, false)
            (overlayPeriod.isDiscontinuity, overlayPeriod.isRelocated) = (false, false)
        } while run.pointee.wantsMore(period.frameCount, pieces: pieces)
    }

    /// Mixes decks and overlays, at full level.
    private mutating func mix(
        _ period: RenderPeriod, overlays overlayPeriod: RenderPeriod, into output: UnsafeMutablePointer<Float>,
        _ report: inout RenderReport
    ) {
        let frames = period.frameCount
        let hasFirst = DeckVoice.render(voiceA, period, sharedA, into: output, &report) != nil
        if hasFirst {
            if DeckVoice.render(voiceB, period, sharedB, into: scratch, &report) != nil {
                Self.add(scratch, to: output, frames)
                report.isBitExact = false
            }
        } else if DeckVoice.render(voiceB, period, sharedB, into: output, &report) == nil {
            output.update(repeating: 0, count: 2 * frames)
        }
        mixOverlays(overlayPeriod, into: output, &report)
    }

    private mutating func mixOverlays(
        _ period: RenderPeriod, into output: UnsafeMutablePointer<Float>, _ report: inout RenderReport
    ) {
        let sound = overlays.render(period, scratch: scratch, &report)
        let isUntouched = ducking.apply(to: output, frames: period.frameCount, sound: sound)
        if !isUntouched {
            report.isBitExact = report.isBitExact && report.audibleDecks == 0
            report.isScaled = true
        }
        guard !sound.isEmpty else { return }
        Self.add(overlays.samples, to: output, period.frameCount)
        report.isBitExact = false
    }

    static func add(
        _ source: UnsafeMutablePointer<Float>, to output: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var index = 0
        while index < 2 * frames {
            output[index] += source[index]
            index += 1
        }
    }
}
