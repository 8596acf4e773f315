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
        let width = status.rooms.map(\.name.count).max() ?? 0
        lines += status.rooms.map { Self.line($0, position: status.position, width: width) }
        Terminal.write(lines.joined(separator: "\n") + "\n")
    }

    private static func line(_ room: RoomStatus, position: Double, width: Int) -> String {
        var parts = [room.name + String(repeating: " ", count: width - room.name.count), room.state]
        if let volume = room.volume { parts.append(room.muted == true ? "muted" : "volume \(Int(volume.rounded()))") }
        if let range = room.loaded.first(where: { $0[0] <= position + 0.5 && $0[1] > position }) {
            parts.append("\(Int(range[1] - position)) s ahead")
        }
        if let error = room.syncErrorUs {
            let spread = room.syncErrorP99Us.map { " (99 % within \(StatusText.signed($0).dropFirst()) µs)" } ?? ""
            parts.append("off by \(StatusText.signed(error)) µs\(spread)")
        }
        if room.stalls > 0 { parts.append("\(room.stalls) stalls") }
        if room.xruns > 0 { parts.append("\(room.xruns) xruns") }
        if let format = room.format { parts.append("\(room.codec ?? "?") → \(format)") }
        if let message = room.message { parts.append(message) }
        return parts.joined(separator: "  ")
    }
}
