import Foundation
import Glibc
import Synchronization

/// A scan of one folder of a library on a thread of its own. A share that does not answer keeps that thread, and nobody
/// else.
final class RootScan: Sendable {
    private struct State {
        var heard = ContinuousClock.now
        var outcome: LibraryScan.Event?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    private let condition = NSCondition()
    /// How often whoever waits looks around, in seconds.
    private static let look = 0.25

    /// Begins to scan; the store is known to be whole.
    ///
    /// - Parameters:
    ///   - niceness: of the thread, and of those that it begins.
    ///   - isCancelled: asked often, from any thread.
    ///   - report: called from that thread with how far it is.
    init(
        _ root: String, _ store: LibraryStore, niceness: Int32, isCancelled: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (LibraryScan.Event) -> Void
    ) {
        let thread = Thread { [self] in
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            var scan = LibraryScan(store, threads: 1)
            scan.isVerified = true
            scan.run(
                [root], isCancelled: { [self] in isCancelled() || state.withLock(\.isGivenUp) }
            ) { [self] event in
                state.withLock { $0.heard = .now }
                guard case .finished = event else { return report(event) }
                condition.withLock {
                    state.withLock { $0.outcome = event }
                    condition.broadcast()
                }
            }
        }
        thread.name = "tutti-scan"
        thread.start()
    }

    /// Whether its thread has come back.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// Waits until it is over.
    ///
    /// - Parameters:
    ///   - patience: seconds in which something must come of it.
    ///   - isCancelled: whether there is no more time.
    /// - Returns: what has come of it; nil if it is given up, which ends it as soon as it can.
    func outcome(patience: Double, isCancelled: () -> Bool) -> LibraryScan.Event? {
        condition.withLock {
            while true {
                let now = state.withLock { $0 }
                if let outcome = now.outcome { return outcome }
                if isCancelled() || ContinuousClock.now - now.heard > .seconds(patience) {
                    state.withLock { $0.isGivenUp = true }
                    return nil
                }
                _ = condition.wait(until: Date().addingTimeInterval(Self.look))
            }
        }
    }
}
