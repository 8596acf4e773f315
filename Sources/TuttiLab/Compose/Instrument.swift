import Foundation

/// The players of the composed piece: each makes the sample of a note at a time after its start.
enum Instrument {
    /// An electric piano: two operators of frequency modulation, brighter at the attack.
    case keys
    /// A soft string-like chord, slightly out of tune with itself.
    case pad
    /// A plucked bass.
    case bass
    /// A struck bar of metal: the melody.
    case bells
    /// A low drum.
    case kick
    /// A brush on a drum.
    case brush
    /// A shaker.
    case shaker

    /// Seconds a note sounds on after its written end.
    var release: Double {
        switch self {
        case .keys: 0.25
        case .pad: 0.6
        case .bass: 0.08
        case .bells: 1.2
        case .kick, .brush, .shaker: 0.05
        }
    }

    /// The sample `time` seconds into a note of `frequency` Hz and `duration` seconds; `noise` is white, −1 to 1.
    func sample(_ time: Double, frequency: Double, duration: Double, noise: Double) -> Double {
        let turn = 2 * Double.pi * time
        let value: Double
        switch self {
        case .keys:
            let bright = 1.6 * exp(-time * 3.5)
            let tine = 0.25 * exp(-time * 9) * sin(turn * frequency * 7.01)
            value = (sin(turn * frequency + bright * sin(turn * frequency * 2)) + tine) * exp(-time * 1.3)
        case .pad:
            var sum = 0.0
            for harmonic in 1...6 {
                let h = Double(harmonic)
                let level = 1 / (h * h.squareRoot())
                sum += level * (sin(turn * frequency * h * 1.0017) + sin(turn * frequency * h * 0.9981 + h))
            }
            value = 0.4 * sum * (1 - exp(-time * 6))
        case .bass:
            let body = sin(turn * frequency) + 0.45 * sin(turn * frequency * 2) * exp(-time * 4)
            value = (body + 0.25 * sin(turn * frequency * 3) * exp(-time * 9)) * exp(-time * 1.6)
        case .bells:
            let first = sin(turn * frequency) * exp(-time * 2.8)
            let third = 0.35 * sin(turn * frequency * 3.93) * exp(-time * 7)
            value = first + third + 0.18 * sin(turn * frequency * 9.24) * exp(-time * 16)
        case .kick:
            value =
                sin(2 * .pi * (48 * time + 5.5 * (1 - exp(-time * 28)))) * exp(-time * 9) + 0.1 * noise
                * exp(-time * 200)
        case .brush:
            value = noise * (exp(-time * 22) * 0.8 + exp(-time * 90)) + 0.4 * sin(turn * 185) * exp(-time * 30)
        case .shaker:
            value = noise * (1 - exp(-time * 180)) * exp(-time * 45)
        }
        return value * envelope(time, duration)
    }

    /// A click-free start and end.
    private func envelope(_ time: Double, _ duration: Double) -> Double {
        let attack = min(1, time / 0.002)
        guard time > duration else { return attack }
        let fall = max(0, 1 - (time - duration) / release)
        return attack * fall * fall
    }
}
