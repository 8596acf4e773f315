import Foundation
import Testing
import TuttiLab

extension MeasurementTests {
    @Suite("The network", .enabled(if: LabSite.network.isMet, LabSite.network.comment))
    struct NetworkTests {
        @Test("a datagram takes as long as the profile says, there and back alike; a cut link passes nothing")
        func delays() throws {
            let hosts = try LabHosts([.init("s", .direct), .init("h1", .lan)], seed: 5)
            defer { hosts.close() }
            let probe = try LinkProbe(hosts, from: "s", to: "h1")
            let trips = probe.measure(count: 200, pause: 0.002)
            #expect(trips.count == 200)
            // The least of many is the link's own; what a busy machine adds is above it.
            let there = try #require(trips.map(\.there).min())
            let back = try #require(trips.map(\.back).min())
            #expect((75_000...400_000).contains(there) && (75_000...400_000).contains(back))

            try hosts.network.setProfile(.cut, of: "h1")
            #expect(probe.measure(count: 3, pause: 0).isEmpty)
            try hosts.network.setProfile(.asymmetric, of: "h1")
            let slanted = probe.measure(count: 50, pause: 0.002)
            let difference = try #require(slanted.map(\.there).min()) - (try #require(slanted.map(\.back).min()))
            #expect((1_500_000...2_100_000).contains(difference), "2 ms there, 0.2 ms back")
            #expect(hosts.network.statistics.framesDropped == 0)
            #expect(throws: LabError.unknownHost("h9")) { try hosts.network.setProfile(.lan, of: "h9") }
        }

        @Test("a split network, and a host whose address changes")
        func splitting() throws {
            let hosts = try LabHosts([.init("s", .direct), .init("h1", .lan), .init("h2", .lan)], seed: 5)
            defer { hosts.close() }
            func reaches(_ from: String, _ to: String) throws -> Bool {
                !(try LinkProbe(hosts, from: from, to: to).measure(count: 2, pause: 0)).isEmpty
            }
            #expect(try reaches("s", "h1"))
            try hosts.network.split(["h1", "h2"])
            #expect(try !reaches("s", "h1") && reaches("h1", "h2"))
            try hosts.network.split([])
            #expect(try reaches("s", "h1"))

            let before = try LinkProbe(hosts, from: "h2", to: "h1")
            try hosts.move("h1", to: "10.77.0.99")
            #expect(before.measure(count: 2, pause: 0).isEmpty, "what is bound to the old address is lost")
            #expect(try hosts.address(of: "h1") == "10.77.0.99" && reaches("s", "h1"))
            #expect(throws: LabError.unknownHost("h9")) { try hosts.network.split(["h9"]) }
        }

        @Test("what waits on one slow link takes no room on the next before it is there")
        func slowLinks() throws {
            let hosts = try LabHosts(
                [.init("s", .direct), .init("h1", .lan.with(.rate, 20)), .init("h2", .lan.with(.rate, 350))], seed: 5)
            defer { hosts.close() }
            let probe = try LinkProbe(hosts, from: "s", to: "h2")
            #expect(probe.measure(count: 3, pause: 0).count == 3)
            // Some four seconds of datagrams.
            let flood = "for i in {1..100}; do echo \(String(repeating: "x", count: 63)) >/dev/udp/10.77.0.3/9; done"
            let sender = try hosts.start(["bash", "-c", flood], on: "h1")
            #expect(sender.wait(seconds: 2) == .exited(code: 0))
            let trips = probe.measure(count: 50, pause: 0.01)
            #expect(trips.count == 50)
            #expect((trips.map(\.there).max() ?? .max) < 50_000_000, "\(trips)")
        }

        @Test("nothing is left of hosts that were closed, or whose process was killed")
        func cleaning() throws {
            func namespaces(_ process: Int32) -> [String] {
                let all = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
                return all.filter { $0.hasPrefix("tutti-lab-\(process).") }
            }
            let hosts = try LabHosts([.init("s", .direct), .init("h1", .lan)])
            let inside = try hosts.start(["sleep", "60"], on: "h1")
            #expect(namespaces(getpid()).count == 3)
            hosts.close()
            #expect(namespaces(getpid()).isEmpty)
            #expect(inside.wait(seconds: 2) == .killed(signal: SIGKILL))

            // The lab of another process: it dies without a chance to say anything.
            let folder = try LabSite.folder("cleaning")
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let tool = try ChildProcess(
                ["\(LabSite.binaries)/tutti-lab", "switch", "a=lan", "b=lan"], input: ends[0],
                output: "\(folder)/switch.log")
            #expect(
                eventually {
                    namespaces(tool.id).count == 3
                        && FileManager.default.contents(atPath: "\(folder)/switch.log")?.isEmpty == false
                })
            tool.send(SIGKILL)
            _ = tool.wait()
            #expect(eventually { namespaces(tool.id).isEmpty })
        }

        private func eventually(_ condition: () -> Bool) -> Bool {
            for _ in 0..<500 {
                if condition() { return true }
                usleep(20_000)
            }
            return false
        }
    }
}
