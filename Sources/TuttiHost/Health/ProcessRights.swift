import Dispatch

/// What this user's processes may do.
package enum ProcessRights {
    /// Tries it in a thread.
    static func realtime() -> HealthFinding {
        do {
            // RealtimeKit can only be asked for a thread that lives.
            let isKnown = DispatchSemaphore(value: 0)
            let thread = try RealtimeThread.spawn(name: "tutti-doctor", priority: priority) {
                _ = isKnown.wait(timeout: .now() + patience)
            }
            thread.grant.whenSettled { _ in isKnown.signal() }
            thread.join()
            let outcome = thread.grant.outcome
            return finding(outcome.policy, brokerRefusal: outcome.brokerRefusal)
        } catch {
            return HealthFinding("real-time scheduling", .problem, error.description)
        }
    }

    /// The priority that a speaker asks for.
    private static let priority = 60
    /// Seconds that RealtimeKit may take: it may have to be started first.
    private static let patience = 3.0

    /// What it means that a thread got `policy`.
    ///
    /// - Parameter brokerRefusal: why RealtimeKit did not help, if it was asked.
    package static func finding(
        _ policy: RealtimeThread.Policy, brokerRefusal: String? = nil
    ) -> HealthFinding {
        let check = "real-time scheduling"
        switch policy {
        case .fifo: return HealthFinding(check, .ok, "granted (SCHED_FIFO)")
        case .kit(let priority):
            return HealthFinding(check, .ok, "granted through rtkit (SCHED_RR, priority \(priority))")
        case .ordinary(let refusal):
            return HealthFinding(
                check, .problem,
                "refused (\(HostError.text(ofErrno: refusal))\(brokerRefusal.map { "; rtkit: \($0)" } ?? "")): "
                    + "a speaker here may drop out under load",
                advice: RealtimeOutcome.advice)
        }
    }

    /// Tries it for this process.
    static func memoryLock() -> HealthFinding { finding(RealtimeThread.lockMemory()) }

    /// What it means.
    package static func finding(_ lock: RealtimeThread.MemoryLock) -> HealthFinding {
        let check = "locked memory"
        let advice = "give the speaker's user \"memlock unlimited\" in /etc/security/limits.d, or LimitMEMLOCK=infinity"
        switch lock {
        case .locked: return HealthFinding(check, .ok, "granted")
        case .notPermitted:
            return HealthFinding(check, .warning, "not permitted: swapping can interrupt the sound", advice: advice)
        case .refused(let code):
            return HealthFinding(check, .warning, "refused: \(HostError.text(ofErrno: code))", advice: advice)
        }
    }
}
