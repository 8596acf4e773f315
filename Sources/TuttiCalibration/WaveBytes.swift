import TuttiCore

/// A WAV file of one channel of 16 bits, for sound that is made and not read.
package enum WaveBytes {
    /// The bytes of the file.
    ///
    /// - Parameter samples: full scale at ±1; beyond that they are clipped.
    package static func encode(_ samples: [Float], sampleRate: Int) -> [UInt8] {
        let integers = samples.map { Int16((min(max($0, -1), 1) * 32_767).rounded()) }
        return WAVHeader.file(integers, sampleRate: sampleRate, channelCount: 1)
    }
}
