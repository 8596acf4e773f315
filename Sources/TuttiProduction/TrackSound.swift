import TuttiAssets
import TuttiCore
import TuttiEncoding
import TuttiStretch

/// The sound of a track as it plays, from where its asset stands: read, stretched, and converted to another sample
/// rate.
final class TrackSound {
    /// Frames a second of what comes out.
    let sampleRate: Int
    /// Significant bits of what comes out.
    let bitDepth: Int

    private let asset: Asset
    private let stretcher: TimeStretcher?
    private var converter: SampleRateConverter?
    /// Frames that are still to come out, where the sound is left before its end.
    private var framesLeft: Int?
    private var framesOut = 0
    /// Frames of the ramps where a stretched sound begins inside of the track or is left there: its periods lie
    /// otherwise than those of the sound that it joins.
    private let rampIn: Int
    private let rampOut: Int
    private let gain: GainRamp
    private var pending: [Float] = []
    private var hasEnded = false
    private var failure: (any Error)?

    /// Frames asked of the asset at once.
    private static let readFrames = 8192
    /// Seconds of the ramps.
    private static let ramp = 0.005

    /// - Parameters:
    ///   - rate: seconds of the track in a second of the sound.
    ///   - sampleRate: frames a second of what comes out; nil for the asset's own.
    ///   - stop: the place in the track where the sound is left; nil for its end.
    ///   - gain: what it is multiplied with.
    /// - Throws: `StretchError` for a rate that there is not.
    init(
        _ asset: Asset, rate: Double, sampleRate: Int? = nil, until stop: MediaTime? = nil, gain: GainRamp
    ) throws(StretchError) {
        let source = asset.info.sampleRate
        let target = sampleRate ?? source
        self.asset = asset
        self.sampleRate = target
        self.gain = gain
        stretcher = rate == 1 ? nil : try TimeStretcher(rate: rate, sampleRate: source)
        converter = target == source ? nil : SampleRateConverter(sourceRate: source, targetRate: target)
        let depth = stretcher == nil ? asset.info.bitDepth : TimeStretcher.bitDepth
        bitDepth = gain.isUnity ? depth : max(depth, EncodingOptions.scaledBitDepth)
        framesLeft = stop.map { stop in
            let frames = Double(max(0, (stop - asset.currentTime).frame(at: source)))
            let stretched = rate == 1 ? frames : (frames / rate).rounded()
            return Int((stretched * Double(target) / Double(source)).rounded(.up))
        }
        let ramp = stretcher == nil ? 0 : Int(Self.ramp * Double(target))
        rampIn = asset.currentTime.isPositive ? ramp : 0
        rampOut = framesLeft == nil ? 0 : ramp
    }

    /// The next frames, interleaved stereo: at least one and at most `maximumFrames`; nil at the end.
    ///
    /// - Throws: once, in place of the first nil, what the asset throws; everything that came before is given out
    ///   first.
    func read(maximumFrames: Int = .max) throws -> [Float]? {
        precondition(maximumFrames > 0, "at least one frame is read")
        if framesLeft == 0 { return nil }
        while pending.isEmpty {
            guard !hasEnded else {
                defer { failure = nil }
                if let failure { throw failure }
                return nil
            }
            pending = try next()
        }
        let count = min(pending.count / 2, maximumFrames, framesLeft ?? .max)
        let isWhole = 2 * count == pending.count
        var samples = isWhole ? pending : Array(pending[..<(2 * count)])
        if isWhole { pending = [] } else { pending.removeFirst(2 * count) }
        shape(&samples)
        gain.apply(to: &samples, from: framesOut, sampleRate: sampleRate)
        framesOut += count
        framesLeft = framesLeft.map { $0 - count }
        precondition(framesLeft.map { $0 >= 0 } ?? true, "a sound is read beyond where it is left")
        return samples
    }

    /// What comes of the next of the asset's blocks, which may be nothing, or of its end.
    private func next() throws -> [Float] {
        do {
            if let block = try asset.read(maximumFrames: Self.readFrames) {
                let stretched = try stretcher?.process(block.samples) ?? block.samples
                return converter?.process(stretched) ?? stretched
            }
        } catch {
            failure = error
        }
        hasEnded = true
        let rest = try stretcher?.finish() ?? []
        return (converter?.process(rest) ?? rest) + (converter?.finish() ?? [])
    }

    private func shape(_ samples: inout [Float]) {
        guard rampIn > framesOut || rampOut > 0 else { return }
        for frame in 0..<samples.count / 2 {
            var gain: Float = 1
            if framesOut + frame < rampIn { gain = (Float(framesOut + frame) + 0.5) / Float(rampIn) }
            if let framesLeft, framesLeft - frame <= rampOut {
                gain = min(gain, (Float(framesLeft - frame) - 0.5) / Float(rampOut))
            }
            samples[2 * frame] *= gain
            samples[2 * frame + 1] *= gain
        }
    }
}
