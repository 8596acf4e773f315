/// The delays of one direction and the arithmetic on their floor. Storage is kept from fit to fit.
struct DelayEdge: Sendable {
    /// How uncertain the kernel's stamps of one direction are (the noise of `DelayModel`), nanoseconds.
    static let noise = 500.0
    /// In which steps the floor is looked for, in standard deviations of it; sums in steps of this size are as good as
    /// integrals.
    private static let step = 0.9
    /// Points so many steps above the floor are far from it.
    private static let nearSteps = 20.0
    /// Floors whose score is so much less than the best one's do not count.
    private static let negligible = 7.5

    var model = DelayModel()
    /// The floor at the centre and the step in which it is looked for, from the last fit.
    var guess: (edge: Double, step: Double)?
    private var residuals: [Double] = []
    /// The same in order, where the scatter is learnt.
    private var sorted: [Double] = []
    /// The points near the floor, two at a time.
    private var near: [(excess: SIMD2<Double>, blur: SIMD2<Double>)] = []
    /// The last one, where their number is odd.
    private var single: (excess: Double, blur: Double)?
    private var far = Far(edge: 0)

    /// The sum over the points that lie so far above the floor that their score is linear in it.
    private struct Far {
        /// The floor for which `score` holds.
        var edge: Double
        var score = 0.0
        /// How the score grows with the floor.
        var pull = 0.0
        /// The score of a point at the limit or beyond.
        var atLimit = 0.0
    }

    mutating func forget() { guess = nil }
    /// The centre moved: the floor there is `change` higher.
    mutating func shift(by change: Double) { guess?.edge += change }

    /// The posterior of the floor at `center` for delays that change with `slope`.
    ///
    /// - Parameters:
    ///   - slope: of the offset; delays on the way back change the other way round.
    ///   - blurs: the variance of each point's noise, in ns².
    mutating func posterior(
        _ points: [ClockSample], isForward: Bool, slope: Double, center: Double, blurs: [Double]
    ) -> EdgePosterior {
        project(points, isForward: isForward, slope: slope, center: center)
        return locate(blurs: blurs)
    }

    /// The delays as they would have been at `center`.
    private mutating func project(_ points: [ClockSample], isForward: Bool, slope: Double, center: Double) {
        residuals.removeAll(keepingCapacity: true)
        let tilt = isForward ? slope : -slope
        if isForward {
            for point in points { residuals.append(point.forward - tilt * (point.sentAt - center)) }
        } else {
            for point in points { residuals.append(point.backward - tilt * (point.receivedAt - center)) }
        }
    }

    private mutating func locate(blurs: [Double]) -> EdgePosterior {
        var (edge, step) = guess ?? firstGuess(residuals.sorted(), blurs: blurs)
        var result = EdgePosterior()
        for _ in 0..<12 {
            split(around: edge, step: step, blurs: blurs)
            let scan = scan(from: edge, step: step)
            result = scan.posterior
            guard let next = scan.next else { break }
            edge = next.edge
            step = next.step
        }
        guess = (result.mean, max(result.variance.squareRoot() * Self.step, 1))
        return result
    }

    /// Gets ready for `suppose`, at `slope`.
    mutating func prepare(_ points: [ClockSample], isForward: Bool, slope: Double, center: Double) {
        project(points, isForward: isForward, slope: slope, center: center)
        sorted = residuals.sorted()
    }

    /// Supposes another shape and learns its scale.
    ///
    /// - Returns: the logarithm of the likelihood of the shorter 70 % of the delays.
    mutating func suppose(_ shape: DelayModel.Shape, blurs: [Double]) -> Double {
        if shape != model.shape {
            model = DelayModel(shape: shape, scale: model.scale * model.shape.quantile70 / shape.quantile70)
        }
        // The floor is looked for anew, so that no false one is kept for good.
        guess = firstGuess(sorted, blurs: blurs)
        let count = sorted.count * 7 / 10
        guard count > 0 else { return 0 }
        var score = 0.0
        for _ in 0..<3 {
            let floor = locate(blurs: blurs).mean
            let before = model.scale
            model.scale = max((sorted[count] - floor) / shape.quantile70, 300)
            // The lowest of few excesses is the floor itself.
            let least = model.scale / Double(sorted.count).squareRoot() / 4
            var product = LogProduct()
            score = 0
            for index in 0..<count {
                let excess = max(sorted[index] - floor, least) / model.scale
                product.multiply(by: excess)
                score -= excess
            }
            score += (shape.value - 1) * product.logarithm
            score -= Double(count) * (Logarithm.of(model.scale) + shape.logGamma)
            if abs(model.scale - before) < before * 0.01 { break }
        }
        return score
    }

    /// The best of the lowest delays as floors.
    private mutating func firstGuess(_ sorted: [Double], blurs: [Double]) -> (edge: Double, step: Double) {
        let step = model.resolution(count: Double(residuals.count), noise: Self.noise)
        guard let first = sorted.first else { return (0, step) }
        var best = (score: -Double.infinity, edge: first)
        for rank in [0, 1, 2, 5, 13, 34] where rank < sorted.count {
            let edge = sorted[rank]
            split(around: edge, step: step, blurs: blurs)
            let score = score(at: edge - step)
            if score > best.score { best = (score, edge - step) }
        }
        return (best.edge, step)
    }

    /// Sorts the points into those near the floor and the rest, whose score is summed for the floor at `edge` and how
    /// it changes from there.
    private mutating func split(around edge: Double, step: Double, blurs: [Double]) {
        near.removeAll(keepingCapacity: true)
        single = nil
        far = Far(edge: edge)
        let limit = model.limit
        let unit = 1 / model.scale
        let isPower = model.shape != .one
        let atLimit = model.scoreAtLimit
        var product = LogProduct()
        var outside = LogProduct()
        var inverses = 0.0
        var count = 0.0
        for index in residuals.indices {
            let excess = residuals[index] - edge
            let blur = blurs[index]
            if excess < Self.nearSteps * step || excess * excess < 64 * blur {
                pair(excess, 4 * blur * unit * unit)
            } else if excess < limit {
                let multiple = excess * unit
                far.score -= multiple
                count += 1
                guard isPower else { continue }
                product.multiply(by: multiple)
                inverses += 1 / multiple
            } else {
                // A stall's: the further, the less it pulls.
                far.score += atLimit
                outside.multiply(by: limit / excess)
                count += 2 * model.scale / excess
            }
        }
        let power = model.shape.value - 1
        far.score += power * product.logarithm + 2 * outside.logarithm
        far.pull = (count - power * inverses) * unit
        far.atLimit = atLimit
    }

    private mutating func pair(_ excess: Double, _ blur: Double) {
        guard let other = single else { return single = (excess, blur) }
        near.append((SIMD2(other.excess, excess), SIMD2(other.blur, blur)))
        single = nil
    }

    /// Logarithm of the likelihood of the floor at `edge`.
    private func score(at edge: Double) -> Double {
        let shift = edge - far.edge
        let unit = 1 / model.scale
        let limit = model.limit * unit
        var product = LogProduct()
        var sum = SIMD2<Double>.zero
        for point in near {
            let multiple = (point.excess - shift) * unit
            var factor = model.factor(multiple, blur: point.blur)
            var fall = multiple.replacing(with: 0, where: multiple .< 0)
            let isBeyond = multiple .>= limit
            if any(isBeyond) {
                let share = limit / multiple
                factor.replace(with: share * share, where: isBeyond)
                fall.replace(with: -far.atLimit, where: isBeyond)
            }
            product.multiply(by: factor[0] * factor[1])
            sum -= fall
        }
        var total = sum.sum() + far.score + far.pull * shift
        if let single {
            let multiple = (single.excess - shift) * unit
            let share = multiple < limit ? 1 : limit / multiple
            product.multiply(by: multiple < limit ? model.factor(multiple, blur: single.blur) : share * share)
            total += multiple < limit ? -max(multiple, 0) : far.atLimit
        }
        return product.logarithm + total
    }

    /// Scores in steps from `start` both ways until they are negligible; what to try instead where that was too coarse,
    /// too fine, or too far from where the points were split.
    private func scan(
        from start: Double, step: Double
    ) -> (posterior: EdgePosterior, next: (edge: Double, step: Double)?) {
        var offsets = [0]
        var scores = [score(at: start)]
        var top = scores[0]
        var best = 0
        for direction in [1, -1] {
            var offset = direction
            while abs(offset) <= 24 {
                let value = score(at: start + Double(offset) * step)
                offsets.append(offset)
                scores.append(value)
                if value > top { (top, best) = (value, offset) }
                if value < top - Self.negligible { break }
                offset += direction
            }
        }
        var sums = (weight: 0.0, first: 0.0, second: 0.0, heavy: 0)
        for (offset, score) in zip(offsets, scores) {
            let weight = Exponential.ofNegative(top - score)
            let at = Double(offset - best)
            sums.weight += weight
            sums.first += weight * at
            sums.second += weight * at * at
            if score > top - 3 { sums.heavy += 1 }
        }
        let mean = sums.first / sums.weight
        let posterior = EdgePosterior(
            logEvidence: top + Logarithm.of(sums.weight * step / model.scale),
            mean: start + (Double(best) + mean) * step,
            variance: max(sums.second / sums.weight - mean * mean, 0.05) * step * step)
        let place = start + Double(best) * step
        if abs(best) > 20 { return (posterior, (place, step * 4)) }
        if abs(best) > 12 { return (posterior, (place, step)) }
        if sums.heavy > 24 { return (posterior, (place, step * 2.5)) }
        if sums.heavy < 4, step > Self.noise / 8 { return (posterior, (place, step / 2.5)) }
        return (posterior, nil)
    }
}
