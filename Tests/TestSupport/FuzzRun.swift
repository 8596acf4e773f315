import Foundation
import Glibc
package import TuttiCore

/// How long hostile input is tried, and what it is drawn from: a second and a fixed seed in ordinary tests,
/// `TUTTI_FUZZ_SECONDS` and another seed each time for `make fuzz`. The seed is printed before anything is tried, since
/// what it finds may be the end of the process; `TUTTI_FUZZ_SEED` repeats it.
package struct FuzzRun {
    /// What everything is drawn from.
    package var random: SplitMix64
    private let deadline: ContinuousClock.Instant

    /// Begins a run.
    package init(_ subject: String, seed fixed: UInt64) {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["TUTTI_FUZZ_SECONDS"].flatMap(Double.init)
        let wanted = environment["TUTTI_FUZZ_SEED"].flatMap { UInt64($0) }
        let seed = wanted ?? (seconds == nil ? fixed : UInt64.random(in: 0...UInt64(UInt32.max)))
        random = SplitMix64(seed: seed)
        deadline = .now + .seconds(min(max(seconds ?? 1, 0.1), 86_400))
        print("trying \(subject) with hostile input; repeat it with TUTTI_FUZZ_SEED=\(seed)")
        fflush(nil)
    }

    /// Whether the time is up.
    package var isOver: Bool { ContinuousClock.now >= deadline }
}
