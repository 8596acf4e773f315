import TuttiAssets
import TuttiCore
import TuttiEncoding

/// The tail of a track as it is mixed into the next one: at the sample rate of that, and silent after its own end.
final class CrossfadeTailSound {
    private let sound: TrackSound
    /// What kept the tail from being read to its end.
    private(set) var failure: (any Error)?
    /// Significant bits of the sound.
    var bitDepth: Int { sound.bitDepth }

    /// - Parameters:
    ///   - sampleRate: frames a second of the sound.
    ///   - count: frames of it that are left out at the front.
    /// - Throws: what is wrong with the input.
    init(_ ending: CrossfadeTail, sampleRate: Int, skipping count: Int, interrupter: Interrupter) throws {
        let asset = try Asset.open(ending.input, choice: ending.choice, interrupter: interrupter)
        var (place, skipped) = (ending.place, count)
        if ending.rate == 1, asset.info.sampleRate != sampleRate {
            // The converter is to know what comes before.
            let lead = SampleRateConverter.lead(sourceRate: asset.info.sampleRate, targetRate: sampleRate)
            let earlier = place - MediaTime(frame: Int64(lead.source), sampleRate: asset.info.sampleRate)
            if earlier >= .zero { (place, skipped) = (earlier, count + lead.target) }
        }
        try asset.seek(to: place)
        sound = try TrackSound(
            asset, rate: ending.rate, sampleRate: sampleRate, gain: GainRamp(ending.gain))
        if skipped > 0 { _ = read(frames: skipped) }
    }

    /// The next `count` frames.
    func read(frames count: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(2 * count)
        do {
            while samples.count < 2 * count, let block = try sound.read(maximumFrames: count - samples.count / 2) {
                samples += block
            }
        } catch {
            failure = error
        }
        return samples + [Float](repeating: 0, count: 2 * count - samples.count)
    }
}
