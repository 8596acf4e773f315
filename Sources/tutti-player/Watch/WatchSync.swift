import Glibc
import TuttiCommandLine
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `tutti watch --sync`: asks the player twice a second.
struct WatchSync {
    let isJSON: Bool
    /// The group; nil for the only one.
    let group: String?

    /// Microseconds between two looks.
    private static let interval: UInt32 = 500_000

    /// Runs until the player ends.
    ///
    /// - Throws: `.nothingPlaying` when there is none at the beginning.
    func run() throws(SenderError) {
        let client = GroupOption.client
        var status = try client.send(ControlRequest(.status, group: group))
        let screen = Terminal.isInteractive && !isJSON ? WatchScreen() : nil
        let signals = WatchInterrupts.leave { screen?.close() }
        defer { withExtendedLifetime(signals) {} }
        defer { screen?.close() }
        var history = SyncHistory()
        var count = 0
        while true {
            history.append(status.rooms)
            if isJSON {
                Terminal.write(json: ControlEvent(ControlEvent.Kind.progress(status)))
            } else if let screen {
                screen.draw(Self.page(status, history, size: Terminal.size))
            } else if count.isMultiple(of: 2) {
                for room in status.rooms { Terminal.write(WatchSyncText.line(room, at: status.position) + "\n") }
            }
            count += 1
            usleep(Self.interval)
            do {
                status = try client.send(ControlRequest(.status, group: group))
            } catch {
                // The player was there and has ended: that is no failure of the view.
                if error.exitCode == SenderError.nothingPlaying.exitCode { return }
                throw error
            }
        }
    }

    /// Lines of a chart; more would only be higher bars.
    private static let highestChart = 16

    /// The lines of a full terminal.
    private static func page(
        _ status: PlayerStatus, _ history: SyncHistory, size: (width: Int, height: Int)
    ) -> [String] {
        let item = status.item.map { "  \(StatusText.name($0))" } ?? ""
        var lines = ["\(status.state.rawValue) \(StatusText.place(status))\(item)"]
        let share = (size.height - lines.count) / max(1, status.rooms.count)
        for room in status.rooms {
            let figures = WatchSyncText.lines(room, width: size.width)
            // The figures, the chart, and a gap above if there is room for it.
            let gap = share >= figures.count + 5 ? 1 : 0
            lines += Array(repeating: "", count: gap) + figures
            let rows = min(highestChart, (share - figures.count - gap) / 2 * 2)
            guard rows >= 2 else { continue }
            lines += SyncChart.lines(history[room], unit: "µs", width: size.width, rows: rows)
        }
        return lines.prefix(size.height).map { line in
            // Lines of a chart fit already, and have characters that take no room.
            line.contains("\u{1B}") ? line : String(line.prefix(size.width))
        }
    }
}
