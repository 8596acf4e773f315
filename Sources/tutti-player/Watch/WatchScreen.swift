import Glibc
import Synchronization
import TuttiCommandLine

/// The whole terminal, borrowed: what stood there comes back at the end.
final class WatchScreen: Sendable {
    private let isOpen = Mutex(true)

    init() { Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J") }

    /// Columns and lines of the terminal now.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Replaces what is shown; `lines` fit the terminal.
    func draw(_ lines: [String]) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            // Without a line end after the last line, so that nothing scrolls.
            Terminal.write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
        }
    }

    /// Gives the terminal back.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { Terminal.write("\u{1B}[?25h\u{1B}[?1049l") }
            isOpen = false
        }
    }
}
