/// A scrolling bar chart of a signed figure in block characters, newest at the right, zero in the middle.
package enum SyncChart {
    /// The smallest scale: less than this is quiet, and is shown so.
    static let smallestScale = 5.0

    /// Columns left of the bars: a label and a rule.
    static let margin = 9

    /// - Parameters:
    ///   - samples: oldest first, a column each; nil where there is none. Those that do not fit are left out.
    ///   - unit: behind the figures of the scale.
    ///   - width: columns.
    ///   - rows: lines, made even; half of them are for each sign.
    /// - Returns: the lines; bars below zero are drawn in reverse video (`ESC [7m`), for there are no blocks that hang.
    package static func lines(_ samples: [Double?], unit: String, width: Int, rows: Int) -> [String] {
        let half = max(1, rows / 2)
        let columns = max(0, width - margin)
        let shown = samples.suffix(columns)
        let limit = scale(of: shown)
        let indent = columns - shown.count
        return (0..<2 * half).map { row in
            var line = label(row: row, half: half, limit: limit, unit: unit) + String(repeating: " ", count: indent)
            var isReversed = false
            for sample in shown {
                let cell = cell(of: sample ?? .nan, row: row, half: half, limit: limit)
                if cell.isReversed != isReversed { line += cell.isReversed ? "\u{1B}[7m" : "\u{1B}[27m" }
                isReversed = cell.isReversed
                line.append(cell.character)
            }
            return isReversed ? line + "\u{1B}[27m" : line
        }
    }

    /// The figure at the edges of the chart: 1, 2 or 5 times a power of ten that holds all samples.
    package static func scale(of samples: some Sequence<Double?>) -> Double {
        let largest = samples.reduce(0) { largest, sample in
            guard let sample, sample.isFinite else { return largest }
            return max(largest, min(abs(sample), 1e12))
        }
        var decade = 1.0
        while true {
            for step in [1.0, 2, 5] where step * decade >= max(largest, smallestScale) { return step * decade }
            decade *= 10
        }
    }

    private struct Cell {
        var character: Character
        var isReversed = false

        static let empty = Cell(character: " ")
    }

    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// What `sample` leaves in a row. A row is eight steps high; what is there at all is one step high at least.
    private static func cell(of sample: Double, row: Int, half: Int, limit: Double) -> Cell {
        guard !sample.isNaN else { return .empty }
        let steps = min(8 * half, max(1, Int((min(abs(sample) / limit, 1) * Double(8 * half)).rounded())))
        let isBelow = sample < 0
        guard isBelow == (row >= half) else { return .empty }
        let distance = isBelow ? row - half : half - 1 - row
        let filled = min(8, max(0, steps - 8 * distance))
        guard isBelow, filled > 0, filled < 8 else { return Cell(character: blocks[filled]) }
        return Cell(character: blocks[8 - filled], isReversed: true)
    }

    private static func label(row: Int, half: Int, limit: Double, unit: String) -> String {
        let text: String =
            switch row {
            case 0: "+\(figure(limit)) \(unit)"
            case 2 * half - 1: "-\(figure(limit)) \(unit)"
            case half: "0"
            default: ""
            }
        let room = margin - 2
        return String(repeating: " ", count: max(0, room - text.count)) + text.prefix(room) + " │"
    }

    private static func figure(_ limit: Double) -> String {
        switch limit {
        case 1e6...: "\(Int(limit / 1e6))M"
        case 1e4...: "\(Int(limit / 1e3))k"
        default: "\(Int(limit))"
        }
    }
}
