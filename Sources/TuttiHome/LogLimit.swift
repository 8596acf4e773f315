/// Keeps what comes from outside from filling the log: so many lines in a while, and then how many were left out.
package struct LogLimit: Sendable, Equatable {
    private static let (most, period) = (10, 10.0)
    private var begin = -Double.infinity
    private var count = 0
    private var leftOut = 0

    package init() {}

    /// Whether a line may be written now.
    ///
    /// - Returns: nil if not, or else how many lines were left out since the last one.
    package mutating func line(at now: Double) -> Int? {
        if now - begin >= Self.period { (begin, count) = (now, 0) }
        guard count < Self.most else {
            leftOut += 1
            return nil
        }
        count += 1
        defer { leftOut = 0 }
        return leftOut
    }
}
