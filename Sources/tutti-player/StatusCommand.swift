import ArgumentParser
import TuttiSender

/// `tutti status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what is playing, and how the rooms are doing.")

    @Flag(help: "As one line of JSON; see docs/json.md.")
    var json = false

    func run() throws {
        let status = try steer(ControlRequest(.status))
        if json {
            Terminal.write(JSONLine.encode(status) + [UInt8(ascii: "\n")])
            return
        }
        var lines = ["\(status.state.rawValue)  \(StatusText.place(status))"]
        if let item = status.item {
            let crossfade = status.queue.crossfade.flatMap { $0 > 0 ? "  crossfade \(StatusText.seconds($0))" : nil }
            let place = "[\(status.queue.index + 1) of \(status.queue.length)]"
            lines.append("\(StatusText.name(item))  \(place)\(crossfade ?? "")")
        }
        lines += StatusText.rooms(status)
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }
}
