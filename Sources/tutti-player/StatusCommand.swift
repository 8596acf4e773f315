import ArgumentParser
import TuttiCommandLine
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what is playing, and how the rooms are doing.",
        discussion:
            """
            If the service plays in several groups, the command shows all of them, or only the one after --group. If \
            nothing plays, it shows the rooms that played last and how well each knows the shared clock, and the exit \
            status is 5.
            """)

    @Flag(help: "Print one line of JSON; see docs/json.md.")
    var json = false

    @OptionGroup var target: GroupOption

    func run() throws {
        do throws(SenderError) {
            try show()
        } catch {
            if error.exitCode == SenderError.nothingPlaying.exitCode, target.name == nil { showIdleRooms() }
            throw error
        }
    }

    private func show() throws(SenderError) {
        let response = try StepIn.ask(ControlRequest(.status, group: target.name))
        let statuses = response.playing ?? response.status.map { [$0] } ?? []
        for (place, status) in statuses.enumerated() {
            if json {
                Terminal.write(json: status)
            } else {
                let width = Terminal.isInteractive ? Terminal.size.width : nil
                Terminal.write((place > 0 ? "\n" : "") + StatusReport.text(status, width: width))
            }
        }
    }

    /// The idle rooms that answer.
    private func showIdleRooms() {
        // A question about what does not play must not fail twice.
        let answer = try? StepIn.ask(ControlRequest(.levels(room: nil)))
        guard let status = answer?.status, !status.rooms.isEmpty else { return }
        if json {
            Terminal.write(json: status)
        } else {
            Terminal.write(StatusReport.idle(status.rooms, width: Terminal.isInteractive ? Terminal.size.width : nil))
        }
    }
}
