import Testing
import TuttiClock
import TuttiCore

/// Many followers of one leader, each with its own oscillator and link, and how their errors compare.
struct Trial: Sendable, CustomTestStringConvertible {
    /// What the followers know before the first exchange.
    enum Knowledge: Sendable {
        case nothing
        /// The drift, within half a ppm.
        case drift
        /// A line within 8 µs and 0.1 ppm, so many seconds ago.
        case line(pause: Double)
    }

    var profile: NetworkProfile
    var knowledge = Knowledge.nothing
    /// How the followers' rates change steadily, ppm a minute.
    var ppmPerMinute = 0.0
    /// Seconds after the first exchange between which the errors are looked at, and the largest p99 of a pair's
    /// difference in each, µs.
    var windows: [(seconds: ClosedRange<Double>, limit: Double)]

    var testDescription: String { "\(profile.name), knowing \(knowledge), \(ppmPerMinute) ppm a minute" }

    /// Errors in µs and in standard deviations that the followers claim.
    struct Result {
        /// By window and follower.
        var errors: [[[Double]]]
        var scores: [[Double]]

        /// The value below which a share of all differences of two followers lies, by window.
        func pairs(_ share: Double) -> [Double] {
            errors.map { followers in
                var differences: [Double] = []
                for distance in 1...3 {
                    for (index, errors) in followers.enumerated() {
                        let other = followers[(index + distance) % followers.count]
                        differences += zip(errors, other).map { abs($0 - $1) }
                    }
                }
                return percentile(differences, share)
            }
        }
    }

    /// Runs `count` followers.
    func run(count: Int, looks: Int = 5) -> Result {
        var result = Result(
            errors: windows.map { _ in [] }, scores: windows.map { _ in [] })
        for seed in 0..<UInt64(count) {
            var (simulation, start) = follower(seed: seed)
            for (index, window) in windows.enumerated() {
                var errors: [Double] = []
                let length = window.seconds.upperBound - window.seconds.lowerBound
                for look in 0..<looks {
                    let seconds = window.seconds.lowerBound + length * (Double(look) + 0.1) / Double(looks)
                    let time = (start + seconds) * 1e9
                    simulation.run(until: time)
                    let error = simulation.error(at: time) ?? .infinity
                    let sigma = simulation.follower.estimate?.sigma(
                        atHostNanoseconds: simulation.hostTime(time).nanoseconds)
                    errors.append(error / 1_000)
                    result.scores[index].append(abs(error) / (sigma ?? 1e-9))
                }
                result.errors[index].append(errors)
            }
        }
        return result
    }

    /// A follower and the second at which it begins.
    private func follower(seed: UInt64) -> (ExchangeSimulation, start: Double) {
        var generator = SeededGenerator(seed + 1_000)
        let ppm = (generator.uniform() * 2 - 1) * 100
        let end = windows.map(\.seconds.upperBound).max() ?? 0
        var start = 0.0
        if case .line(let pause) = knowledge { start = pause }
        var remembered: (value: Double, sigma: Double)?
        if case .drift = knowledge { remembered = (-ppm + generator.gaussian(sigma: 0.5), 0.5) }
        var simulation = ExchangeSimulation(
            profile, ppm: ppm, seed: seed, seconds: Int(start + end) + 10, ppmPerMinute: ppmPerMinute,
            remembered: remembered)
        if start > 0 { simulation.continueLine(after: start * 1e9, offsetSigma: 8_000, driftSigma: 1e-7) }
        return (simulation, start)
    }
}
