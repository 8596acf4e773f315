import Glibc
package import TuttiChain

/// What a preset of reverberation is in numbers.
///
/// | preset | RT60 up to 250 Hz | at 1 kHz | at 8 kHz | lines | pre-delay |
/// |---|---|---|---|---|---|
/// | small room | 0.4 s | 0.4 s | 0.3 s | 7 … 26 ms | 2 ms |
/// | medium room | 0.7 s | 0.67 s | 0.45 s | 10 … 38 ms | 5 ms |
/// | large room | 1.1 s | 1.05 s | 0.6 s | 14 … 54 ms | 9 ms |
/// | medium hall | 1.8 s | 1.6 s | 0.9 s | 20 … 76 ms | 16 ms |
/// | large hall | 2.8 s | 2.5 s | 1.2 s | 26 … 98 ms | 24 ms |
/// | plate | 2 s | 1.9 s | 1.4 s | 11 … 67 ms | none |
/// | cathedral | 6 s | 4.9 s | 1.8 s | 36 … 133 ms | 32 ms |
package struct ReverbRoom: Sendable, Hashable {
    /// Seconds in which low frequencies, up to some 250 Hz, decay by 60 dB.
    package let lowDecay: Double
    /// Seconds in which 8 kHz decays by 60 dB.
    package let highDecay: Double
    /// Seconds of the network's shortest and longest line.
    let lines: ClosedRange<Double>
    /// Seconds before the network.
    let preDelay: Double

    /// A preset's numbers.
    package init(_ preset: Reverb.Preset) {
        switch preset {
        case .smallRoom: self.init(0.4, 0.3, 0.007...0.026, 0.002)
        case .mediumRoom: self.init(0.7, 0.45, 0.010...0.038, 0.005)
        case .largeRoom: self.init(1.1, 0.6, 0.014...0.054, 0.009)
        case .mediumHall: self.init(1.8, 0.9, 0.020...0.076, 0.016)
        case .largeHall: self.init(2.8, 1.2, 0.026...0.098, 0.024)
        case .plate: self.init(2, 1.4, 0.011...0.067, 0)
        case .cathedral: self.init(6, 1.8, 0.036...0.133, 0.032)
        }
    }

    private init(_ low: Double, _ high: Double, _ lines: ClosedRange<Double>, _ preDelay: Double) {
        lowDecay = low
        highDecay = high
        self.lines = lines
        self.preDelay = preDelay
    }

    /// Frames of `count` lines at a rate: primes, so that no two lines' echoes coincide, spread evenly by ratio.
    package func lineLengths(count: Int, rate: Double) -> [Int] {
        let ratio = lines.upperBound / lines.lowerBound
        var lengths: [Int] = []
        for index in 0..<count {
            let seconds = lines.lowerBound * pow(ratio, Double(index) / Double(count - 1))
            lengths.append(Self.prime(from: max(Int(seconds * rate), (lengths.last ?? 16) + 1)))
        }
        return lengths
    }

    /// Frames of a channel's all-passes: primes again, a little different from channel to channel.
    func allPassLengths(channel: Int, rate: Double) -> [Int] {
        [0.19, 0.31, 0.47, 0.71].map { share in
            Self.prime(from: max(17, Int(share * (1 + 0.037 * Double(channel)) * lines.lowerBound * rate)))
        }
    }

    /// The first-order shelf that a line of `length` frames needs to decay as the room does: y = b0 x + b1 x' + a y'.
    package func filter(length: Int, rate: Double) -> (b0: Double, b1: Double, a: Double) {
        let seconds = Double(length) / rate
        let low = pow(10, -3 * seconds / lowDecay)
        // 8 kHz, or what there is of it.
        let reference = min(8_000, 0.4 * rate)
        let high = pow(10, -3 * seconds / highDecay)
        let pole = tan(.pi * min(3_000, 0.2 * rate) / rate)
        let frequency = tan(.pi * reference / rate)
        // |H|² = (g² ω² + low² ωp²) / (ω² + ωp²) is high² at the reference.
        let square = high * high * (frequency * frequency + pole * pole) - low * low * pole * pole
        let top = max(0, square).squareRoot() / frequency
        return ((top + low * pole) / (1 + pole), (low * pole - top) / (1 + pole), (1 - pole) / (1 + pole))
    }

    private static func prime(from start: Int) -> Int {
        var candidate = start
        while !isPrime(candidate) { candidate += 1 }
        return candidate
    }

    private static func isPrime(_ value: Int) -> Bool {
        guard value > 2, !value.isMultiple(of: 2) else { return value == 2 }
        var divisor = 3
        while divisor * divisor <= value {
            if value.isMultiple(of: divisor) { return false }
            divisor += 2
        }
        return true
    }
}
