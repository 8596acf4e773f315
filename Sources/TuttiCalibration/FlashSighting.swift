/// One flash of the pattern as a camera saw it.
struct FlashSighting {
    /// Seconds by which its middle is later than that of the chirp's flash, by the pictures' times.
    var late: Double
    /// By how much brighter the pictures are with it.
    var contrast: Double
    /// Seconds over which it begins and ends, if it does so evenly.
    var blur: Double

    /// A blur is at most so many pictures long.
    static let longestBlur = 1.5
}
