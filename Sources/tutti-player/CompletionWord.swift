import ArgumentParser

/// Names as a shell has to be offered them, so that what it puts on the line is just the name. They are other people's:
/// none may be run.
///
/// All of it looks at scalars: a quote that an accent follows is one character with it, and another one than a quote,
/// but not for a shell.
enum CompletionWord {
    /// A name, for the shell that asks.
    static func offered(_ name: String, to shell: CompletionShell? = .requesting) -> String {
        switch shell {
        case .bash:
            // bash expands an offered word as if it had been typed, and quotes the result.
            return "'" + replacing(name) { $0 == "'" ? "'\\''" : nil } + "'"
        case .zsh:
            // It quotes the word itself; text after a colon would become an explanation.
            return replacing(name) { $0 == "\\" || $0 == ":" ? "\\\($0)" : nil }
        default: return name
        }
    }

    /// Whether a name can be offered: shells tell one offer from the next by lines.
    static func isOneLine(_ name: String) -> Bool {
        !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The text that is meant by the beginning of a word on the line, without its quotes.
    static func meant(_ typed: String) -> String {
        guard let quote = typed.unicodeScalars.first else { return "" }
        if quote == "'" { return String(typed.unicodeScalars.dropFirst()) }
        var isEscaped = false
        return typed.unicodeScalars.dropFirst(quote == "\"" ? 1 : 0).reduce(into: "") { text, scalar in
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { text.unicodeScalars.append(scalar) }
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
    }
}
