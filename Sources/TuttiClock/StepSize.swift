/// Finds the steps in which a card's pointer moves, from the positions it reports: their greatest common divisor.
struct StepSize: Sendable {
    private var first: Int64?
    /// Frames a step; 0 until the pointer moved.
    private(set) var frames: Int64 = 0

    mutating func observe(_ playedFrames: Int64) {
        guard let first else {
            first = playedFrames
            return
        }
        var a = frames
        var b = abs(Nanoseconds.subtract(playedFrames, first) % (1 << 40))
        while b != 0 { (a, b) = (b, a % b) }
        frames = a
    }
}
