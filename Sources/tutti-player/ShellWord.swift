/// Words that a person may copy into a shell.
enum ShellWord {
    /// The word, in quotes where a shell would take it for several, or for something else.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "_-+./@:".contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
