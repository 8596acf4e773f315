import TuttiAssets
import TuttiCore

/// Which files of a batch are several tracks, by the cue sheets beside them and in their tags.
///
/// A sheet is about files that lie beside it. Of several sheets for one file, the first by name counts, and any of them
/// before one in the file's tags. A file of which a sheet has one track only stays as its tags describe it.
struct SheetPlan {
    /// What cannot be followed of a sheet.
    struct Flaw: Equatable {
        /// The sheet's number in the batch; the sound file's own for one in its tags.
        let file: Int
        /// The first of what is wrong.
        let text: String
        /// Sheets.
        let count = 1
    }

    private(set) var flaws: [Flaw] = []
    /// Sheets that are to be read again, since files beside them could not be read.
    private(set) var waiting: [Int] = []
    private var parts: [Int: [ScanBatch.Part]] = [:]

    init(_ batch: ScanBatch) {
        var folders: [Int: [Int]] = [:]
        for (number, file) in batch.files.enumerated() { folders[file.folder, default: []].append(number) }
        for numbers in folders.sorted(by: { $0.key < $1.key }).map(\.value) { take(numbers, batch) }
    }

    /// The tracks of files that have several, by the files' numbers.
    mutating func takeParts() -> [Int: [ScanBatch.Part]] {
        defer { parts = [:] }
        return parts
    }

    /// - Parameter numbers: all files of one folder.
    private mutating func take(_ numbers: [Int], _ batch: ScanBatch) {
        let sheets = numbers.filter { if case .sheet = batch.outcomes[$0] { true } else { false } }
            .sorted { batch.files[$0].file.name < batch.files[$1].file.name }
        let isUnreadable = numbers.contains { if case .unreadable = batch.outcomes[$0] { true } else { false } }
        if isUnreadable { waiting += sheets }
        let files = SheetFiles(numbers.filter { !batch.files[$0].file.isSheet }.map { ($0, batch.files[$0].file.name) })
        for number in sheets {
            guard case .sheet(let sheet) = batch.outcomes[number] else { continue }
            let isOfOneFile = Set(sheet.tracks.map(\.file)).count == 1
            let namesake = isOfOneFile ? batch.files[number].file.name : nil
            follow(sheet, number, batch) { files.find($0, namesake: namesake) }
        }
        for number in numbers where parts[number] == nil {
            guard case .tags(let tags) = batch.outcomes[number], let sheet = tags.cueSheet else { continue }
            // Whatever name the sheet has for it: it is in this file.
            follow(sheet, number, batch) { _ in number }
        }
    }

    private mutating func follow(
        _ sheet: CueSheet, _ number: Int, _ batch: ScanBatch, _ find: (_ name: String) -> Int?
    ) {
        var flaw: String? = sheet.tracks.isEmpty ? "no track with an INDEX 01" : nil
        if sheet.isCut || sheet.tracks.count > LibraryLimits.parts {
            flaw = flaw ?? "more than \(LibraryLimits.parts) tracks"
        }
        // By the name in the sheet: the numbers of its tracks.
        var names: [String] = []
        var tracks: [String: [Int]] = [:]
        for index in sheet.tracks.indices.prefix(LibraryLimits.parts) {
            let name = sheet.tracks[index].file
            if tracks[name] == nil { names.append(name) }
            tracks[name, default: []].append(index)
        }
        for name in names {
            guard let file = find(name) else {
                flaw = flaw ?? "\(name) is not beside it"
                continue
            }
            // Damage and what was cut by another sheet are reported elsewhere, or of no interest.
            guard case .tags(let tags) = batch.outcomes[file], parts[file] == nil else { continue }
            let (found, problem) = Self.parts(of: sheet, tracks[name] ?? [], tags)
            flaw = flaw ?? problem
            if found.count > 1 { parts[file] = found }
        }
        if let flaw { flaws.append(Flaw(file: number, text: flaw)) }
    }

    /// The tracks of a sheet that are in one file, as far as they can be.
    private static func parts(
        of sheet: CueSheet, _ indices: [Int], _ tags: AssetTags
    ) -> (parts: [ScanBatch.Part], problem: String?) {
        var parts: [ScanBatch.Part] = []
        var problem: String?
        let length = tags.duration.map { $0.converted(to: LibraryTrack.Part.timescale).value }
        for index in indices {
            guard let begin = sheet.tracks[index].start?.converted(to: LibraryTrack.Part.timescale).value else {
                continue
            }
            guard length.map({ begin < $0 }) ?? true else {
                problem = problem ?? "track \(sheet.tracks[index].number) begins behind the end of its file"
                continue
            }
            guard parts.last.map({ begin > $0.begin }) ?? true else {
                problem = problem ?? "track \(sheet.tracks[index].number) does not begin after the one before it"
                continue
            }
            if !parts.isEmpty { parts[parts.count - 1].finish = begin }
            parts.append(ScanBatch.Part(tags: Self.tags(sheet, index, tags), begin: begin, finish: nil))
        }
        let numbers = parts.map { $0.tags.track ?? 0 }
        let isCounted = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } && numbers.first.map { $0 > 0 } ?? true
        for place in parts.indices {
            // Two tracks of one number could not be told apart by it.
            if !isCounted { parts[place].tags.track = place + 1 }
            let end = parts[place].finish ?? length
            parts[place].tags.duration = end.flatMap {
                MediaTime(value: $0 - parts[place].begin, timescale: LibraryTrack.Part.timescale)
            }
        }
        return (parts, problem)
    }

    /// What is known of a track: what the sheet says, and else what its file does.
    private static func tags(_ sheet: CueSheet, _ index: Int, _ file: AssetTags) -> AssetTags {
        var tags = file
        let (words, album) = (sheet.tracks[index].words, sheet.album)
        tags.cueSheet = nil
        tags.title =
            words.title
            ?? "\(album.title ?? file.album ?? file.title ?? "Track") \(sheet.tracks[index].number)"
        tags.album = album.title ?? file.album
        tags.artist = words.performer ?? album.performer ?? file.artist
        tags.albumArtist = file.albumArtist ?? album.performer
        tags.track = AssetTags.numbers.contains(sheet.tracks[index].number) ? sheet.tracks[index].number : nil
        tags.disc = album.disc ?? file.disc
        tags.year = words.year ?? album.year ?? file.year
        tags.genre = words.genre ?? album.genre ?? file.genre
        tags.composer = words.composer ?? album.composer ?? file.composer
        tags.work = nil
        // What the file's tags call its track is the album here.
        var loudness = sheet.loudness(ofTrack: index)
        if loudness.album == nil { loudness.album = file.loudness?.album ?? file.loudness?.track }
        tags.loudness = loudness == TrackLoudness() ? nil : loudness
        return tags
    }
}

/// The sound files of a folder, as a sheet names them.
private struct SheetFiles {
    private var exact: [String: Int] = [:]
    private var folded: [String: Int] = [:]
    private var stems: [String: Int] = [:]

    init(_ files: [(number: Int, name: String)]) {
        for (number, name) in files {
            exact[name] = number
            folded[LibraryText.key(name)] = number
            let stem = LibraryText.key(String(FolderContents.stem(of: name)))
            if stems[stem] == nil { stems[stem] = number }
        }
    }

    /// A file by its name, which may have a path of another system before it, in other case, or with another ending:
    /// sheets outlive a conversion. Else the file that is called as the sheet is, where that is about one file.
    func find(_ name: String, namesake: String?) -> Int? {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
        return exact[last] ?? folded[LibraryText.key(last)]
            ?? stems[LibraryText.key(String(FolderContents.stem(of: last)))]
            ?? namesake.flatMap { stems[LibraryText.key(String(FolderContents.stem(of: $0)))] }
    }
}
