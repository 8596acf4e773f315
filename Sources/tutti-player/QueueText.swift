import TuttiCore
import TuttiPlayback
import TuttiSchema
import TuttiSender

/// A player's queue in words.
enum QueueText {
    /// A line for each entry, numbered from 1, and one for how it is played when that is out of the ordinary.
    static func lines(_ queue: QueueListing) -> [String] {
        let width = "\(queue.entries.count)".count
        var lines = queue.entries.map { line($0, isCurrent: $0.index == queue.index, width: width) }
        let modes = [
            queue.repeat == .off ? nil : "repeat \(queue.repeat.rawValue)", queue.shuffle ? "shuffled" : nil,
            queue.consume ? "consume" : nil,
            queue.crossfade > 0 ? "crossfade \(StatusText.seconds(queue.crossfade))" : nil,
            queue.normalise.flatMap { $0 == .off ? nil : "normalise \($0.rawValue)" },
            queue.night == true ? "night mode" : nil,
        ].compactMap { $0 }
        if !modes.isEmpty { lines.append("(\(modes.joined(separator: ", ")))") }
        return lines
    }

    private static func line(_ entry: QueueListing.Entry, isCurrent: Bool, width: Int) -> String {
        let number = "\(entry.index + 1)"
        let mark = isCurrent ? "▶" : " "
        let title = entry.title ?? entry.uri.split(separator: "/").last.map(String.init) ?? entry.uri
        var parts = [entry.artist.map { "\(title) (\($0))" } ?? title]
        if let duration = entry.duration { parts.append(StatusText.time(duration)) }
        if let failure = entry.failure { parts.append("not played: \(failure)") }
        return mark + String(repeating: " ", count: width - number.count + 1) + number + "  "
            + parts.joined(separator: "  ")
    }
}
