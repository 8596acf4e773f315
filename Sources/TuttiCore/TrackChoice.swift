/// Which of a film's audio tracks plays, or which of its subtitles are shown.
package enum TrackChoice: Sendable, Hashable {
    /// What is chosen between.
    package enum Kind: Sendable, Hashable, CaseIterable {
        case audio
        case subtitle
    }

    /// What the film suggests.
    case automatic
    /// None. For subtitles only.
    case off
    /// The track with this number, counted from 1 within its kind.
    case number(Int)
    /// The track that suits this language best: an ISO 639 code, maybe with a region. `LanguageTag` reads it.
    case language(String)
    /// The subtitles in the file at this path. For subtitles only.
    case file(String)

    /// Numbers that can be chosen: of more tracks than these none are listed.
    package static let numbers = 1...64
    /// The endings of subtitle files' names, without the dot.
    package static let fileEndings = ["srt", "ass", "ssa", "vtt"]
    /// The longest path, in bytes (Linux: PATH_MAX).
    private static let maximumPathBytes = 4_096
}

extension TrackChoice: CustomStringConvertible {
    /// Reads `auto`, a number from 1 or a language, and for subtitles also `off` or the path of a file.
    ///
    /// - Throws: `TrackChoiceError`.
    package init(parsing text: String, of kind: Kind) throws(TrackChoiceError) {
        if text == "auto" {
            self = .automatic
        } else if kind == .subtitle, text == "off" {
            self = .off
        } else if kind == .subtitle, Self.isFile(text) {
            self = .file(text)
        } else if let number = Int(text) {
            guard Self.numbers.contains(number) else { throw .noSuchNumber(number) }
            self = .number(number)
        } else if text != "off", LanguageTag(text) != nil {
            self = .language(text)
        } else {
            throw TrackChoiceError(text, of: kind)
        }
    }

    /// As it is read.
    package var description: String {
        switch self {
        case .automatic: "auto"
        case .off: "off"
        case .number(let number): "\(number)"
        case .language(let text), .file(let text): text
        }
    }

    private static func isFile(_ text: String) -> Bool {
        guard text.utf8.count <= maximumPathBytes, !text.utf8.contains(0), let dot = text.lastIndex(of: ".") else {
            return false
        }
        return fileEndings.contains(text[dot...].dropFirst().lowercased())
    }

    /// The track that is chosen by number or language.
    ///
    /// - Parameter languages: those of all tracks of the kind, as the medium names them; nil where it does not.
    /// - Returns: its index; nil where there is no such track, and for the other choices.
    package func index(among languages: [String?]) -> Int? {
        switch self {
        case .automatic, .off, .file: return nil
        case .number(let number): return number >= 1 && number <= languages.count ? number - 1 : nil
        case .language(let text):
            guard let wanted = LanguageTag(text) else { return nil }
            var best: (index: Int, likeness: Int)?
            for (index, name) in languages.enumerated() {
                guard let likeness = name.flatMap(LanguageTag.init).flatMap(wanted.likeness),
                    likeness > best?.likeness ?? -1
                else { continue }
                best = (index, likeness)
            }
            return best?.index
        }
    }
}
