import Glibc

/// Text for people, on the standard streams.
package enum Terminal {
    /// Whether standard output is a terminal.
    package static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// Columns of the terminal.
    package static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes to standard output at once.
    package static func write(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes bytes to standard output at once.
    package static func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    /// Writes to standard error.
    package static func writeError(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    /// Says what went wrong, in one line.
    package static func error(_ message: String) { writeError("tutti: \(message)\n") }

    /// Writes all bytes to an open file.
    ///
    /// - Returns: false when it takes no more.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count <= 0, errno != EINTR { return false }
            written += max(count, 0)
        }
        return true
    }
}
