/// Makes a script that fails smaller, for as long as it still fails: fewer steps, fewer rooms, rounder times.
package struct Shrinker {
    /// Runs a script and says when it failed in the way that is looked for; nil when it did not.
    private let failure: (Script) -> Int64?
    /// Whether to stop looking.
    private let isOver: () -> Bool
    private let scenario: Scenario

    /// - Parameters:
    ///   - isOver: asked before each run; true ends the search with what has been found.
    ///   - failure: runs a script: the time at which it fails as it did before, nil when it does not.
    package init(_ scenario: Scenario, isOver: @escaping () -> Bool, failure: @escaping (Script) -> Int64?) {
        self.scenario = scenario
        self.isOver = isOver
        self.failure = failure
    }

    /// A script that fails as this one does, or this one.
    package func shrink(_ script: Script, failedAt time: Int64) -> Script {
        var best = script
        let cut = cutOff(script, after: time)
        if fails(cut) { best = cut }
        best = withFewerSteps(best)
        best = withFewerRooms(best)
        best = withRounderTimes(best)
        return withFewerSteps(best)
    }

    private func fails(_ script: Script) -> Bool { !isOver() && failure(script) != nil }

    /// The script up to a second behind its failure.
    private func cutOff(_ script: Script, after time: Int64) -> Script {
        var result = script
        result.duration = min(script.duration ?? scenario.duration, time + 1_000_000_000)
        result.steps.removeAll { $0.at > time }
        return result
    }

    /// Delta debugging: leaves out ever smaller parts of the steps.
    private func withFewerSteps(_ script: Script) -> Script {
        var best = script
        var parts = 2
        while best.steps.count > 1, !isOver() {
            let size = max(1, (best.steps.count + parts - 1) / parts)
            var hasShrunk = false
            for start in stride(from: 0, to: best.steps.count, by: size) {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, best.steps.count))
                guard fails(candidate) else { continue }
                best = candidate
                hasShrunk = true
                break
            }
            if hasShrunk {
                parts = max(2, parts - 1)
            } else if size == 1 {
                return best
            } else {
                parts = min(best.steps.count, parts * 2)
            }
        }
        return best
    }

    private func withFewerRooms(_ script: Script) -> Script {
        var best = script
        for room in scenario.restricted(to: script).rooms.map(\.name).reversed() {
            let left = scenario.restricted(to: best).rooms.map(\.name).filter { $0 != room }
            guard !left.isEmpty else { continue }
            var candidate = best
            candidate.rooms = left
            let house = scenario.restricted(to: candidate)
            candidate.steps.removeAll { house.missing(for: $0.action) != nil }
            if fails(candidate) { best = candidate }
        }
        return best
    }

    /// Rounds the time of each step to what is as round as possible, without changing the order.
    private func withRounderTimes(_ script: Script) -> Script {
        var best = script
        for index in script.steps.indices {
            for unit: Int64 in [10_000_000_000, 1_000_000_000, 100_000_000, 10_000_000] {
                let time = best.steps[index].at / unit * unit
                guard time != best.steps[index].at else { break }
                guard index == 0 || best.steps[index - 1].at <= time else { continue }
                var candidate = best
                candidate.steps[index].at = time
                guard fails(candidate) else { continue }
                best = candidate
                break
            }
        }
        return best
    }
}
