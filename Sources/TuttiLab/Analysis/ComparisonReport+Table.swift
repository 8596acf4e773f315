import Foundation

extension ComparisonReport {
    /// The report as two tables of text.
    package var table: String {
        var lines = [
            "room          first sound    song %    gaps ms  jumps  clicks  xruns  content dB  rate ppm   card"
        ]
        let origin = rooms.compactMap(\.firstSoundRawNanoseconds).min() ?? 0
        for room in rooms {
            let sound = room.firstSoundRawNanoseconds.map { raw in
                room.commandToSoundMilliseconds.map { Self.number($0, 1) + " ms" }
                    ?? "+" + Self.number(Double(raw - origin) / 1e6, 3) + " ms"
            }
            lines.append(
                Self.left(room.name, 12) + Self.right(sound ?? "silent", 13)
                    + Self.right(Self.number(room.completeness, 2), 10)
                    + Self.right(Self.number(room.gapMilliseconds, 0), 11) + Self.right("\(room.jumps)", 7)
                    + Self.right("\(room.clicks.count)", 8) + Self.right("\(room.underruns)", 7)
                    + Self.right(room.contentDecibels.map { Self.number($0, 1) } ?? "–", 12)
                    + Self.right(room.ratePpm.map { Self.number($0, 2) } ?? "–", 10)
                    + "   \(Int(room.cardRate)) Hz \(room.cardPpm >= 0 ? "+" : "")\(Self.number(room.cardPpm, 0)) ppm")
        }
        lines += ["", "µs behind           first    median      p95      p99      max   windows  2nd half p99"]
        for pair in pairs {
            lines.append(
                Self.left("\(pair.first) – \(pair.second)", 16)
                    + Self.right(pair.firstOffset.map { Self.number($0, 2) } ?? "–", 9)
                    + Self.spread(pair.whole) + Self.right(Self.number(pair.secondHalf.p99, 2), 14))
        }
        lines.append(Self.left("all pairs", 25) + Self.spread(all))
        return lines.joined(separator: "\n")
    }

    private static func spread(_ spread: Spread) -> String {
        right(number(spread.median, 2), 10) + right(number(spread.p95, 2), 9) + right(number(spread.p99, 2), 9)
            + right(number(spread.max, 2), 9) + right("\(spread.count)", 10)
    }

    private static func number(_ value: Double, _ digits: Int) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
