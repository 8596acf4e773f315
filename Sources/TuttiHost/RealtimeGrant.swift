import Synchronization

/// What came of a thread's wish for real-time scheduling.
package struct RealtimeOutcome: Sendable, Equatable {
    /// How the kernel schedules the thread.
    package var policy: RealtimeThread.Policy
    /// Why RealtimeKit did not help, in a few words; nil when it did, or was not asked.
    package var brokerRefusal: String?

    /// An outcome.
    package init(policy: RealtimeThread.Policy, brokerRefusal: String? = nil) {
        self.policy = policy
        self.brokerRefusal = brokerRefusal
    }

    /// Whether the thread runs before ordinary ones.
    package var isGranted: Bool {
        if case .ordinary = policy { false } else { true }
    }

    /// What to do where it is refused.
    package static let advice =
        "give the speaker's user \"rtprio 70\" in /etc/security/limits.d, LimitRTPRIO=70 in its unit, "
        + "or its container --ulimit rtprio=70; in a desktop session, rtkit is enough"
}

extension RealtimeOutcome: CustomStringConvertible {
    /// `directly`, `through rtkit at priority 20`, or why not and what to do, in one line.
    package var description: String {
        switch policy {
        case .fifo(let priority): return "directly, SCHED_FIFO at priority \(priority)"
        case .kit(let priority): return "through rtkit at priority \(priority)"
        case .ordinary(let refusal):
            let broker = brokerRefusal.map { "; rtkit: \($0)" } ?? ""
            let reason = "\(HostError.text(ofErrno: refusal))\(broker)"
            return "not granted (\(reason)), so sound may drop out under load: \(Self.advice)"
        }
    }
}

/// A thread's right to real-time scheduling: settled when the thread is made, or once RealtimeKit has answered.
package final class RealtimeGrant: Sendable {
    private struct State {
        var outcome: RealtimeOutcome
        var isSettled: Bool
        var waiting: [@Sendable (RealtimeOutcome) -> Void] = []
    }

    private let state: Mutex<State>

    init(_ policy: RealtimeThread.Policy, isSettled: Bool = true) {
        state = Mutex(State(outcome: RealtimeOutcome(policy: policy), isSettled: isSettled))
    }

    /// What is known now.
    package var outcome: RealtimeOutcome { state.withLock { $0.outcome } }

    /// Whether that will stay so.
    package var isSettled: Bool { state.withLock { $0.isSettled } }

    /// Calls `body` once it is settled: at once, or later from another thread.
    package func whenSettled(_ body: @escaping @Sendable (RealtimeOutcome) -> Void) {
        let outcome = state.withLock { state -> RealtimeOutcome? in
            if state.isSettled { return state.outcome }
            state.waiting.append(body)
            return nil
        }
        if let outcome { body(outcome) }
    }

    /// RealtimeKit has answered: with a priority, or with why not.
    func settle(_ answer: Result<Int, RTKitRefusal>) {
        let (outcome, waiting) = state.withLock { state in
            switch answer {
            case .success(let priority): state.outcome.policy = .kit(priority: priority)
            case .failure(let refusal): state.outcome.brokerRefusal = refusal.reason
            }
            state.isSettled = true
            defer { state.waiting = [] }
            return (state.outcome, state.waiting)
        }
        for body in waiting { body(outcome) }
    }
}
