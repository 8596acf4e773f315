import TuttiChain

/// Chains, and texts that are nearly ones, by seed.
struct RandomChains: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64, of S. Vigna.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number within limits; often a round one, or a limit.
    mutating func number(_ limits: ClosedRange<Double>) -> Double {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: limits.lowerBound
        case 1: limits.upperBound
        case 2: min(max(Double.random(in: limits, using: &self).rounded(), limits.lowerBound), limits.upperBound)
        default: Double.random(in: limits, using: &self)
        }
    }

    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func band() -> EQBand {
        let kind = element(EQBand.Kind.allCases)
        return EQBand(
            kind, frequency: number(EQBand.Limits.frequencies), gain: kind.hasGain ? number(EQBand.Limits.gains) : 0,
            q: Bool.random(using: &self) ? EQBand(.peak, frequency: 1).q : number(EQBand.Limits.qualities))
    }

    mutating func matrix() -> ChannelMatrix {
        let (rows, columns) = (Int.random(in: 1...8, using: &self), Int.random(in: 1...8, using: &self))
        if Bool.random(using: &self) { return element([.stereo, .left, .right, .mono, .swapped]) }
        return ChannelMatrix(
            (0..<rows).map { _ in (0..<columns).map { _ in number(ChannelMatrix.Limits.gains) } })
    }

    mutating func name() -> String {
        let letters = Array("abc /\\\"'#=;,:. é漢🎵zerolatency-[]{}&*!|>%@`")
        return String((0..<Int.random(in: 1...12, using: &self)).map { _ in element(letters) })
    }

    mutating func effect() -> Effect {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: .gain(number(EffectChain.Limits.gains))
        case 1: .channels(matrix())
        case 2: .equalizer((0..<Int.random(in: 1...9, using: &self)).map { _ in band() })
        case 3:
            .convolution(
                Convolution(
                    impulse: name(), gain: number(Convolution.Limits.gains), hasZeroLatency: Bool.random(using: &self),
                    name: Bool.random(using: &self) ? name() : ""))
        case 4: .reverb(Reverb(element(Reverb.Preset.allCases), wetDryMix: number(Reverb.Limits.wetDryMixes)))
        case 5:
            .delay(
                Delay(
                    time: number(Delay.Limits.times), feedback: number(Delay.Limits.feedbacks),
                    wetDryMix: number(Delay.Limits.wetDryMixes)))
        case 6:
            .compressor(
                Compressor(
                    threshold: number(Compressor.Limits.thresholds), ratio: number(Compressor.Limits.ratios),
                    knee: number(Compressor.Limits.knees), attack: number(Compressor.Limits.attacks),
                    release: number(Compressor.Limits.releases), makeUpGain: number(Compressor.Limits.makeUpGains)))
        case 7:
            .limiter(Limiter(ceiling: number(Limiter.Limits.ceilings), release: number(Limiter.Limits.releases)))
        case 8:
            .crossfeed(
                Crossfeed(frequency: number(Crossfeed.Limits.frequencies), level: number(Crossfeed.Limits.levels)))
        default:
            .crossover(
                Crossover(
                    element([.low, .high]), frequency: number(Crossover.Limits.frequencies),
                    slope: element(Crossover.Limits.slopes)))
        }
    }

    mutating func chain() -> EffectChain {
        EffectChain((0..<Int.random(in: 0...8, using: &self)).map { _ in effect() })
    }

    /// `text` with bytes changed, left out and repeated, and cut.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let odd = Array("0123456789.-+eE=;,\"\\#/: \n[]{}\u{0}%kxNaN".utf8)
        for _ in 0..<Int.random(in: 0...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[place] = element(odd)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: "1e999".utf8, at: place)
            default: bytes.insert(element(odd), at: place)
            }
        }
        return String(decoding: bytes.prefix(Int.random(in: 0...max(bytes.count, 1), using: &self)), as: UTF8.self)
    }
}
