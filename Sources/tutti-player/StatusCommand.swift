import ArgumentParser
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// `tutti status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what is playing, and how the rooms are doing.",
        discussion:
            """
            Where a service plays in several groups all are shown, one after the other, or the one after --group. Where nothing plays, the \
            rooms that were played in are shown, and how well each knows the clock that they share; the exit status is 5 then.
            """)

    @Flag(help: "As one line of JSON; see docs/json.md.")
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

    /// The rooms that nobody plays in, as far as they answer.
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
