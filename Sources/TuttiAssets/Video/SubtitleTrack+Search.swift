extension SubtitleTrack {
    /// What is looked for beside a film at most.
    private static let maximumFiles = 64

    /// How a text file of subtitles with this name is coded; nil for a name that does not say so.
    static func codec(ofFile path: String) -> Codec? {
        switch PathText.ending(of: path) {
        case "srt": .subRip
        case "ass", "ssa": .ass
        case "vtt": .webVTT
        default: nil
        }
    }

    /// The files beside a film that have its name, with or without a language: `film.srt`, `film.en.srt`,
    /// `film.pt-BR.forced.ass`; in natural order. None beside what is no local file.
    ///
    /// - Throws: when the folder cannot be read.
    package static func files(beside film: AssetInput) throws(AssetError) -> [SubtitleTrack] {
        guard !film.isRemote, !film.isReadOnce, let name = film.uri.split(separator: "/").last else { return [] }
        let folder = PathText.folder(of: film.uri)
        let ending = PathText.ending(of: film.uri)
        let base = ending.isEmpty ? name : name.dropLast(ending.count + 1)
        let names = try FolderListing.names(in: folder.isEmpty ? "." : folder)
        let tracks = names.filter { $0.hasPrefix(base + ".") && codec(ofFile: $0) != nil }
            .sorted(by: NaturalOrder.precedes).prefix(maximumFiles)
        return tracks.compactMap { SubtitleTrack(file: folder + $0, parts: $0.dropFirst(base.count)) }
    }

    /// Whether there is a file at a path that may hold subtitles: whoever reads them finds out.
    package static func isReadable(_ path: String) -> Bool {
        guard codec(ofFile: path) != nil, (try? LocalFile.check(path)) != nil,
            case .file? = try? LocalFile.kind(of: path)
        else { return false }
        return true
    }

    /// The subtitles in a file; nil for one that is not named `.srt`, `.ass`, `.ssa` or `.vtt`.
    package init?(file path: String) {
        self.init(file: path, parts: "")
    }

    /// - Parameter parts: what the file's name has behind the film's, such as `.en.forced.srt`.
    private init?(file path: String, parts: Substring) {
        guard let codec = Self.codec(ofFile: path) else { return nil }
        var (language, titles): (String?, [Substring]) = (nil, [])
        var (isDefault, isForced) = (false, false)
        for part in parts.split(separator: ".").dropLast() {
            switch part.lowercased() {
            case "forced": isForced = true
            case "default": isDefault = true
            case _ where language == nil && Self.isLanguage(part): language = String(part)
            default: titles.append(part)
            }
        }
        let title = TagText.oneLine(titles.joined(separator: " "))
        self.init(
            id: .file(path), codec: codec, language: language, title: title.isEmpty ? nil : title,
            isDefault: isDefault, isForced: isForced)
    }

    /// Two or three letters, maybe with a region or a script.
    private static func isLanguage(_ part: Substring) -> Bool {
        let pieces = part.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let first = pieces.first, (2...3).contains(first.count), pieces.count <= 3 else { return false }
        return part.lowercased() != "sdh" && part.allSatisfy { $0.isASCII && ($0.isLetter || "-_".contains($0)) }
    }
}
