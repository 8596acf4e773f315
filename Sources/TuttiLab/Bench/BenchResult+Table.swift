import Foundation

extension BenchResult {
    private static let columns = [
        ("case", 10), ("system", 16), ("median", 9), ("p99", 9), ("p99 2nd", 9), ("max", 10), ("first", 9),
        ("song %", 8),
        ("gaps ms", 9), ("to sound", 10), ("loaded", 9), ("player %", 9), ("sender %", 9), ("player MB", 10),
        ("sender MB", 10),
    ]

    /// A table of results: offsets between pairs of rooms in µs (median, p99, p99 of the second half, max; the largest at the
    /// first sound), then the worst room's share of the song and gaps, ms from command to sound and until loaded, and
    /// processor (percent of a core) and memory of the worst player and of the sender.
    package static func table(_ results: [BenchResult]) -> String {
        var lines = [columns.map { pad($0.0, $0.1) }.joined()]
        for result in results {
            if let failure = result.failure {
                lines.append(pad(result.name, 10) + pad(result.system, 16) + "  " + failure)
                continue
            }
            lines.append(zip(result.cells, columns).map { pad($0, $1.1) }.joined())
        }
        return lines.joined(separator: "\n")
    }

    private var cells: [String] {
        let pairs = comparison?.pairs ?? []
        let rooms = comparison?.rooms ?? []
        let players = loads.dropFirst()
        return [
            name, system, Self.number(comparison?.all.median), Self.number(comparison?.all.p99),
            Self.number(pairs.map(\.secondHalf.p99).max()), Self.number(comparison?.all.max),
            Self.number(pairs.compactMap(\.firstOffset).map(abs).max()),
            Self.number(rooms.map(\.completeness).min(), 2),
            Self.number(rooms.map(\.gapMilliseconds).max(), 0), Self.number(commandToSoundMilliseconds, 0),
            Self.number(loadedMilliseconds, 0), Self.number(players.map(\.processorPercent).max(), 2),
            Self.number(loads.first?.processorPercent, 2), Self.number(players.map(\.residentMegabytes).max()),
            Self.number(loads.first?.residentMegabytes),
        ]
    }

    private static func number(_ value: Double?, _ digits: Int = 1) -> String {
        guard let value else { return "–" }
        return value.formatted(
            .number.precision(.fractionLength(digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
