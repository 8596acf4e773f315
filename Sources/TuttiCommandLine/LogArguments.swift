import ArgumentParser
import Logging
package import TuttiLogging

/// What a program of a service logs, as it is told on its command line.
package struct LogArguments: ParsableArguments {
    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "info"

    @Option(help: ArgumentHelp("text, or json: one JSON object a line.", valueName: "format"))
    var logFormat = "text"

    package init() {}

    /// - Throws: `ValidationError` for words that are no level or no format.
    package func options() throws -> LogOptions {
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw ValidationError("\(logLevel): --log-level is trace, debug, info, notice, warning or error")
        }
        guard let format = LogOptions.Format(rawValue: logFormat) else {
            throw ValidationError("\(logFormat): --log-format is text or json")
        }
        return LogOptions(level: level, format: format)
    }
}
