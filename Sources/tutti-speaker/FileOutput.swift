import Glibc

/// Text for people, on the standard streams.
enum FileOutput {
    /// Writes to standard error.
    static func standardError(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
