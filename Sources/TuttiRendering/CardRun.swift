package import TuttiCore

/// The present run of a card, which lasts from a start or a recovery to the next, and what the next period is to be
/// told of it.
package struct CardRun: Sendable {
    /// The card's own number of the run; 0 before there is one.
    package private(set) var generation: UInt32 = 0
    /// When it was begun.
    package private(set) var began: HostTime
    private var isDiscontinuity = false
    private var isRelocated = false
    private var replacements = 0

    /// A card that is started now.
    package init(began: HostTime) { self.began = began }

    /// The card has been recovered.
    package mutating func restart(at time: HostTime) { began = time }

    /// The card gives a number for its run.
    ///
    /// - Returns: whether another run was there before.
    package mutating func enter(_ newGeneration: UInt32) -> Bool {
        guard newGeneration != generation else { return false }
        defer { generation = newGeneration }
        isDiscontinuity = isDiscontinuity || generation != 0
        return generation != 0
    }

    /// The card's line has been given up for another one so many times.
    package mutating func noteReplacements(_ count: Int) {
        if count != replacements { (isRelocated, replacements) = (true, count) }
    }

    /// What the next period is to be told, once: whether it is the first of a run after another, and whether the card's
    /// line is another one since the last.
    package mutating func takeChanges() -> (isDiscontinuity: Bool, isRelocated: Bool) {
        defer { (isDiscontinuity, isRelocated) = (false, false) }
        return (isDiscontinuity, isRelocated)
    }
}
