extension WaveFile {
    /// The same sound at another rate.
    package func resampled(to rate: Double) -> WaveFile {
        guard Double(sampleRate) != rate else { return self }
        let step = Double(sampleRate) / rate
        let interpolator = SincInterpolator(ratio: max(step, 1))
        let resampled = channels.map { channel in
            interpolator.samples(of: channel, start: 0, step: step, count: Int(Double(channel.count) / step))
        }
        return WaveFile(sampleRate: Int(rate), channels: resampled)
    }

    /// This sound and then another, brought to this one's rate.
    package func followed(by other: WaveFile) -> WaveFile {
        let next = other.resampled(to: Double(sampleRate))
        return WaveFile(sampleRate: sampleRate, channels: zip(channels, next.channels).map { $0 + $1 })
    }
}
