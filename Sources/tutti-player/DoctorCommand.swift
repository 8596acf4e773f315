import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiRooms
import TuttiSender

/// `tutti doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks this host for problems with sound or timing.",
        discussion: """
            Each check prints one line: its level (ok, unknown, warning or problem), what it found, and what to do. \
            Run this command on each speaker's host, as the user that the speaker runs as, and on the sender's host. \
            The exit status is 1 if there is a problem.
            """)

    @Option(help: ArgumentHelp("The TCP port of the speaker on this host.", valueName: "port"))
    var port: UInt16 = 7700

    @Flag(help: "Print lines of JSON; see docs/json.md.")
    var json = false

    func run() async throws {
        let findings = HostHealth.examine(speakerPort: port) + [await Self.discovery()]
        if json {
            for finding in findings { Terminal.write(json: finding) }
        } else {
            let width = findings.map(\.check.count).max() ?? 0
            for finding in findings { Terminal.write(Self.line(finding, width: width) + "\n") }
        }
        let problems = findings.count { $0.level == .problem }
        if problems > 0 { throw Failure(problems == 1 ? "1 problem" : "\(problems) problems") }
    }

    /// Whether rooms are found by name.
    private static func discovery() async -> HealthFinding {
        let check = "mDNS (avahi-daemon)"
        do throws(SenderError) {
            let count = try await RoomResolver.all().count
            return HealthFinding(
                check, .ok,
                count == 0 ? "running; no speakers found" : "running; speakers found: \(count)")
        } catch {
            return HealthFinding(
                check, .warning, error.description,
                advice: "install and start avahi-daemon, or name rooms with their address: --room NAME@HOST")
        }
    }

    private static func line(_ finding: HealthFinding, width: Int) -> String {
        let level = padded(finding.level.rawValue, HealthFinding.Level.allCases.map(\.rawValue.count).max() ?? 0)
        let advice = finding.advice.map { " → \($0)" } ?? ""
        return "\(level)  \(padded(finding.check, width))  \(finding.message)\(advice)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
