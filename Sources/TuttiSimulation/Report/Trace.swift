/// A run as lines of text: what happened, and what could be seen to change. The same run gives the same bytes.
package struct Trace: Sendable {
    /// The last lines, oldest first.
    package private(set) var tail: [String] = []

    private let kept: Int
    private var last: HouseObservation?
    private var lastSecond: Int64 = -1

    /// - Parameter kept: how many lines stay in `tail`; twice as many at times.
    package init(kept: Int = 60) { self.kept = max(1, kept) }

    /// Takes in a moment and returns its lines.
    package mutating func note(_ moment: Moment) -> [String] {
        let now = moment.observation
        var lines = moment.steps.map { "\(TimeText.text($0.at)) > \($0.action)" }
        let stamp = TimeText.text(now.at)
        for (index, sender) in now.senders.enumerated() {
            let before = last.flatMap { $0.senders.indices.contains(index) ? $0.senders[index] : nil }
            lines += TraceText.changes(sender, from: before).map { "\(stamp) \(sender.name): \($0)" }
        }
        for (index, room) in now.rooms.enumerated() {
            let before = last.flatMap { $0.rooms.indices.contains(index) ? $0.rooms[index] : nil }
            lines += TraceText.changes(room, from: before).map { "\(stamp) \(room.name): \($0)" }
        }
        if now.sides != last?.sides, now.sides.count > 1 || last.map({ $0.sides.count > 1 }) == true {
            let sides = now.sides.map { $0.map(\.name).joined(separator: " ") }
            lines.append("\(stamp) sides: \(sides.joined(separator: " | "))")
        }
        let second = now.at / 1_000_000_000
        if second != lastSecond {
            lastSecond = second
            lines += now.rooms.map { "\(stamp) \($0.name): \(TraceText.figures($0))" }
        }
        last = now
        keep(lines)
        return lines
    }

    /// Takes in where an invariant does not hold, and returns the line.
    package mutating func note(_ violation: Violation) -> String {
        let line = "\(TimeText.text(violation.at)) ! \(violation)"
        keep([line])
        return line
    }

    private mutating func keep(_ lines: [String]) {
        tail += lines
        if tail.count > 2 * kept { tail.removeFirst(tail.count - kept) }
    }
}
