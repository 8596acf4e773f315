import TuttiCore

/// A WAV file of 16 bits, for sound that is made and not read.
package enum WaveBytes {
    /// The bytes of the file.
    ///
    /// - Parameters:
    ///   - samples: of one channel; full scale at ±1; beyond that they are clipped.
    ///   - channelCount: how many channels hold them, 1 … 8.
    package static func encode(_ samples: [Float], sampleRate: Int, channelCount: Int = 1) -> [UInt8] {
        let integers = samples.map { Int16((min(max($0, -1), 1) * 32_767).rounded()) }
        let count = min(max(channelCount, 1), 8)
        let frames = count == 1 ? integers : integers.flatMap { repeatElement($0, count: count) }
        return WAVHeader.file(frames, sampleRate: sampleRate, channelCount: count)
    }
}
