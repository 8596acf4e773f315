import TuttiSignal

/// What of a sound is drawn, collected while it goes by.
///
/// Guard of `@unchecked Sendable`: the thread that renders uses it, taps of offline rendering included.
final class ExportSketch: @unchecked Sendable {
    let sampleRate: Int
    private(set) var envelope = WaveformEnvelope()
    private(set) var spectrum: AverageSpectrum

    init(sampleRate: Int) {
        self.sampleRate = sampleRate
        spectrum = AverageSpectrum(sampleRate: sampleRate)
    }

    /// Adds frames of two channels of equal length.
    func add(_ left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>) {
        for frame in 0..<min(left.count, right.count) { add(left[frame], right[frame]) }
    }

    /// Adds interleaved frames of two channels.
    func add(interleaved samples: UnsafeBufferPointer<Float>) {
        for frame in 0..<samples.count / 2 { add(samples[2 * frame], samples[2 * frame + 1]) }
    }

    private func add(_ left: Float, _ right: Float) {
        envelope.add(left, right)
        spectrum.add(left, right)
    }
}
