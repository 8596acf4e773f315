/// Arithmetic on nanosecond counts that clamps instead of trapping.
enum Nanoseconds {
    static func add(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (right < 0 ? .min : .max) : sum
    }

    static func subtract(_ left: Int64, _ right: Int64) -> Int64 {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        return overflow ? (left < right ? .min : .max) : difference
    }

    /// The nearest integer, clamped; 0 for what is not a number.
    static func rounded(_ value: Double) -> Int64 {
        guard value == value else { return 0 }
        let limit = 9.2e18
        return Int64(min(max(value, -limit), limit).rounded())
    }
}
