extension HouseReport {
    /// The rooms as a table for people, a line each below the heading, and what did not hold.
    package var lines: [String] {
        let heading = [
            "room", "sync p50", "p99", "max µs", "dropouts", "longest", "buffer min", "typical", "back in sync",
        ]
        let rows = [heading] + rooms.map(Self.row)
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let table = rows.map { row in
            row.enumerated().map { column, text in
                let gap = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + gap : gap + text
            }.joined(separator: "  ")
        }
        return table + violations.map { "failed at \(TimeText.text($0.at)): \($0)" }
    }

    private static func row(_ room: RoomFigures) -> [String] {
        let micros: (Int64?) -> String = { $0.map { "\(($0 + 50) / 1000).\(($0 + 50) / 100 % 10)" } ?? "–" }
        let worst = room.recoveries.max().map(seconds) ?? "–"
        let times = room.recoveries.count > 1 ? " (\(room.recoveries.count) times)" : ""
        return [
            room.name, micros(room.syncP50), micros(room.syncP99), micros(room.syncMaximum), "\(room.dropouts)",
            room.longestDropout > 0 ? seconds(room.longestDropout) : "–", room.bufferMinimum.map(seconds) ?? "–",
            room.bufferTypical.map(seconds) ?? "–", room.isOutAtEnd ? "not at the end" : worst + times,
        ]
    }

    /// `12.3 s`
    private static func seconds(_ nanoseconds: Int64) -> String {
        let hundredths = (nanoseconds + 5_000_000) / 10_000_000
        guard hundredths < 1000 else { return "\((hundredths + 5) / 10 / 10).\((hundredths + 5) / 10 % 10) s" }
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
    }
}
