extension ResultStore {
    /// How often a case is run until the machine does not stand still meanwhile.
    private static let attempts = 2

    /// The result of a case: what is there already, or else what running it gives, which is kept.
    ///
    /// A run during which the machine stood still is repeated, and of all the one counts that was disturbed least.
    /// Every run is kept at once: an interrupted bench does not begin to count anew.
    /// - Parameters:
    ///   - system: `tutti` or `snapcast`.
    ///   - again: run it whatever is there.
    ///   - run: runs it once.
    package func measure(
        _ bench: BenchCase, system: String, again: Bool = false, _ run: (BenchCase) -> BenchResult
    ) throws(LabError) -> BenchResult {
        var best = again ? nil : result(case: bench.name, system: system, seed: bench.seed)
        if best?.failure != nil, best?.isDisturbed == false { best = nil }
        while true {
            if let best, !best.isDisturbed || best.attempts >= Self.attempts { return best }
            var next = run(bench)
            let attempts = (best?.attempts ?? 0) + 1
            if let earlier = best, earlier.failure == nil, earlier.stall <= next.stall || next.failure != nil {
                next = earlier
            }
            next.attempts = attempts
            try keep(next)
            best = next
        }
    }
}

extension BenchResult {
    fileprivate var stall: Double { stallMilliseconds ?? 0 }

    /// Whether the machine stood still for longer than a card's buffer bears.
    fileprivate var isDisturbed: Bool { StallWatch.isStall(milliseconds: stall) }
}
