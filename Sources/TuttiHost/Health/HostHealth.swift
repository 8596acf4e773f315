import Glibc

/// Looks at this host for what hurts sound or its timing.
package enum HostHealth {
    /// All checks, in the order of their lines. Takes up to half a second.
    ///
    /// - Parameter speakerPort: the TCP port that a speaker of this host would use.
    package static func examine(_ tree: SystemTree = SystemTree(), speakerPort: UInt16 = 7700) -> [HealthFinding] {
        let links = NetworkLinks(tree: tree)
        var findings = [KernelStamps.measured()]
        for name in links.names {
            let stamps = InterfaceStamps.read(name)
            findings.append(KernelStamps.finding(interface: name, capabilities: stamps?.capabilities))
            guard let stamps else { continue }
            let hardware = HardwareStampCheck.finding(
                interface: name, stamps: stamps, now: InterfaceStamps.configuration(of: name),
                isReadable: { PHCDevice(index: $0) != nil })
            if let hardware { findings.append(hardware) }
        }
        findings += links.wireless.map { WirelessPower.finding(interface: $0, report: WirelessPower.report(of: $0)) }
        findings += [ProcessRights.realtime(), ProcessRights.memoryLock()]
        findings += [Processors.governor(tree), Processors.idleStates(tree), Processors.clockSource(tree)]
        findings += SoundCards.findings(tree)
        findings.append(SpeakerPort.finding(port: speakerPort, tree: tree))
        return findings
    }
}
