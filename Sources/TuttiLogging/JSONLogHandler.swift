package import FoundationEssentials
package import Logging

/// Writes each message as one line of JSON:
///
/// ```
/// {"fields":{"name":"kitchen","port":"7700"},"level":"info","message":"speaker ready","program":"tutti-speaker",
///  "source":"TuttiSpeaker","time":"2026-05-01T18:30:00.123Z"}
/// ```
///
/// `fields` is left out where there are none; all of them are texts. `time` is UTC (RFC 3339).
package struct JSONLogHandler: LogHandler {
    private struct Line: Encodable {
        let time: String
        let level: String
        let program: String
        let source: String
        let message: String
        let fields: [String: String]?
    }

    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - label: the program's name.
    ///   - now: the time.
    ///   - write: takes a whole line at once, so that those of several threads do not mix.
    package init(
        label: String, now: @escaping @Sendable () -> Date = { Date() }, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.label, self.now, self.write) = (label, now, write)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description)
        if let error = event.error { fields["error"] = "\(error)" }
        let line = Line(
            time: now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            level: event.level.rawValue, program: label, source: event.source, message: event.message.description,
            fields: fields.isEmpty ? nil : fields)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(line) else { return }
        write(Array(bytes) + [UInt8(ascii: "\n")])
    }
}
