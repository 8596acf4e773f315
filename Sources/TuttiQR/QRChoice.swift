import Glibc

/// Whether a code is shown beside its text.
package struct QRChoice: Sendable, Equatable {
    /// Whether standard output is a terminal, and how many columns that has.
    package var isTerminal: Bool
    package var columns: Int

    /// - Parameters:
    ///   - isTerminal: whether standard output is one.
    ///   - columns: how wide it is.
    package init(isTerminal: Bool, columns: Int) { (self.isTerminal, self.columns) = (isTerminal, columns) }

    /// This process's standard output as it is now.
    package static var standardOutput: QRChoice {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return QRChoice(isTerminal: isatty(STDOUT_FILENO) == 1, columns: isKnown ? Int(size.ws_col) : 80)
    }

    /// The code's picture, with an empty line before it; nil where none is to be shown.
    ///
    /// - Parameters:
    ///   - wish: what the person has asked for; nil for one that has not, who gets it on a terminal that can show it.
    ///   - environment: by which is known what the terminal can show.
    package func picture(of text: String, wish: Bool?, environment: [String: String]) -> String? {
        guard wish != false, let code = QRCode(text) else { return nil }
        guard wish == true || isTerminal && columns >= code.columns && Self.showsBlocks(environment) else { return nil }
        return "\n" + code.picture
    }

    /// Whether a terminal shows half blocks and colours: it is no bare one, and its texts are UTF-8.
    private static func showsBlocks(_ environment: [String: String]) -> Bool {
        guard let term = environment["TERM"], !term.isEmpty, term != "dumb" else { return false }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
