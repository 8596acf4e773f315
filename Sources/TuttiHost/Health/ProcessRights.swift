/// What this user's processes may do.
package enum ProcessRights {
    /// Tries it in a thread.
    static func realtime() -> HealthFinding {
        do {
            let thread = try RealtimeThread.spawn(name: "tutti-doctor", priority: priority) {}
            thread.join()
            return finding(thread.policy)
        } catch {
            return HealthFinding("real-time scheduling", .problem, error.description)
        }
    }

    /// The priority that a speaker asks for.
    private static let priority = 60

    /// What it means that a thread got `policy`.
    package static func finding(_ policy: RealtimeThread.Policy) -> HealthFinding {
        let check = "real-time scheduling"
        switch policy {
        case .fifo: return HealthFinding(check, .ok, "granted (SCHED_FIFO)")
        case .ordinary(let refusal):
            return HealthFinding(
                check, .problem, "refused (\(HostError.text(ofErrno: refusal))): a speaker here may stutter under load",
                advice: "give the speaker's user \"rtprio 70\" in /etc/security/limits.d, or LimitRTPRIO=70 in its unit"
            )
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
