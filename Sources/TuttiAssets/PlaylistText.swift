/// The lines of a playlist or cue sheet, whatever its character set and line ends.
enum PlaylistText {
    /// Decodes UTF-8 or UTF-16 (by its mark), and Latin-1 for whatever is not UTF-8.
    static func lines(of bytes: [UInt8]) -> [String] {
        text(of: bytes).split(whereSeparator: \.isNewline).map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
    }

    /// A text of unknown character set.
    static func text(of bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: body, as: UTF8.self) { return text }
        var latin1 = String.UnicodeScalarView()
        latin1.append(contentsOf: body.map { Unicode.Scalar($0) })
        return String(latin1)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        let all = Array(bytes)
        let units = stride(from: 0, to: all.count - 1, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(all[index]), UInt16(all[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }
}
