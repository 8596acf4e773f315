import TuttiLoudness
import TuttiStore

/// The meter of one track in stereo; kept until its album is complete.
///
/// `@unchecked Sendable`: one thread at a time uses it. Whoever has measured hands it on under a lock.
final class ScanMeter: @unchecked Sendable {
    private let meter: LoudnessMeter

    /// A meter; nil when there is no memory for one.
    init?(sampleRate: Int) {
        guard let meter = try? LoudnessMeter(channelCount: 2, sampleRate: sampleRate) else { return nil }
        self.meter = meter
    }

    /// Measures interleaved stereo; what is not sound counts as none.
    func add(_ samples: [Float]) { try? meter.add(samples) }

    /// What was measured so far, of several tracks as if they were one.
    static func figures(of meters: [ScanMeter]) -> MeasuredTrack.Figures {
        let all = meters.map(\.meter)
        let integrated = LoudnessMeter.integrated(of: all)
        return MeasuredTrack.Figures(
            integrated: integrated, range: integrated == nil ? nil : LoudnessMeter.range(of: all),
            peak: all.compactMap(\.truePeak).max())
    }
}
