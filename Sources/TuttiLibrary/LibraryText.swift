import Foundation
import TuttiCore

/// Texts as the library keeps them.
enum LibraryText {
    /// A text without characters that steer what shows it, at most `LibraryLimits.textBytes` long; nil when nothing is
    /// left.
    static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        var shown = PeerText.shown(text)
        if shown.utf8.count > LibraryLimits.textBytes { shown = cut(shown) }
        if shown.utf8.first == 0x20 || shown.utf8.last == 0x20 {
            shown = shown.trimmingCharacters(in: .whitespaces)
        }
        return shown.isEmpty ? nil : shown
    }

    private static func cut(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > LibraryLimits.textBytes { break }
            result.append(scalar)
        }
        return String(result)
    }

    /// What texts are sorted and told apart by: the same for all spellings that differ in case, accents and width.
    static func key(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The names in a tag that has several, as in `Bach; Busoni`.
    static func names(_ text: String?) -> [String] {
        guard let text else { return [] }
        guard text.utf8.contains(UInt8(ascii: ";")) else { return [text] }
        var seen: Set<String> = []
        let parts = text.split(separator: ";").compactMap { clean(String($0)) }
        return Array(parts.filter { seen.insert(key($0)).inserted }.prefix(LibraryLimits.names))
    }
}
