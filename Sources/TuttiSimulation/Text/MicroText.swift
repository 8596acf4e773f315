/// Short times as text.
enum MicroText {
    /// Microseconds with a digit behind the point, from nanoseconds: `12.3 µs`.
    static func text(_ nanoseconds: Int64) -> String {
        let tenths = (nanoseconds.magnitude + 50) / 100
        return "\(nanoseconds < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) µs"
    }
}
