/// Why a chain, or a text that describes one, cannot be taken.
public enum ChainError: Error, Sendable, Hashable {
    /// The text cannot be read; says where and what would be right.
    case syntax(line: Int, String)
    /// A value is outside its limits; says which, what it is and what is allowed.
    case outOfRange(name: String, value: Double, allowed: ClosedRange<Double>)
    /// More effects, or more filters of one equaliser, than there may be.
    case tooMany(what: String, maximum: Int)
    /// A matrix is no rectangle of 1 … 8 rows and columns.
    case notAMatrix
}
