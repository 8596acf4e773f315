extension DeckVoice {
    /// Scales the first frames of a run that comes up.
    mutating func fadeIn(_ output: UnsafeMutablePointer<Float>, _ frames: Int) {
        var index = 0
        while index < frames && fadeInPlayed < fadeInLength {
            let gain = fade((Float(fadeInPlayed) + 0.5) / Float(fadeInLength))
            output[2 * index] *= gain
            output[2 * index + 1] *= gain
            fadeInPlayed += 1
            index += 1
        }
    }

    /// The output frame of this period at which the fade-out begins or continues; nil while it is not due.
    mutating func findFadeOut(_ period: RenderPeriod, _ shared: UnsafeMutablePointer<DeckShared>) -> Int? {
        if fadeOutPlayed != nil { return 0 }
        guard let end = shared.pointee.end else { return nil }
        if end.instant == .min { return 0 }
        guard period.isUsable else { return nil }
        let until = (period.frames(until: end.instant) - 1e-6).rounded(.up)
        return until < Double(period.frameCount) ? Int(max(0, until)) : nil
    }

    /// Takes the level down from `first` on; the deck is finished when it is at the bottom.
    mutating func fadeOut(
        _ output: UnsafeMutablePointer<Float>, from first: Int, _ period: RenderPeriod,
        _ shared: UnsafeMutablePointer<DeckShared>
    ) {
        let length = frames(Double(shared.pointee.end?.fadeOutNanoseconds ?? 0) * 1e-9)
        var played = fadeOutPlayed ?? 0
        sound.end = min(sound.end, first + max(0, length - played))
        var index = first
        while index < period.frameCount {
            let gain = played < length ? 1 - fade((Float(played) + 0.5) / Float(length)) : 0
            output[2 * index] *= gain
            output[2 * index + 1] *= gain
            if played < length { played += 1 }
            index += 1
        }
        fadeOutPlayed = played
        if played >= length { hasFinished = true }
    }

    /// Makes `frames` frames of silence at `output`.
    func silence(_ output: UnsafeMutablePointer<Float>, _ frames: Int) -> UnsafeMutablePointer<Float> {
        output.update(repeating: 0, count: 2 * frames)
        return output
    }
}
