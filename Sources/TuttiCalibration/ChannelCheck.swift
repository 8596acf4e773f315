import Glibc
import TuttiSignal

/// Whether the two channels of a recording can be compared at all.
struct ChannelCheck {
    /// RMS of the loudest tenth of a second in each channel.
    let loudest: (left: Double, right: Double)
    /// The share of samples of each channel that are clipped.
    let clipped: (left: Double, right: Double)

    /// −70 dB of full scale: a line without a signal is quieter, music is louder.
    static let quietest = 3.2e-4
    /// One channel may be so much weaker than the other. Where it is still weaker it is the other one that is heard,
    /// through the card.
    private static let weakest = 1 / 200.0
    /// What is left of one channel without the other, in power, where both are the same: −80 dB.
    private static let sameness = 1e-8
    /// The share of clipped samples that is too much. Loud masters have less.
    private static let clippedLimit = 0.005
    /// Full scale as 16 bits have it, less a little.
    private static let fullScale: Float = 0.9998
    /// So many samples at full scale in a row are clipped.
    private static let clippedRun = 3

    /// - Throws: `.silent`, `.dead`, `.identical` or `.clipped`.
    init(left: [Float], right: [Float], sampleRate: Int) throws(MeasurementError) {
        loudest = (
            Self.loudest(left, hop: max(1, sampleRate / 10)), Self.loudest(right, hop: max(1, sampleRate / 10))
        )
        clipped = (Self.clippedShare(left), Self.clippedShare(right))
        let (weak, strong) = (min(loudest.left, loudest.right), max(loudest.left, loudest.right))
        guard strong >= Self.quietest else { throw .silent }
        guard weak >= Self.quietest, weak >= strong * Self.weakest else {
            let decibels = min(199, 20 * log10(strong / max(weak, 1e-10)))
            throw .dead(loudest.left < loudest.right ? .left : .right, decibels: decibels)
        }
        guard !Self.areSame(left, right) else { throw .identical }
        if max(clipped.left, clipped.right) > Self.clippedLimit {
            throw clipped.left > clipped.right
                ? .clipped(.left, share: clipped.left) : .clipped(.right, share: clipped.right)
        }
    }

    /// RMS of the loudest `hop` samples.
    static func loudest(_ samples: [Float], hop: Int) -> Double {
        stride(from: 0, to: samples.count, by: hop).reduce(0) { loudest, start in
            max(loudest, samples[start..<min(samples.count, start + hop)].rootMeanSquare)
        }
    }

    /// The share of samples that are clipped: three or more at full scale in a row.
    static func clippedShare(_ samples: [Float]) -> Double {
        var (count, run) = (0, 0)
        var sign = FloatingPointSign.plus
        for sample in samples {
            guard abs(sample) >= fullScale else {
                run = 0
                continue
            }
            run = run > 0 && sample.sign == sign ? run + 1 : 1
            sign = sample.sign
            if run == clippedRun { count += clippedRun } else if run > clippedRun { count += 1 }
        }
        return samples.isEmpty ? 0 : Double(count) / Double(samples.count)
    }

    /// Whether one channel is the other one at some volume.
    private static func areSame(_ left: [Float], _ right: [Float]) -> Bool {
        var (ll, lr, rr) = (0.0, 0.0, 0.0)
        for (l, r) in zip(left, right) {
            let (l, r) = (Double(l), Double(r))
            ll += l * l
            lr += l * r
            rr += r * r
        }
        return ll > 0 && rr > 0 && lr > 0 && rr - lr * lr / ll <= sameness * rr
    }
}
