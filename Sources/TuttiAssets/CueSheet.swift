import TuttiCore

/// A cue sheet: files and the pieces inside them.
struct CueSheet {
    /// One piece.
    struct Track: Equatable {
        let file: String
        let number: Int
        var title: String?
        var performer: String?
        /// INDEX 01; 75 frames make a second.
        var start: MediaTime?
    }

    /// The album's name.
    private(set) var title: String?
    /// Who plays where a track does not say.
    private(set) var performer: String?
    /// The pieces in order; those without an INDEX 01 are left out.
    private(set) var tracks: [Track] = []

    /// More tracks than any sheet has.
    private static let maximumTracks = 10_000

    init(lines: [String]) {
        var file: String?
        for line in lines {
            let words = Self.words(of: line)
            guard let command = words.first?.uppercased() else { continue }
            let value = words.count > 1 ? words[1] : ""
            switch command {
            case "FILE": file = value
            case "TRACK" where tracks.count < Self.maximumTracks:
                guard let file, !file.isEmpty else { break }
                tracks.append(Track(file: file, number: Int(value) ?? tracks.count + 1))
            case "TITLE": tracks.isEmpty ? (title = value) : (tracks[tracks.count - 1].title = value)
            case "PERFORMER": tracks.isEmpty ? (performer = value) : (tracks[tracks.count - 1].performer = value)
            case "INDEX" where Int(value) == 1 && words.count > 2 && !tracks.isEmpty:
                tracks[tracks.count - 1].start = Self.time(words[2])
            default: break
            }
        }
        tracks.removeAll { $0.start == nil }
    }

    /// Where track `index` ends: at the next one's start if that lies in the same file, else with the file.
    func end(ofTrack index: Int) -> MediaTime? {
        guard tracks.indices.contains(index + 1), tracks[index + 1].file == tracks[index].file else { return nil }
        return tracks[index + 1].start
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
