/// What the processors do to save power, and what tells them the time.
enum Processors {
    private static let folder = "/sys/devices/system/cpu/"

    private static func processors(_ tree: SystemTree) -> [String] {
        tree.names(in: folder).filter { $0.hasPrefix("cpu") && Int($0.dropFirst(3)) != nil }.map { folder + $0 }
    }

    static func governor(_ tree: SystemTree) -> HealthFinding {
        let check = "processor speed"
        let governors = Set(processors(tree).compactMap { tree.text($0 + "/cpufreq/scaling_governor") })
        guard !governors.isEmpty else { return HealthFinding(check, .ok, "this kernel does not scale it") }
        let names = governors.sorted().joined(separator: ", ")
        // Drivers that let the processor choose have a governor of this name that is not slow.
        let driver = tree.text(folder + "cpu0/cpufreq/scaling_driver") ?? ""
        let choosesItself = ["intel_pstate", "amd-pstate-epp", "amd_pstate_epp"].contains(driver)
        guard governors.contains("powersave"), !choosesItself else {
            return HealthFinding(check, .ok, "governor \(names)")
        }
        return HealthFinding(
            check, .warning, "governor \(names): always the slowest speed",
            advice: "cpupower frequency-set -g schedutil (or ondemand, performance)")
    }

    /// Waking that takes longer shows in the time of arrival of packets.
    private static let longestWake = 150

    static func idleStates(_ tree: SystemTree) -> HealthFinding {
        let check = "idle states"
        let states = tree.names(in: folder + "cpu0/cpuidle").map { folder + "cpu0/cpuidle/" + $0 }
            .filter { tree.number($0 + "/disable") != 1 }
        let deepest = states.compactMap { state in
            tree.number(state + "/latency").map { (latency: $0, name: tree.text(state + "/name") ?? "?") }
        }
        .max { $0.latency < $1.latency }
        guard let deepest else { return HealthFinding(check, .ok, "this kernel manages none") }
        guard deepest.latency > longestWake else {
            return HealthFinding(check, .ok, "waking takes \(deepest.latency) µs at most (\(deepest.name))")
        }
        return HealthFinding(
            check, .warning,
            "waking takes up to \(deepest.latency) µs (\(deepest.name)), which makes the clock less accurate",
            advice: "if microseconds matter: cpupower idle-set -D \(longestWake)")
    }

    static func clockSource(_ tree: SystemTree) -> HealthFinding {
        let check = "clock source"
        guard let name = tree.text("/sys/devices/system/clocksource/clocksource0/current_clocksource") else {
            return HealthFinding(check, .unknown, "the kernel does not report it")
        }
        switch name {
        case "hpet", "acpi_pm":
            return HealthFinding(
                check, .warning, "\(name): slow to read",
                advice: "check dmesg for why the kernel does not trust the TSC; a newer BIOS may help")
        case "jiffies", "refined-jiffies":
            return HealthFinding(
                check, .problem, "\(name): accurate only to milliseconds",
                advice: "check dmesg for why there is no better one")
        default: return HealthFinding(check, .ok, name)
        }
    }
}
