/// The lines of a playlist or cue sheet, whatever its character set and line ends.
enum PlaylistText {
    /// The lines without blanks at both ends; empty ones are left out.
    static func lines(of bytes: [UInt8]) -> [String] {
        UnknownText.text(of: bytes).split(whereSeparator: \.isNewline).map { $0.trimmingBlanks() }
            .filter { !$0.isEmpty }
    }
}
