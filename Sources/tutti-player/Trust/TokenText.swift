import ArgumentParser
import FoundationEssentials
import TuttiHouse
import TuttiTrust

/// Tokens as people see them.
enum TokenText {
    /// The longest that a token can be made for: a year.
    private static let longest: Int64 = 366 * 86_400

    /// `party  control  2026-11-26  group downstairs  until 2026-11-26T23:00:00Z`.
    static func line(_ entry: TokenEntry) -> String {
        let made = Date(timeIntervalSince1970: Double(entry.madeAt)).formatted(.iso8601.year().month().day())
        var words = [entry.name, entry.scope.rawValue, made]
        if let group = entry.group { words.append("group \(group)") }
        if let until = entry.until {
            words.append("until \(Date(timeIntervalSince1970: Double(until)).formatted(.iso8601))")
        }
        return words.joined(separator: "  ")
    }

    /// Reads how long a token is good: `6h`, `1h30m`, `3d`.
    ///
    /// - Throws: `ValidationError`.
    static func seconds(_ text: String) throws -> Int64 {
        let days =
            text.hasSuffix("d") ? Int64(text.dropLast()).flatMap { (1...366).contains($0) ? $0 * 86_400 : nil } : nil
        guard let seconds = days ?? Schedule.duration(text), (1...longest).contains(seconds) else {
            throw ValidationError("\(text): a time looks like 6h, 1h30m or 3d, a year at most")
        }
        return seconds
    }
}
