import Foundation
import Testing
import TuttiHost

@Suite struct HealthTests {
    /// A host made of files.
    private final class Host {
        let root = NSTemporaryDirectory() + "tutti-health-\(UUID().uuidString)"

        init(_ files: [String: String]) throws {
            for (path, text) in files {
                let url = URL(fileURLWithPath: root + path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        func findings() -> [HealthFinding] { HostHealth.examine(SystemTree(root: root)) }

        func finding(_ check: String) throws -> HealthFinding {
            try #require(findings().first { $0.check == check })
        }
    }

    private static let cpu = "/sys/devices/system/cpu/cpu0/"
    private static let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource"

    @Test func thisHostStampsItsOwnDatagrams() throws {
        let finding = try #require(HostHealth.examine().first { $0.check == "kernel stamps" })
        #expect(finding.level == .ok, "\(finding.message)")
    }

    @Test func aHostWithoutAnythingIsNoReasonToTrap() throws {
        let host = try Host([:])
        #expect(try host.finding("clock source").level == .unknown)
        #expect(try host.finding("sound card").level == .warning)
        #expect(try host.finding("port 7700").level == .unknown)
        #expect(try host.finding("processor speed").level == .ok)
        #expect(try host.finding("idle states").level == .ok)
    }

    @Test(arguments: [
        ("tsc\n", HealthFinding.Level.ok), ("arch_sys_counter\n", .ok), ("hpet\n", .warning), ("jiffies\n", .problem),
    ])
    func namesTheClockSource(text: String, level: HealthFinding.Level) throws {
        let finding = try Host([Self.source: text]).finding("clock source")
        #expect(finding.level == level)
        #expect(finding.message.hasPrefix(text.dropLast()))
        #expect((finding.advice == nil) == (level == .ok))
    }

    @Test(arguments: [
        ("powersave", "acpi-cpufreq", HealthFinding.Level.warning), ("powersave", "intel_pstate", .ok),
        ("schedutil", "acpi-cpufreq", .ok),
    ])
    func judgesTheGovernorByItsDriver(governor: String, driver: String, level: HealthFinding.Level) throws {
        let host = try Host([
            Self.cpu + "cpufreq/scaling_governor": governor + "\n", Self.cpu + "cpufreq/scaling_driver": driver + "\n",
        ])
        #expect(try host.finding("processor speed").level == level)
    }

    @Test func countsIdleStatesThatAreInUse() throws {
        var files = [
            Self.cpu + "cpuidle/state0/latency": "2\n", Self.cpu + "cpuidle/state0/name": "C1\n",
            Self.cpu + "cpuidle/state1/latency": "890\n", Self.cpu + "cpuidle/state1/name": "C10\n",
            Self.cpu + "cpuidle/state1/disable": "0\n",
        ]
        let deep = try Host(files).finding("idle states")
        #expect(deep.level == .warning)
        #expect(deep.message.contains("890 µs (C10)"))
        files[Self.cpu + "cpuidle/state1/disable"] = "1\n"
        let shallow = try Host(files).finding("idle states")
        #expect(shallow.level == .ok)
        #expect(shallow.message.contains("2 µs"))
    }

    @Test func tellsWhoPlaysOnACard() throws {
        let folder = "/proc/asound/card1/pcm0p"
        let files = [
            folder + "/info": "card: 1\ndevice: 0\nid: USB Audio\nname: USB Audio\n", "/dev/snd/pcmC1D0p": "",
            folder + "/sub0/hw_params": "closed\n", "/proc/asound/card1/pcm0c/info": "name: a microphone\n",
        ]
        let free = try Host(files)
        #expect(try free.finding("sound card hw:1,0").message.hasPrefix("USB Audio, free"))
        #expect(free.findings().count { $0.check.hasPrefix("sound card") } == 1)
        let used = files.merging([
            folder + "/sub0/hw_params": "access: MMAP_INTERLEAVED\nrate: 48000 (48000/1)\nperiod_size: 480\n",
            folder + "/sub0/status": "state: RUNNING\nowner_pid   : 4321\n", "/proc/4321/comm": "tutti-speaker\n",
        ]) { $1 }
        let finding = try Host(used).finding("sound card hw:1,0")
        #expect(finding.level == .ok)
        #expect(finding.message == "USB Audio, used by tutti-speaker 4321 at 48000 Hz, period 480 frames")
    }

    @Test func aCardThatMayNotBeOpenedIsAProblem() throws {
        let host = try Host(["/proc/asound/card0/pcm3p/info": "name: HDMI 0\n"])
        let finding = try host.finding("sound card hw:0,3")
        #expect(finding.level == .problem)
        #expect(finding.advice == "add the user to the group audio")
    }

    /// A line of `/proc/net/tcp6`.
    private static func table(port: String, state: String = "0A") -> String {
        """
          sl  local_address                         remote_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 00000000000000000000000000000000:\(port) 00000000000000000000000000000000:0000 \(state) 00000000:00000000 00:00000000 00000000     0        0 98765 1 0000000000000000 100 0 0 10 0

        """
    }

    @Test func tellsWhoHasThePort() throws {
        #expect(try Host(["/proc/net/tcp6": Self.table(port: "1E15")]).finding("port 7700").message == "free")
        // A connection from that port is not a listener.
        let connected = Self.table(port: "1E14", state: "01")
        #expect(try Host(["/proc/net/tcp6": connected]).finding("port 7700").message == "free")
        let taken = try Host(["/proc/net/tcp6": Self.table(port: "1E14"), "/proc/77/comm": "nginx\n"])
        #expect(try taken.finding("port 7700").level == .warning)
        let folder = taken.root + "/proc/77/fd"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/3", withDestinationPath: "socket:[98765]")
        let finding = try taken.finding("port 7700")
        #expect(finding.level == .problem)
        #expect(finding.message == "in use by nginx (process 77)")
        try Data("tutti-speaker\n".utf8).write(to: URL(fileURLWithPath: taken.root + "/proc/77/comm"))
        #expect(try taken.finding("port 7700").level == .ok)
    }

    @Test(arguments: ["", "garbage", "a\n\n b c d e f g h i j k\n", "x\n0: :: :: 0A 1 2 3 4 5 6\n"])
    func aTableThatMakesNoSenseHasNoListener(text: String) throws {
        #expect(try Host(["/proc/net/tcp": text]).finding("port 7700").message == "free")
    }
}
