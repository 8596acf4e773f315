package import TuttiAssets
package import TuttiCore

/// What is played, in order, and where each piece lies on the one media timeline.
///
/// Item i begins at `start` = the exact sum of the frames of those before it. A start is known once the item before has
/// been decoded to its end, or, after a jump, taken from declared durations.
package struct Programme: Sendable {
    /// One piece.
    package struct Item: Sendable {
        /// What was asked for.
        package let input: AssetInput
        /// What is known since it was opened.
        package internal(set) var info: AssetInfo?
        /// Where it begins on the timeline.
        package internal(set) var start: MediaTime?
        /// Where it ended on the timeline when it was decoded to its end.
        package internal(set) var end: MediaTime?
        /// Why it cannot be played (any further).
        package internal(set) var failure: String?
    }

    /// The pieces.
    package internal(set) var items: [Item]

    init(_ inputs: [AssetInput]) {
        items = inputs.map { Item(input: $0) }
        if !items.isEmpty { items[0].start = .zero }
    }

    /// The piece that is heard at `time`: the last one that begins at or before it.
    func index(at time: MediaTime) -> Int {
        items.lastIndex { item in item.start.map { $0 <= time } ?? false && item.info != nil } ?? 0
    }

    /// Where an item begins, as exactly as can be said now; nil while that of an earlier one is unknown.
    func plannedStart(of index: Int) -> MediaTime? {
        guard items.indices.contains(index) else { return nil }
        if let start = items[index].start { return start }
        guard index > 0, let start = plannedStart(of: index - 1) else { return nil }
        let previous = items[index - 1]
        if let end = previous.end { return end }
        if previous.failure != nil { return start }
        return previous.info?.duration.map { start + $0 }
    }

    /// Whether every item has failed.
    var isHopeless: Bool { items.allSatisfy { $0.failure != nil } }

    /// Items that failed.
    package var failureCount: Int { items.count { $0.failure != nil } }
}
