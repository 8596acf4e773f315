/// Why a chain, or a text that describes one, cannot be taken.
public enum ChainError: Error, Sendable, Hashable {
    /// The text cannot be read; says where and what would be right. Lines count from 1; 0 where there is no line to
    /// name: in a text of one line, and in JSON.
    case syntax(line: Int, String)
    /// A value is outside its limits; says which, what it is and what is allowed.
    case outOfRange(name: String, value: Double, allowed: ClosedRange<Double>)
    /// More effects, or more filters of one equaliser, than there may be.
    case tooMany(what: String, maximum: Int)
    /// A matrix is no rectangle of 1 … 8 rows and columns.
    case notAMatrix
}

extension ChainError: CustomStringConvertible {
    /// What is wrong, in one line without the number of the line in the text.
    public var reason: String {
        switch self {
        case .syntax(_, let reason): reason
        case .outOfRange(let name, let value, let allowed):
            "\(name) is \(NumberText.text(value)); allowed: \(NumberText.text(allowed.lowerBound)) to "
                + NumberText.text(allowed.upperBound)
        case .tooMany(let what, let maximum): "too many \(what); allowed: \(maximum)"
        case .notAMatrix: "a channel matrix needs 1 to 8 rows of equal length, 1 to 8 numbers each"
        }
    }

    /// What is wrong, in one line, with the number of the line in the text if it has several.
    public var description: String {
        if case .syntax(let line, let reason) = self, line > 0 { "line \(line): \(reason)" } else { reason }
    }

    /// The same, of line `line` of a text; unchanged for 0 and for what already has a line.
    package func located(_ line: Int) -> ChainError {
        if case .syntax(let own, _) = self, own > 0 { return self }
        return line > 0 ? .syntax(line: line, reason) : self
    }
}
