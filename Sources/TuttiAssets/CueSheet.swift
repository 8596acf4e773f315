package import TuttiCore

/// A cue sheet: files and the pieces inside them.
///
/// It is read as far as it can be understood; no text is an error.
package struct CueSheet: Sendable, Equatable {
    /// What a sheet says of an album, or of one of its tracks.
    package struct Words: Sendable, Equatable {
        package var title: String?
        package var performer: String?
        package var songwriter: String?
        /// Remarks that are known, by their upper-case names.
        fileprivate(set) var remarks: [String: String] = [:]

        package var genre: String? { remarks["GENRE"] }
        package var composer: String? { remarks["COMPOSER"] ?? songwriter }
        /// The year of a date.
        package var year: Int? { remarks["DATE"].flatMap(AssetTags.year) }
        /// The number of the disc in its set.
        package var disc: Int? {
            remarks["DISCNUMBER"].flatMap { Int($0) }.flatMap { AssetTags.numbers.contains($0) ? $0 : nil }
        }
    }

    /// One piece.
    package struct Track: Sendable, Equatable {
        package let file: String
        package let number: Int
        package var words = Words()
        /// INDEX 01; 75 frames make a second.
        package var start: MediaTime?

        package var title: String? { words.title }
        package var performer: String? { words.performer }
    }

    /// What it says of all tracks.
    package private(set) var album = Words()
    /// The pieces in order; those without an INDEX 01 are left out.
    package private(set) var tracks: [Track] = []
    /// Whether it has more tracks than are taken.
    package private(set) var isCut = false

    /// The album's name.
    package var title: String? { album.title }
    /// Who plays where a track does not say.
    package var performer: String? { album.performer }

    /// More tracks than any sheet has.
    private static let maximumTracks = 10_000
    private static let remarks: Set<String> = [
        "GENRE", "DATE", "COMPOSER", "DISCNUMBER", "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK",
        "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK",
    ]

    /// Reads a sheet in whatever character set.
    package init(bytes: [UInt8]) { self.init(lines: PlaylistText.lines(of: bytes)) }

    /// Reads the sheet in a file.
    ///
    /// - Parameter limit: bytes of a file that is read.
    /// - Throws: `.badPlaylist` for a longer one, and why it cannot be read.
    package init(file path: String, limit: Int) throws(AssetError) {
        try LocalFile.check(path)
        guard let bytes = try LocalFile.bytes(of: path, limit: limit) else {
            throw .badPlaylist(path, reason: "the cue sheet is too long")
        }
        self.init(bytes: bytes)
    }

    init(lines: [String]) {
        var file: String?
        /// Whether lines are of a track that is left out.
        var isLeftOut = false
        for line in lines {
            let words = Self.words(of: line)
            guard let command = words.first?.uppercased() else { continue }
            let value = words.count > 1 ? words[1] : ""
            switch command {
            case "FILE": file = value
            case "TRACK":
                isCut = isCut || tracks.count >= Self.maximumTracks
                isLeftOut = tracks.count >= Self.maximumTracks || file?.isEmpty != false
                if !isLeftOut, let file { tracks.append(Track(file: file, number: Int(value) ?? tracks.count + 1)) }
            case _ where isLeftOut: break
            case "INDEX" where Int(value) == 1 && words.count > 2 && !tracks.isEmpty:
                tracks[tracks.count - 1].start = Self.time(words[2])
            default:
                if tracks.isEmpty {
                    album.take(command, words.dropFirst())
                } else {
                    tracks[tracks.count - 1].words.take(command, words.dropFirst())
                }
            }
        }
        tracks.removeAll { $0.start == nil }
    }

    /// Where track `index` ends: at the next one's start if that lies in the same file, else with the file.
    package func end(ofTrack index: Int) -> MediaTime? {
        guard tracks.indices.contains(index + 1), tracks[index + 1].file == tracks[index].file else { return nil }
        return tracks[index + 1].start
    }

    /// How loud a track is, by what the sheet says.
    package func loudness(ofTrack index: Int) -> TrackLoudness {
        guard tracks.indices.contains(index) else { return TrackLoudness() }
        let remarks = album.remarks.merging(tracks[index].words.remarks) { _, own in own }
        return TrackLoudness { remarks[$0.uppercased()] }
    }

    /// Reads `mm:ss:ff`.
    private static func time(_ text: String) -> MediaTime? {
        let fields = text.split(separator: ":").map { Int64($0) ?? -1 }
        guard fields.count == 3, (0...1_000_000).contains(fields[0]), (0..<60).contains(fields[1]),
            (0..<75).contains(fields[2])
        else { return nil }
        return MediaTime(value: (fields[0] * 60 + fields[1]) * 75 + fields[2], timescale: 75)
    }

    /// The words of a line; quotes hold words together.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var rest = line[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"" {
                let body = rest.dropFirst()
                let end = body.firstIndex(of: "\"") ?? body.endIndex
                words.append(String(body[..<end]))
                rest = body[end...].dropFirst()
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(String(word))
                rest = rest[word.endIndex...]
            }
        }
        return words
    }
}

extension CueSheet.Words {
    /// Takes what a line says.
    fileprivate mutating func take(_ command: String, _ values: ArraySlice<String>) {
        guard let first = values.first, !first.isEmpty else { return }
        switch command {
        case "TITLE": title = first
        case "PERFORMER": performer = first
        case "SONGWRITER": songwriter = first
        case "REM":
            let name = first.uppercased()
            // Some programs write a value of several words without quotes.
            let value = values.dropFirst().joined(separator: " ")
            if CueSheet.isKnown(remark: name), !value.isEmpty { remarks[name] = value }
        default: break
        }
    }
}

extension CueSheet {
    fileprivate static func isKnown(remark: String) -> Bool { remarks.contains(remark) }
}
