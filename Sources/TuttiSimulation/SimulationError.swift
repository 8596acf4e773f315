/// Why a scenario or a script cannot be used, in one line.
package enum SimulationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Something in a file is wrong: where, counted from 1, and what is allowed.
    case malformed(file: String, line: Int, String)
    /// A file cannot be read.
    case unreadable(file: String, String)

    package var description: String {
        switch self {
        case .malformed(let file, let line, let message): "\(file):\(line): \(message)"
        case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
        }
    }
}
