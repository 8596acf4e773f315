import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab switch`: hosts on this machine, for whatever one wants to try in them.
struct SwitchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Creates hosts in network namespaces, connected by a switch with delays.",
        discussion: """
            Prints one line for each host: name, address and namespace. It reads control lines from standard input: \
            HOST PROFILE, split HOST…, join, move HOST ADDRESS, and stats. End of input or ^C ends it and removes the \
            hosts. Profiles: \(LinkProfile.all.map(\.name).joined(separator: " ")). Faults may follow, as in \
            lan+loss=2+twice=1+overtaken=5 (percent), +rate=600 (kbit/s), +mtu=1000 (bytes; longer packets vanish).
            """)

    @Argument(help: "Hosts, as NAME=PROFILE; the first gets 10.77.0.1.")
    var hosts: [String] = ["s=direct", "h1=lan", "h2=lan", "h3=lan"]

    @Option(help: "The seed of all delays, stalls and losses.")
    var seed: UInt64 = 1

    @Flag(help: "Keep the switch's processor awake, for smaller and more even delays.")
    var wakeful = false

    func run() throws {
        let lab = try LabHosts(try hosts.map(Self.parse), seed: seed, keepsAwake: wakeful)
        defer { lab.close() }
        for host in lab.hosts {
            print(host.name, try lab.address(of: host.name), lab.namespace(of: host.name), host.profile.name)
        }
        fflush(nil)
        while let line = readLine() {
            do {
                try obey(line, lab)
            } catch {
                print("tutti-lab: \(error)")
            }
            fflush(nil)
        }
    }

    private func obey(_ line: String, _ lab: LabHosts) throws(LabError) {
        switch try SwitchControl.parse(line) {
        case nil: break
        case .setProfile(let host, let profile): try lab.network.setProfile(profile, of: host)
        case .split(let hosts): try lab.network.split(hosts)
        case .move(let host, let address): try lab.move(host, to: address)
        case .statistics: print(lab.network.statistics.summary)
        }
    }

    private static func parse(_ text: String) throws -> LabHosts.Host {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let profile = LinkProfile.named(String(parts[1])) else {
            throw ValidationError("\(text): not NAME=PROFILE")
        }
        return LabHosts.Host(String(parts[0]), profile)
    }
}
