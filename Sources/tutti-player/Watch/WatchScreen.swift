import Synchronization
import TuttiCommandLine

/// The whole terminal, borrowed: what stood there comes back at the end.
final class WatchScreen: Sendable {
    private let isOpen = Mutex(true)

    init() { Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J") }

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
