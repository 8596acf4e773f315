import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSender
import TuttiTrust

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
        let findings = HostHealth.examine(speakerPort: port) + (await Self.rooms())
        if json {
            for finding in findings { Terminal.write(json: finding) }
        } else {
            let width = findings.map(\.check.count).max() ?? 0
            for finding in findings { Terminal.write(Self.line(finding, width: width) + "\n") }
        }
        let problems = findings.count { $0.level == .problem }
        if problems > 0 { throw Failure(problems == 1 ? "1 problem" : "\(problems) problems") }
    }

    /// Whether rooms are found by name, and whether this host may play in them.
    private static func rooms() async -> [HealthFinding] {
        let check = "mDNS (avahi-daemon)"
        do throws(SenderError) {
            let trust = (try? MembershipFolder(stateDirectory: PlayerSettings.paths.stateDirectory).existing()) ?? nil
            let rooms = try await RoomResolver.all(as: trust)
            let text = rooms.isEmpty ? "running; no speakers found" : "running; speakers found: \(rooms.count)"
            let twins = RoomTwins.among(rooms).map { twins in
                HealthFinding("speakers' keys", .warning, twins.message, advice: RoomTwins.advice)
            }
            return [HealthFinding(check, .ok, text)] + twins + (await access(to: rooms, as: trust))
        } catch {
            return [
                HealthFinding(
                    check, .warning, error.description,
                    advice: "install and start avahi-daemon, or name rooms with their address: --room NAME@HOST")
            ]
        }
    }

    /// Rooms where this host's household may not play; nothing for a host that has none, as hosts of speakers do.
    private static func access(to rooms: [FoundRoom], as trust: Membership?) async -> [HealthFinding] {
        guard !rooms.isEmpty, let trust else { return [] }
        let owners = await RoomBook.owners(of: rooms, as: trust, clock: HostClock()).map(\.owner)
        func names(_ owner: RoomOwner) -> String? {
            let names = zip(rooms, owners).filter { $0.1 == owner }.map(\.0.room.name).sorted()
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        let check = "household"
        var findings: [HealthFinding] = []
        if let others = names(.other) {
            findings.append(
                HealthFinding(
                    check, .warning, "belongs to another household: \(others)",
                    advice: "join that household (`tutti household join`), or run `tutti-speaker reset` there"))
        }
        if let strangers = names(.mismatch) {
            findings.append(
                HealthFinding(
                    check, .warning, "another speaker than before answers for: \(strangers)",
                    advice: "if you have replaced it, run `tutti pair ROOM`"))
        }
        if findings.isEmpty { findings.append(HealthFinding(check, .ok, "no room belongs to another household")) }
        return findings
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
