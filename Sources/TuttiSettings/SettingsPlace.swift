/// Where a setting stands.
package enum SettingsPlace: Sendable, Equatable, CustomStringConvertible {
    /// A line of a file, counted from 1.
    case file(path: String, line: Int)
    /// A variable of the environment.
    case environment(String)
    /// The command line.
    case commandLine

    package var description: String {
        switch self {
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): "the environment variable \(name)"
        case .commandLine: "the command line"
        }
    }
}
