import Foundation
import Synchronization
import Testing
import TuttiPlayback
import TuttiRealtime

/// Two threads at one deck, as fast as they can: for the thread sanitizer (`make threads`), which finds what either
/// touches while it is the other's.
@Suite struct DeckHandOverTests {
    private final class Shared: @unchecked Sendable {
        let decks = (Deck(outputRate: 48_000, ringFrames: 4_096), Deck(outputRate: 48_000, ringFrames: 4_096))
        let isOver = Atomic<Bool>(false)
        let periods = Atomic<Int64>(0)
    }

    private func render(_ shared: Shared) {
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 64)
        defer { output.deallocate() }
        var kernel = RenderKernel(decks: shared.decks.0, shared.decks.1, maximumPeriodFrames: 64)
        while !shared.isOver.load(ordering: .relaxed) {
            let number = shared.periods.wrappingAdd(1, ordering: .relaxed).oldValue
            let period = RenderPeriod(
                frameCount: 64, groupNanoseconds: number * 1_333_333, groupFraction: 0,
                groupNanosecondsPerFrame: 1e9 / 48_000)
            _ = kernel.render(period, into: output)
        }
    }

    @Test func aDeckThatHasEndedIsProgrammedAgainAtOnce() {
        let shared = Shared()
        // A thread of its own: those of tasks may all be busy with other tests.
        let rendering = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.render(shared)
            rendering.signal()
        }
        var (rounds, finished) = (0, 0)
        let frames = [Float](repeating: 0.1, count: 2 * 500)
        let end = ContinuousClock.now + .seconds(60)
        while finished < 20, ContinuousClock.now < end {
            rounds += 1
            for deck in [shared.decks.0, shared.decks.1] {
                // One that waits for its worker's next look is programmed in the very moment in which it says that it
                // has ended.
                if deck.state == .finished { finished += 1 }
                let start = shared.periods.load(ordering: .relaxed) * 1_333_333 + 2_000_000
                let run = DeckRun(
                    sourceRate: 48_000, anchorFrame: 0, anchorGroupNanoseconds: start, anchorFraction: 0,
                    startGroupNanoseconds: start, fadeInNanoseconds: rounds % 2 == 0 ? 0 : 100_000)
                guard deck.program(run, correction: rounds % 3 == 0 ? .off : .on) else { continue }
                _ = deck.write(frames.span)
                deck.arm()
                if rounds % 4 == 0 { _ = deck.write(frames.span) }
                if rounds % 5 == 0 {
                    deck.end(atGroupNanoseconds: .min, fadeOutNanoseconds: 200_000)
                } else {
                    deck.finish()
                }
            }
        }
        shared.isOver.store(true, ordering: .relaxed)
        rendering.wait()
        #expect(finished >= 20)
    }
}
