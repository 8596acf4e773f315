/// A script, and when its events are shown.
final class HeldScript {
    private struct Event: Hashable {
        let span: Range<Int64>
        let text: String
        /// Of a whole canvas, see `TextCost`.
        let canvases: Double
    }

    let script: TextScript
    private var events: [Event] = []
    private var known: Set<Event> = []
    private(set) var byteCount = 0
    private let cost: TextCost

    init(_ script: TextScript) {
        self.script = script
        cost = TextCost(script.track.pointee)
    }

    var count: Int { events.count }

    /// Adds an event, shown from one millisecond to another, unless it is there already, or it would be too much to draw
    /// with those that are shown when it begins.
    func append(_ text: String, _ span: Range<Int64>) {
        let event = Event(span: span, text: text, canvases: cost.canvases(text))
        guard !known.contains(event), event.canvases <= TextCost.maximumCanvases else { return }
        let others = events.reduce(0) { $1.span.contains(span.lowerBound) ? $0 + $1.canvases : $0 }
        if others + event.canvases <= TextCost.maximumCanvases { hold(event) }
    }

    private func hold(_ event: Event) {
        known.insert(event)
        events.append(event)
        byteCount += event.text.utf8.count
        script.append(event.text, start: event.span.lowerBound, end: event.span.upperBound)
    }

    /// Forgets what ends before the rest.
    func removeFirstQuarter() {
        let sorted = events.sorted { $0.span.upperBound < $1.span.upperBound }
        replaceAll(with: sorted.dropFirst(max(1, sorted.count / 4)))
    }

    /// Ends what is shown at a time there, and forgets what comes later.
    func end(at time: Int64) {
        let kept = events.filter { $0.span.lowerBound < time }.map { event in
            Event(
                span: event.span.lowerBound..<min(event.span.upperBound, time), text: event.text,
                canvases: event.canvases)
        }
        if kept != events { replaceAll(with: kept[...]) }
    }

    private func replaceAll(with others: ArraySlice<Event>) {
        script.removeAll()
        (events, known, byteCount) = ([], [], 0)
        for event in others { hold(event) }
    }

    /// Whether something is shown at a time, whether it moves, and when that may be something else.
    func state(at now: Int64) -> (isActive: Bool, moves: Bool, nextChange: Int64) {
        var (isActive, moves, next) = (false, false, Int64.max)
        for event in events {
            next = min(next, event.span.next(after: now))
            guard event.span.contains(now) else { continue }
            isActive = true
            moves = moves || Self.moves(event.text)
        }
        return (isActive, moves, next)
    }

    /// Overrides of ASS that change a text while it is shown.
    private static let motions = ["\\t(", "\\move", "\\fad", "\\k", "\\K"]

    private static func moves(_ event: String) -> Bool {
        // The eighth field is an effect of the whole event.
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return false }
        return !fields[7].isEmpty || fields[8].contains("\\") && motions.contains { fields[8].contains($0) }
    }
}
