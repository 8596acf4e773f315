/// How long something takes: of the latest times that it was done.
package struct Durations: Sendable {
    private static let capacity = 24
    private var latest: [Int64] = []
    private var next = 0
    /// The longest, in ns.
    package private(set) var longest: Int64
    /// What half of them do not exceed, in ns.
    package private(set) var median: Int64

    /// Nothing is known yet but a guess.
    package init(guess: Int64) { (longest, median) = (guess, guess) }

    /// It took so long, in ns.
    package mutating func add(_ duration: Int64) {
        let duration = min(max(duration, 0), 1_000_000_000)
        if latest.count < Self.capacity {
            latest.append(duration)
        } else {
            latest[next] = duration
            next = (next + 1) % Self.capacity
        }
        let sorted = latest.sorted()
        (longest, median) = (sorted[sorted.count - 1], sorted[sorted.count / 2])
    }
}
