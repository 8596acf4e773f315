/// How much longer than its least a direction's delay is: gamma distributed, with stamps that are a little uncertain.
///
/// One hop that queues gives shape 1 (exponential), two such hops in a row shape 2. An excess is seen as
/// x = g − n²/g, with g gamma distributed and n the noise: what lies far above the floor is hardly changed, and below
/// it the probability falls with the square of the distance only, so a wrong stamp on the early side costs little.
struct DelayModel: Sendable, Equatable {
    /// The shapes that are told apart.
    enum Shape: Sendable, CaseIterable {
        case one, oneAndHalf, two, three

        /// Whether it is that shape, or as near to it as there is one.
        func isNext(to other: Shape) -> Bool {
            switch (self, other) {
            case (.one, .two), (.two, .one), (.one, .three), (.three, .one), (.oneAndHalf, .three),
                (.three, .oneAndHalf):
                false
            default: true
            }
        }

        /// The shape as a number.
        var value: Double {
            switch self {
            case .one: 1
            case .oneAndHalf: 1.5
            case .two: 2
            case .three: 3
            }
        }

        /// Logarithm of how likely it is beforehand. A sharp floor that is not there gives false certainty, so it is
        /// believed only when it shows.
        var bias: Double {
            switch self {
            case .one: -3
            case .oneAndHalf: -1.5
            case .two: 0
            case .three: -2
            }
        }

        /// Below which multiple of the scale 70 % of the excesses lie.
        var quantile70: Double {
            switch self {
            case .one: 1.20397
            case .oneAndHalf: 1.83244
            case .two: 2.43922
            case .three: 3.61557
            }
        }

        /// Logarithm of the gamma function of the shape.
        var logGamma: Double {
            switch self {
            case .one, .two: 0
            case .oneAndHalf: -0.120782
            case .three: Logarithm.ofTwo
            }
        }
    }

    var shape = Shape.one
    /// Scale of the gamma distribution, nanoseconds.
    var scale = 100_000.0

    /// An excess beyond this is not of this distribution (a stall) and says no more than one just here.
    var limit: Double { scale * (3.5 + 2 * shape.value) }

    /// Logarithm of the density at the limit, as far as it depends on the excess.
    var scoreAtLimit: Double {
        let limit = 3.5 + 2 * shape.value
        return (shape.value - 1) * Logarithm.of(limit) - limit
    }

    /// The scale at which one of `count` excesses is expected, times a third: how finely the floor is known.
    func resolution(count: Double, noise: Double) -> Double {
        let n = max(count, 1)
        let edge: Double
        switch shape {
        case .one: edge = scale / n
        case .oneAndHalf: edge = scale * 1.1 / (n.squareRoot() * n.squareRoot().squareRoot())
        case .two: edge = scale * 1.4 / n.squareRoot()
        case .three: edge = scale * 1.8 / n.squareRoot().squareRoot()
        }
        return max(edge / 2, noise / 3)
    }

    /// The factor of the density that is not exponential, for `excess` in units of the scale; `blur` is (2n / scale)².
    func factor(_ excess: Double, blur: Double) -> Double {
        factor(SIMD2(repeating: excess), blur: SIMD2(repeating: blur))[0]
    }

    /// The same for two of them at once.
    @inline(__always)
    func factor(_ excess: SIMD2<Double>, blur: SIMD2<Double>) -> SIMD2<Double> {
        let root = (excess * excess + blur).squareRoot()
        let size = excess.replacing(with: -excess, where: excess .< 0)
        // Half the sum without cancellation below the floor.
        let sum = (size + root) / 2
        let g = sum.replacing(with: blur / (4 * sum), where: excess .< 0)
        switch shape {
        case .one: return g / root
        case .oneAndHalf: return g * g.squareRoot() / root
        case .two: return g * g / root
        case .three: return g * g * g / root
        }
    }
}

extension DelayModel {
    /// Logarithm of the density at `excess`, noise of `variance` included; clipped at the limit.
    func logDensity(_ excess: Double, variance: Double) -> Double {
        let unit = 1 / scale
        let u = min(excess, limit) * unit
        let root = (u * u + 4 * variance * unit * unit).squareRoot()
        return Logarithm.of(factor(u, blur: 4 * variance * unit * unit)) - (u + root) / 2 - Logarithm.of(scale)
            - shape.logGamma
    }
}
