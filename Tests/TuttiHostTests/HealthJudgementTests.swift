import Glibc
import Testing
import TuttiHost

@Suite struct HealthJudgementTests {
    @Test(arguments: [
        ("Power save: on\n" as String?, HealthFinding.Level.problem), ("Power save: off\n", .ok),
        ("command failed", .unknown),
        ("", .unknown), (nil, .unknown),
    ])
    func readsWhatIwPrints(report: String?, level: HealthFinding.Level) {
        #expect(WirelessPower.finding(interface: "wlan0", report: report).level == level)
    }

    @Test func tellsWhichDirectionIsStamped() {
        typealias Exchange = KernelStamps.Exchange
        let cases: [(Exchange, HealthFinding.Level, String)] = [
            (
                Exchange(sent: 8, arrived: 8, stampedDepartures: 8, stampedArrivals: 6), .ok,
                "of departures and arrivals"
            ),
            (Exchange(sent: 8, arrived: 8, stampedDepartures: 0, stampedArrivals: 8), .warning, "of arrivals only"),
            (Exchange(sent: 8, arrived: 8, stampedDepartures: 8, stampedArrivals: 2), .warning, "of departures only"),
            (Exchange(sent: 8, arrived: 8), .warning, "in neither direction"),
            (Exchange(sent: 8), .problem, "no datagram arrives over the loopback"),
        ]
        for (exchange, level, message) in cases {
            let finding = KernelStamps.finding(exchange)
            #expect(finding.level == level)
            #expect(finding.message == message)
            #expect((finding.advice == nil) == (level == .ok))
        }
    }

    /// Bits 1, 3 and 4 are the software stamps of departures and of arrivals, and that they are reported.
    @Test(arguments: [
        (0b11010 as UInt32?, HealthFinding.Level.ok), (0b11000, .warning), (0b10010, .warning), (0, .warning),
        (nil, .unknown),
    ])
    func readsWhatADriverCanDo(capabilities: UInt32?, level: HealthFinding.Level) {
        let finding = KernelStamps.finding(interface: "eth0", capabilities: capabilities)
        #expect(finding.level == level)
        #expect(finding.check == "stamps of eth0")
    }

    @Test func saysWhatToDoAboutRights() {
        #expect(ProcessRights.finding(.fifo(priority: 60)).level == .ok)
        #expect(ProcessRights.finding(.kit(priority: 20)).message.contains("rtkit"))
        let refused = ProcessRights.finding(.ordinary(refusal: EPERM), brokerRefusal: "not installed")
        #expect(refused.message.contains("rtkit: not installed"))
        #expect(refused.level == .problem)
        #expect(refused.advice?.contains("rtprio") == true)
        #expect(ProcessRights.finding(.locked).level == .ok)
        #expect(ProcessRights.finding(.notPermitted).level == .warning)
        #expect(ProcessRights.finding(.refused(ENOMEM)).level == .warning)
    }
}
