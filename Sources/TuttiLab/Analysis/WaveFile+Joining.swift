extension WaveFile {
    /// The same sound at another rate.
    package func resampled(to rate: Double) -> WaveFile {
        guard Double(sampleRate) != rate else { return self }
        let step = Double(sampleRate) / rate
        let interpolator = SincInterpolator(ratio: max(step, 1))
        let resampled = channels.map { channel in
            var output = [Float](repeating: 0, count: Int(Double(channel.count) / step))
            channel.withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { interpolator.sample(input, start: 0, step: step, into: $0) }
            }
            return output
        }
        return WaveFile(sampleRate: Int(rate), channels: resampled)
    }

    /// This sound and then another, brought to this one's rate.
    package func followed(by other: WaveFile) -> WaveFile {
        let next = other.resampled(to: Double(sampleRate))
        return WaveFile(sampleRate: sampleRate, channels: zip(channels, next.channels).map { $0 + $1 })
    }
}
