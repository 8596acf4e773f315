/// The chapter that a `chapter` command asks for.
package enum ChapterTarget: Sendable, Equatable, CustomStringConvertible {
    /// This one, counted from 1.
    case number(Int)
    /// The one after the current one.
    case next
    /// The beginning of the current one; in its first three seconds, the one before.
    case previous

    /// Reads `next`, `previous` or a number.
    package init?(parsing text: String) {
        switch text {
        case "next": self = .next
        case "previous", "prev": self = .previous
        default:
            guard let number = Int(text), number >= 1 else { return nil }
            self = .number(number)
        }
    }

    /// As it is read.
    package var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .next: "next"
        case .previous: "previous"
        }
    }
}
