import TuttiCore

/// A script, and when its events are shown. It has libass for itself, so that the fonts that a script names go with it.
final class HeldScript {
    private struct Event: Hashable {
        let span: Range<Int64>
        let text: String
        /// Of a whole canvas, see `TextCost`.
        let canvases: Double

        func isPart(of other: Event) -> Bool { span.lowerBound == other.span.lowerBound && text == other.text }
    }

    /// Fonts and styles that events name; events that name further ones are left out.
    private static let maximumNames = 64

    private let library: TextLibrary
    private let script: TextScript
    private var names: Set<Substring> = []
    /// What was drawn last; nil for another size of canvas.
    private var drawn: [SubtitleTile]?
    private var events: [Event] = []
    private var known: Set<Event> = []
    private(set) var byteCount = 0
    private let cost: TextCost

    init(_ style: SubtitleStyle, _ library: TextLibrary) throws(SubtitleError) {
        self.library = library
        script = try TextScript(style, library)
        cost = TextCost(script.track.pointee)
    }

    /// What the texts refer to.
    var style: SubtitleStyle { script.style }

    /// Draws on a canvas of another size from now on.
    func resize(width: Int, height: Int) throws(SubtitleError) {
        try library.resize(width: width, height: height)
        drawn = nil
    }

    /// What is shown at a time.
    func draw(atMilliseconds time: Int64) -> [SubtitleTile] {
        let tiles = library.draw(script, atMilliseconds: time, .bands, unlessSame: drawn != nil) ?? drawn ?? []
        drawn = tiles
        return tiles
    }

    var count: Int { events.count }

    /// Adds an event, shown from one millisecond to another, unless it is there already, or it would be too much to draw
    /// with those that are shown when it begins.
    func append(_ text: String, _ span: Range<Int64>) {
        let event = Event(span: span, text: text, canvases: cost.canvases(text))
        guard !known.contains(event), event.canvases <= TextCost.maximumCanvases else { return }
        // It was cut off once, and is whole again.
        if events.contains(where: { $0.isPart(of: event) }) {
            replaceAll(with: events.filter { !$0.isPart(of: event) }[...])
        }
        let others = events.reduce(0) { $1.span.contains(span.lowerBound) ? $0 + $1.canvases : $0 }
        if others + event.canvases <= TextCost.maximumCanvases, noteNames(text) { hold(event) }
    }

    /// Each font is opened, and stays open.
    private func noteNames(_ event: String) -> Bool {
        let style = event.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(2).first
        let fonts = event.split(separator: "\\").dropFirst().filter { $0.drop { $0 == " " }.hasPrefix("fn") }
        let all = names.union(fonts.map { $0.prefix { $0 != "}" } }).union([style ?? ""])
        guard all.count <= Self.maximumNames else { return false }
        names = all
        return true
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
