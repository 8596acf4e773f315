import CEBUR128
import Glibc

/// Measures loudness and true peak after EBU R 128 and ITU-R BS.1770 (libebur128).
///
/// Memory is bounded however long the programme is: gating blocks are counted in a histogram of 0.1 LU. Channels are in
/// the order of FFmpeg and WAVE: left, right, centre, LFE, surrounds; LFE does not count, and neither does a single
/// channel count as two. Used by one thread at a time; `add` allocates nothing after `init`.
package final class LoudnessMeter {
    /// Sound that can be measured.
    private static let channelCounts = 1...8
    private static let sampleRates = 8_000...768_000
    /// Samples beyond this magnitude (160 dB above full scale) are errors, not sound, and would deafen the filters.
    private static let largest: Float = 1e8

    /// Channels of the sound.
    package let channelCount: Int
    /// Frames a second.
    package let sampleRate: Int
    private let state: UnsafeMutablePointer<ebur128_state>

    /// A meter that has heard nothing.
    ///
    /// - Throws: `LoudnessError.unsupportedFormat`, `.outOfMemory`.
    package init(channelCount: Int, sampleRate: Int) throws(LoudnessError) {
        guard Self.channelCounts.contains(channelCount), Self.sampleRates.contains(sampleRate) else {
            throw .unsupportedFormat(channelCount: channelCount, sampleRate: sampleRate)
        }
        let modes = [
            EBUR128_MODE_S, EBUR128_MODE_I, EBUR128_MODE_LRA, EBUR128_MODE_TRUE_PEAK, EBUR128_MODE_HISTOGRAM,
        ]
        let mode = modes.reduce(0) { $0 | Int32($1.rawValue) }
        guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), mode) else { throw .outOfMemory }
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.state = state
        for (index, position) in Self.positions(channelCount).enumerated() {
            ebur128_set_channel(state, UInt32(index), Int32(position.rawValue))
        }
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Measures interleaved frames after those before; takes none of them when it throws.
    ///
    /// - Throws: `LoudnessError.partialFrame`, `.badSample`, `.outOfMemory`.
    package func add(_ samples: UnsafeBufferPointer<Float>) throws(LoudnessError) {
        guard samples.count.isMultiple(of: channelCount) else {
            throw .partialFrame(samples: samples.count, channelCount: channelCount)
        }
        guard let start = samples.baseAddress else { return }
        var index = 0
        while index < samples.count {
            // False for what is not a number, too.
            guard abs(start[index]) <= Self.largest else { throw .badSample(index: index) }
            index += 1
        }
        guard ebur128_add_frames_float(state, start, samples.count / channelCount) == 0 else { throw .outOfMemory }
    }

    /// Measures interleaved frames after those before; takes none of them when it throws.
    ///
    /// - Throws: `LoudnessError.partialFrame`, `.badSample`, `.outOfMemory`.
    package func add(_ samples: [Float]) throws(LoudnessError) {
        try samples.withUnsafeBufferPointer { (buffer) throws(LoudnessError) in try add(buffer) }
    }

    /// Loudness of the last 400 ms in LUFS; nil for silence.
    package var momentary: Double? { value { ebur128_loudness_momentary(state, &$0) } }

    /// Loudness of the last 3 s in LUFS; nil for silence.
    package var shortTerm: Double? { value { ebur128_loudness_shortterm(state, &$0) } }

    /// Gated loudness of everything in LUFS; nil as long as nothing is above −70 LUFS.
    package var integrated: Double? { value { ebur128_loudness_global(state, &$0) } }

    /// The range between soft and loud in LU (EBU Tech 3342); 0 for less than 3 s.
    package var range: Double { value { ebur128_loudness_range(state, &$0) } ?? 0 }

    /// The highest true peak of all channels in dBTP; nil for silence.
    package var truePeak: Double? { (0..<channelCount).compactMap(truePeak(of:)).max() }

    /// The true peak of a channel in dBTP: 4 times oversampled, twice from 96 kHz, not at all from 192 kHz. Nil for
    /// silence, and for a channel that is not there.
    package func truePeak(of channel: Int) -> Double? {
        guard (0..<channelCount).contains(channel) else { return nil }
        guard let peak = value({ ebur128_true_peak(state, UInt32(channel), &$0) }), peak > 0 else { return nil }
        return 20 * log10(peak)
    }

    /// Gated loudness of several programmes taken as one, as of an album's tracks, in LUFS; nil as long as nothing is
    /// above −70 LUFS.
    package static func integrated(of meters: [LoudnessMeter]) -> Double? {
        combined(meters, ebur128_loudness_global_multiple)
    }

    /// The range between soft and loud of several programmes taken as one, in LU.
    package static func range(of meters: [LoudnessMeter]) -> Double {
        combined(meters, ebur128_loudness_range_multiple) ?? 0
    }

    private static func combined(
        _ meters: [LoudnessMeter],
        _ function: (
            UnsafeMutablePointer<UnsafeMutablePointer<ebur128_state>?>?, Int, UnsafeMutablePointer<Double>?
        ) -> Int32
    ) -> Double? {
        guard !meters.isEmpty else { return nil }
        // The states are freed with their meters.
        return withExtendedLifetime(meters) {
            var states: [UnsafeMutablePointer<ebur128_state>?] = meters.map(\.state)
            var result = 0.0
            return function(&states, states.count, &result) == 0 && result.isFinite ? result : nil
        }
    }

    private func value(_ read: (inout Double) -> Int32) -> Double? {
        var result = 0.0
        return read(&result) == 0 && result.isFinite ? result : nil
    }

    /// Where the channels of a layout stand; empty where the library's own idea is right.
    private static func positions(_ channelCount: Int) -> [channel] {
        let front = [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED]
        return switch channelCount {
        case 3: Array(front.prefix(3))
        case 4: [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
        case 5: Array(front.prefix(3)) + [EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
        case 6: front + [EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
        case 7: front + [EBUR128_Mp180, EBUR128_Mp090, EBUR128_Mm090]
        case 8: front + [EBUR128_Mp135, EBUR128_Mm135, EBUR128_Mp090, EBUR128_Mm090]
        default: []
        }
    }
}
