import ArgumentParser
import TuttiSender

/// `tutti status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what is playing, and how the rooms are doing.",
        discussion:
            "Where a service plays in several groups all are shown, one after the other, or the one after --group.")

    @Flag(help: "As one line of JSON; see docs/json.md.")
    var json = false

    @OptionGroup var target: GroupOption

    func run() throws {
        do throws(SenderError) {
            let response = try StepIn.ask(ControlRequest(.status, group: target.name))
            let statuses = response.playing ?? response.status.map { [$0] } ?? []
            for (place, status) in statuses.enumerated() {
                if json {
                    Terminal.write(JSONLine.encode(status) + [UInt8(ascii: "\n")])
                } else {
                    let width = Terminal.isInteractive ? Terminal.width : nil
                    Terminal.write((place > 0 ? "\n" : "") + StatusReport.text(status, width: width))
                }
            }
        } catch {
            throw Failure(error)
        }
    }
}
