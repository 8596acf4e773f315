import Logging

extension Logger {
    /// Writes nothing: what an application has not asked for does not appear in its output.
    static let silent = Logger(label: "tutti") { _ in SwiftLogNoOpLogHandler() }
}
