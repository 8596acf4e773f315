import CEBUR128
import Glibc
import TuttiStore

/// The meter of one track in stereo, through libebur128; kept until its album is complete.
///
/// `@unchecked Sendable`: one thread at a time uses it. Whoever has measured hands it on under a lock.
final class ScanMeter: @unchecked Sendable {
    private var state: UnsafeMutablePointer<ebur128_state>?

    private static let success = Int32(EBUR128_SUCCESS.rawValue)

    /// A meter; nil when there is no memory for one.
    init?(sampleRate: Int) {
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        guard let state = ebur128_init(2, UInt(sampleRate), Int32(mode)) else { return nil }
        self.state = state
    }

    deinit { ebur128_destroy(&state) }

    /// Measures interleaved stereo.
    func add(_ samples: [Float]) {
        samples.withUnsafeBufferPointer { samples in
            guard let state, let first = samples.baseAddress else { return }
            _ = ebur128_add_frames_float(state, first, samples.count / 2)
        }
    }

    /// What was measured so far, of several tracks as if they were one.
    static func figures(of meters: [ScanMeter]) -> MeasuredTrack.Figures {
        var states = meters.map(\.state)
        var (integrated, range) = (0.0, 0.0)
        let isLoud = ebur128_loudness_global_multiple(&states, states.count, &integrated) == Self.success
        let hasRange = ebur128_loudness_range_multiple(&states, states.count, &range) == Self.success
        let peak = meters.map(\.peak).max() ?? 0
        let measured = isLoud && integrated.isFinite ? integrated : nil
        return MeasuredTrack.Figures(
            integrated: measured, range: hasRange && range.isFinite && measured != nil ? range : nil,
            peak: peak > 0 && peak.isFinite ? 20 * log10(peak) : nil)
    }

    /// The highest true peak of both channels; 1 is full scale.
    private var peak: Double {
        guard let state else { return 0 }
        return (0..<UInt32(2)).map { channel in
            var peak = 0.0
            return ebur128_true_peak(state, channel, &peak) == Self.success ? peak : 0
        }.max() ?? 0
    }
}
