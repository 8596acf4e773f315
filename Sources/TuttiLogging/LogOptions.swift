import Glibc
package import Logging
import TuttiHost

/// What a program logs, and how.
package struct LogOptions: Sendable, Equatable {
    /// How a line looks.
    package enum Format: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// One JSON object a line, for programs: see `JSONLogHandler`.
        case json
    }

    /// What is less important is not logged.
    package var level: Logger.Level
    package var format: Format

    package init(level: Logger.Level = .info, format: Format = .text) { (self.level, self.format) = (level, format) }

    /// Has all loggers of this process write to standard error so. To be called once, before the first is made.
    package func apply() {
        LoggingSystem.bootstrap { label in
            var handler: any LogHandler
            switch format {
            case .text: handler = StreamLogHandler.standardError(label: label)
            case .json: handler = JSONLogHandler(label: label) { _ = OpenFiles.write($0, to: STDERR_FILENO) }
            }
            handler.logLevel = level
            return handler
        }
    }
}
