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
            lines.append("\(StatusText.name(item))  [\(status.queue.index + 1) of \(status.queue.length)]")
        }
        lines += StatusText.rooms(status)
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }
}
