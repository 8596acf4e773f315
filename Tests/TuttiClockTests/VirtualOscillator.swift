/// A clock with an offset, a rate error and a wandering rate, against true time. All in nanoseconds.
struct VirtualOscillator {
    private let offset: Int64
    private var rates: [Double] = []
    private var errors: [Double] = [0]

    /// - Parameters:
    ///   - wander: variance of the rate's random walk, ppm² a second.
    ///   - ppmPerMinute: how the rate changes steadily.
    ///   - turn: by how many ppm it changes at once, and when.
    init(
        offset: Int64, ppm: Double, wander: Double = 2e-5, ppmPerMinute: Double = 0, seconds: Int,
        turn: (second: Int, ppm: Double)? = nil, generator: inout SeededGenerator
    ) {
        self.offset = offset
        var rate = ppm * 1e-6
        for second in 0...seconds + 1 {
            if let turn, second == turn.second { rate += turn.ppm * 1e-6 }
            rates.append(rate)
            errors.append((errors.last ?? 0) + rate * 1e9)
            rate += generator.gaussian(sigma: wander.squareRoot() * 1e-6) + ppmPerMinute * 1e-6 / 60
        }
    }

    /// How far the clock is from true time plus its offset.
    func error(at time: Double) -> Double {
        let second = min(max(Int(time / 1e9), 0), rates.count - 1)
        return errors[second] + rates[second] * (time - Double(second) * 1e9)
    }

    func rate(at time: Double) -> Double { rates[min(max(Int(time / 1e9), 0), rates.count - 1)] }

    /// The reading at true time `time`, to the nanosecond, plus its fraction.
    func reading(at time: Double) -> (whole: Int64, fraction: Double) {
        let total = time + error(at: time)
        let floor = total.rounded(.down)
        return (Int64(floor) + offset, total - floor)
    }

    /// The true time at which the clock reads `host`.
    func trueTime(of host: Int64) -> Double {
        let wanted = Double(host - offset)
        var time = wanted
        for _ in 0..<3 { time += wanted - (time + error(at: time)) }
        return time
    }
}
