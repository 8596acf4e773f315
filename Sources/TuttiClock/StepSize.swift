/// Finds the steps in which a card's pointer moves, from how far it moves between readings: their greatest common
/// divisor.
///
/// A pointer that jumps once, or counts ahead at the start of a run, moves once by something else; only what shows
/// again and again is a step.
struct StepSize: Sendable {
    /// Movements that are no multiples of a step, of so many, that mean a smaller one.
    private static let (leastOutliers, memory) = (3, 64)

    private var last: Int64?
    private var movements = 0
    private var outliers = 0
    private var finer: Int64 = 0
    /// Frames a step; 0 until the pointer moved.
    private(set) var frames: Int64 = 0

    mutating func observe(_ playedFrames: Int64) {
        defer { last = playedFrames }
        guard let last, playedFrames != last else { return }
        let moved = abs(Nanoseconds.subtract(playedFrames, last) % (1 << 40))
        guard frames > 0 else { return frames = moved }
        movements += 1
        if moved % frames != 0 {
            outliers += 1
            finer = Self.divisor(finer == 0 ? frames : finer, moved)
        }
        if outliers >= Self.leastOutliers { frames = finer }
        precondition(frames > 0, "a pointer that has moved has a step")
        guard outliers >= Self.leastOutliers || movements >= Self.memory else { return }
        (movements, outliers, finer) = (0, 0, 0)
    }

    /// Another run begins: it may begin anywhere.
    mutating func restart() { last = nil }

    private static func divisor(_ first: Int64, _ second: Int64) -> Int64 {
        precondition(first > 0 && second >= 0, "movements are counted in frames")
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
