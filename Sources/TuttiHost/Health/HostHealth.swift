import Glibc

/// Looks at this host for what hurts sound or its timing.
package enum HostHealth {
    /// All checks, in the order of their lines. Takes up to half a second.
    ///
    /// - Parameter speakerPort: the TCP port that a speaker of this host would use.
    package static func examine(_ tree: SystemTree = SystemTree(), speakerPort: UInt16 = 7700) -> [HealthFinding] {
        let links = NetworkLinks(tree: tree)
        var findings = [KernelStamps.measured()]
        findings += links.names.map { KernelStamps.finding(interface: $0, capabilities: EthtoolStamps.read($0)) }
        findings += links.wireless.map { WirelessPower.finding(interface: $0, report: WirelessPower.report(of: $0)) }
        findings += [ProcessRights.realtime(), ProcessRights.memoryLock()]
        findings += [Processors.governor(tree), Processors.idleStates(tree), Processors.clockSource(tree)]
        findings += SoundCards.findings(tree)
        findings.append(SpeakerPort.finding(port: speakerPort, tree: tree))
        return findings
    }
}
