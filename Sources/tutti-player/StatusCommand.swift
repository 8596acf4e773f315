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
            for (place, status) in try Self.statuses(of: target.name).enumerated() {
                if json {
                    Terminal.write(JSONLine.encode(status) + [UInt8(ascii: "\n")])
                } else {
                    Terminal.write((place > 0 ? "\n" : "") + Self.text(status))
                }
            }
        } catch {
            throw Failure(error)
        }
    }

    private static func statuses(of group: String?) throws(SenderError) -> [PlayerStatus] {
        let response = try StepIn.ask(ControlRequest(.status, group: group))
        return response.playing ?? response.status.map { [$0] } ?? []
    }

    private static func text(_ status: PlayerStatus) -> String {
        let group = status.group.map { "\($0): " } ?? ""
        var lines = ["\(group)\(status.state.rawValue)  \(StatusText.place(status))"]
        if let item = status.item {
            let crossfade = status.queue.crossfade.flatMap { $0 > 0 ? "  crossfade \(StatusText.seconds($0))" : nil }
            let place = "[\(status.queue.index + 1) of \(status.queue.length)]"
            lines.append("\(StatusText.name(item))  \(place)\(crossfade ?? "")")
        }
        lines += StatusText.rooms(status)
        return lines.joined(separator: "\n") + "\n"
    }
}
