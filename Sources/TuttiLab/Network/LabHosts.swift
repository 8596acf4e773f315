import Foundation
import Glibc

/// Hosts on this machine: a network namespace each, joined by the user-space switch.
///
/// The first host has the address 10.77.0.1, the next 10.77.0.2, and so on. Everything that runs inside goes away with
/// this object, or with this process.
package final class LabHosts {
    /// A host to bring up.
    package struct Host: Sendable, Equatable {
        package var name: String
        package var profile: LinkProfile

        /// - Parameter name: short (8 characters), of letters and digits, unlike all others.
        package init(_ name: String, _ profile: LinkProfile) {
            self.name = name
            self.profile = profile
        }
    }

    package let hosts: [Host]
    package let network: UserSwitch
    /// Begins the names of its namespaces, after the prefix that all labs have.
    private let lab: String
    private let cleaner: NetworkCleaner
    private var processes: [ChildProcess] = []
    /// Of hosts that have moved.
    private var addresses: [String: String] = [:]

    /// What a machine needs for `LabHosts`: nil when all is there, else what is missing.
    package static var unavailability: LabError? {
        guard geteuid() == 0 else { return .notRoot }
        for tool in ["ip", "ethtool", "sysctl"] where !Tool.isInstalled(tool) { return .missingTool(tool) }
        return nil
    }

    /// Brings the hosts up.
    /// - Parameters:
    ///   - seed: of every delay, stall and loss.
    ///   - keepsAwake: whether the switch's processor does not sleep, for smaller and more even delays.
    package init(_ hosts: [Host], seed: UInt64 = 1, keepsAwake: Bool = false) throws(LabError) {
        if let unavailability = Self.unavailability { throw unavailability }
        try NetworkCleaner.removeStale()
        self.hosts = hosts
        let lab = NetworkNamespace.nextLab()
        self.lab = lab
        let cleaner = try NetworkCleaner(lab: lab, keepsAwake: keepsAwake)
        self.cleaner = cleaner
        do {
            try Self.raise(hosts, lab: lab)
            network = try UserSwitch(
                namespace: NetworkNamespace.name(host: "switch", lab: lab), ports: hosts.map { ($0.name, $0.profile) },
                seed: seed)
        } catch {
            cleaner.finish()
            throw error
        }
    }

    /// Kills what runs in the hosts and removes them. Call it once; nothing works afterwards.
    package func close() {
        network.stop()
        for process in processes { process.send(SIGKILL) }
        for process in processes { _ = process.wait() }
        cleaner.finish()
    }

    /// The network namespace of a host.
    package func namespace(of host: String) -> String { NetworkNamespace.name(host: host, lab: lab) }

    /// The IPv4 address of a host.
    package func address(of host: String) throws(LabError) -> String {
        guard let index = hosts.firstIndex(where: { $0.name == host }) else { throw .unknownHost(host) }
        return addresses[host] ?? Self.address(index)
    }

    /// Gives a host another address in place of the one that it has, as when a lease is renewed: what runs there is not
    /// told, and its connections are bound to an address that is no more.
    ///
    /// - Parameter address: of 10.77.0.0/24, nobody else's.
    package func move(_ host: String, to address: String) throws(LabError) {
        let old = try self.address(of: host)
        try Tool.run(
            ["ip", "-n", namespace(of: host), "-batch", "-"],
            input: ["addr del \(old)/24 dev eth0", "addr add \(address)/24 brd + dev eth0"])
        addresses[host] = address
    }

    /// Starts a program on a host.
    /// - Parameters:
    ///   - arguments: program, found through PATH, and its arguments.
    ///   - environment: added to this process's environment.
    ///   - log: file for its standard error, and for its standard output unless `output` is given.
    ///   - output: file for its standard output.
    ///   - input: descriptor of its standard input.
    package func start(
        _ arguments: [String], on host: String, environment: [String: String] = [:], log: String? = nil,
        output: String? = nil, input: Int32? = nil
    ) throws(LabError) -> ChildProcess {
        _ = try address(of: host)
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // `ip netns exec` becomes the program: the child's id is the program's.
        let process = try ChildProcess(
            ["ip", "netns", "exec", namespace(of: host)] + arguments, environment: merged, input: input,
            output: output ?? log, errors: log)
        processes.append(process)
        return process
    }
}

// MARK: - Raising

extension LabHosts {
    private static func address(_ index: Int) -> String { "10.77.0.\(index + 1)" }

    private static func raise(_ hosts: [Host], lab: String) throws(LabError) {
        let switchNamespace = NetworkNamespace.name(host: "switch", lab: lab)
        let namespaces = [switchNamespace] + hosts.map { NetworkNamespace.name(host: $0.name, lab: lab) }
        try Tool.run(["ip", "-batch", "-"], input: namespaces.map { "netns add \($0)" })
        for namespace in namespaces {
            // Router solicitations and the like would be traffic that nobody asked for.
            try Tool.run([
                "ip", "netns", "exec", namespace, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1",
                "net.ipv6.conf.default.disable_ipv6=1",
            ])
        }
        try Tool.run(
            ["ip", "-batch", "-"],
            input: zip(hosts, namespaces.dropFirst()).map { host, namespace in
                "link add name eth0 netns \(namespace) type veth peer name \(host.name) netns \(switchNamespace)"
            })
        for (index, namespace) in namespaces.dropFirst().enumerated() {
            try Tool.run(
                ["ip", "-n", namespace, "-batch", "-"],
                input: [
                    // A crowd's packets are as long as others': with the usual 64 KiB a connection that sends little
                    // stands still for seconds.
                    "link set dev lo up mtu 1500", "addr add \(address(index))/24 brd + dev eth0",
                    "link set dev eth0 up",
                    "route add 224.0.0.0/4 dev eth0",
                ])
            try switchOffOffloads("eth0", in: namespace)
        }
        try Tool.run(
            ["ip", "-n", switchNamespace, "-batch", "-"], input: hosts.map { "link set dev \($0.name) up" })
        for host in hosts { try switchOffOffloads(host.name, in: switchNamespace) }
    }

    /// A packet socket sees frames as they are only when no checksum and no segmentation is left to a card.
    private static func switchOffOffloads(_ interface: String, in namespace: String) throws(LabError) {
        try Tool.run([
            "ip", "netns", "exec", namespace, "ethtool", "-K", interface, "rx", "off", "tx", "off", "sg", "off", "tso",
            "off",
            "gso", "off", "gro", "off",
        ])
    }
}
