extension ImpulseResponse {
    /// Frames to the response's main peak, where all channels' energy is highest: the centre of a linear-phase filter,
    /// the direct sound of a room. 0 for a response that has values that are not numbers.
    package var delay: Int {
        var best = (frame: 0, energy: 0.0)
        for frame in 0..<channels[0].count {
            let energy = channels.reduce(0) { $0 + Double($1[frame]) * Double($1[frame]) }
            if energy > best.energy { best = (frame, energy) }
        }
        return best.frame
    }

    /// Frames to the main peak once the response has been resampled to `rate`, with what that takes.
    func delay(at rate: Int) -> Int {
        guard rate != sampleRate else { return delay }
        return Int((Double(delay) * Double(rate) / Double(sampleRate)).rounded()) + resamplingDelay(at: rate)
    }
}
