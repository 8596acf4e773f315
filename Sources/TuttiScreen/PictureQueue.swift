package import TuttiCore

/// What is to be seen from which instant on, and at which refresh of a display each comes to light. Sans-I/O.
///
/// A picture goes to the refresh that is nearest to its instant. Pictures that fall midway between two go to the same
/// side as the one before that did, so that 24 pictures a second on 60 refreshes stay 3, 2, 3, 2 whatever the noise of
/// instants and refreshes.
package struct PictureQueue<Picture: Sendable>: Sendable {
    private struct Entry: Sendable {
        let picture: Picture
        let instant: HostTime
    }

    /// Pictures that wait, at most: of more the earliest go.
    package static var capacity: Int { 32 }
    /// About the middle between two refreshes, as a part of the time between them.
    private static var indifference: Double { 1.0 / 16 }

    /// In the order of their instants.
    private var waiting: [Entry] = []
    private var current: Entry?
    /// What was seen before, for when the current one is taken back.
    private var former: Entry?
    /// Whether the last picture that fell about the middle went to the earlier refresh.
    private var prefersEarlier = true
    private var isNew = false
    /// Pictures that came to light, and that never did.
    package private(set) var (shownCount, droppedCount) = (0, 0)
    /// Pictures that came to light at another refresh than the nearest.
    package private(set) var lateCount = 0
    /// How far from their instants pictures came to light.
    package private(set) var errors = LightErrors()

    /// A queue that holds nothing.
    package init() {}

    /// What is to be seen, as of the latest choice.
    package var picture: Picture? { current?.picture }
    /// From when on the next picture is to be seen.
    package var nextInstant: HostTime? { waiting.first?.instant }
    /// Pictures that wait.
    package var waitingCount: Int { waiting.count }

    // MARK: Presentations

    /// A picture is to be seen from an instant on, until another one takes its place; one of the same instant does so now.
    package mutating func show(_ picture: Picture, at instant: HostTime) {
        if let current, instant < current.instant { return droppedCount += 1 }
        let place = waiting.lastIndex { $0.instant <= instant }.map { $0 + 1 } ?? 0
        if place > 0, waiting[place - 1].instant == instant {
            waiting[place - 1] = Entry(picture: picture, instant: instant)
            return droppedCount += 1
        }
        waiting.insert(Entry(picture: picture, instant: instant), at: place)
        if waiting.count > Self.capacity {
            waiting.removeFirst()
            droppedCount += 1
        }
    }

    /// What was to be seen at an instant or later is not: the picture before it stays.
    package mutating func takeBack(from instant: HostTime) {
        waiting.removeAll { $0.instant >= instant }
        guard let taken = current, taken.instant >= instant else { return }
        (current, former) = (former.flatMap { $0.instant < instant ? $0 : nil }, nil)
        isNew = false
    }

    /// Nothing is to be seen.
    package mutating func removeAll() {
        (current, former, isNew) = (nil, nil, false)
        waiting.removeAll()
    }

    // MARK: Refreshes

    /// Chooses what is seen at the refresh that comes to light at `light`.
    ///
    /// - Parameter period: nanoseconds from a refresh to the next; positive.
    /// - Returns: nil where nothing is.
    package mutating func choose(light: HostTime, period: Double) -> Picture? {
        let (half, margin) = (period / 2, period * Self.indifference)
        let limit = half + (prefersEarlier ? margin : -margin)
        let due = waiting.prefix { Double($0.instant.nanoseconds(since: light)) <= limit }
        guard let chosen = due.last else { return current?.picture }
        waiting.removeFirst(due.count)
        droppedCount += due.count - 1 + (isNew ? 1 : 0)
        (former, current, isNew) = (current, chosen, true)
        // It is noted beyond the margin too: one that was just outside of it goes before others of its kind.
        let early = Double(chosen.instant.nanoseconds(since: light))
        if abs(early) > half - 3 * margin, abs(early) < half + 3 * margin { prefersEarlier = early > 0 }
        return chosen.picture
    }

    /// What was chosen last has come to light.
    package mutating func lit(at light: HostTime, period: Double) {
        guard isNew, let current else { return }
        isNew = false
        shownCount += 1
        let error = light.nanoseconds(since: current.instant)
        errors.add(error)
        if Double(error) > 0.75 * period { lateCount += 1 }
    }

    /// Counts anew.
    package mutating func resetCounts() { (shownCount, droppedCount, lateCount, errors) = (0, 0, 0, LightErrors()) }
}
