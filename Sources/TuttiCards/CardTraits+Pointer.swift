extension CardTraits {
    /// Frames that have left `time` ns after the start, at `rate` frames a second; 0 before the first.
    package func frames(after time: Double, rate: Double) -> Double {
        let since = time - Double(startLatency)
        guard since > 0 else { return 0 }
        let locking = min(since, Double(Self.lockingTime))
        return rate * 1e-9 * (1 + ppm * 1e-6) * (since + locking * lockingPpm * 1e-6)
    }

    /// What the card's pointer says at that time, if `written` frames have been handed over.
    package func pointer(after time: Double, rate: Double, written: Int64 = .max) -> Int64 {
        var time = time
        if let pauses, pauses.interval > 0 {
            let begin = (time / Double(pauses.interval)).rounded(.down) * Double(pauses.interval)
            if begin > 0, time - begin < Double(pauses.length) { time = begin }
        }
        let whole = Int64(frames(after: time, rate: rate)) / Int64(step) * Int64(step)
        return min(whole + Int64(lead), written)
    }

    /// The position that a program computes: frames written less the delay.
    package func position(after time: Double, rate: Double, written: Int64 = .max) -> Int64 {
        pointer(after: time, rate: rate, written: written) - Int64(delaySurplus)
    }
}
