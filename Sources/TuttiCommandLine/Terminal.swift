import Glibc
import TuttiHost
import TuttiSchema

/// Text for people, on the standard streams.
package enum Terminal {
    /// Whether standard output is a terminal.
    package static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// Columns and lines of the terminal now; 80 and 24 for what is none.
    package static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes to standard output at once.
    package static func write(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes bytes to standard output at once.
    package static func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    /// Writes a value as a line of JSON on standard output.
    package static func write(json value: some Encodable) {
        write(JSONLine.encode(value) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    /// Writes to standard error.
    package static func writeError(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    /// Says what went wrong, in one line.
    package static func error(_ message: String) { writeError("tutti: \(message)\n") }

    /// Writes all bytes to an open file.
    ///
    /// - Returns: false when it takes no more.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        OpenFiles.write(bytes, to: descriptor) == 0
    }
}
