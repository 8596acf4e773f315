package import TuttiSchema

/// The songs of a library as they were at one time, in the order of their paths.
///
/// Tags that many songs share are kept once.
package struct MPDCatalogue: Sendable {
    /// A song. An artist, genre or composer may be several, with `;` between them.
    final class Row: Sendable {
        /// Relative to the root of all, without a `/` at either end.
        let path: String
        let title: String
        let artist: String?
        let albumArtist: String?
        let album: String?
        let genre: String?
        let composer: String?
        let work: String?
        let disc: Int32?
        let number: Int32?
        let year: Int32?
        let duration: Double?
        let added: Int64
        /// The track's number in the service's library.
        let id: Int64
        /// Where in its file it begins, and ends, for a track of a cue sheet: each a count and how many make a second.
        let part: (start: [Int64], end: [Int64]?)?

        /// - Parameter shared: the same text, kept once.
        init(_ track: LibraryListing.Track, path: String, shared: (String?) -> String?) {
            (self.path, title, duration, added) = (path, track.title, track.duration, track.added)
            (artist, albumArtist, album) = (shared(track.artist), shared(track.albumArtist), shared(track.album))
            (genre, composer, work) = (shared(track.genre), shared(track.composer), shared(track.work))
            (id, part) = (track.id, track.start.map { ($0, track.end) })
            func small(_ number: Int?) -> Int32? { number.flatMap(Int32.init(exactly:)) }
            (disc, number, year) = (small(track.disc), small(track.number), small(track.year))
        }
    }

    /// In the order of the bytes of their paths.
    private(set) var rows: [Row] = []
    /// The library's folders: what clients call them, and where they are.
    private var roots: [(name: String, path: String)] = []
    private var texts: [String: String] = [:]
    /// Songs that are taken at most.
    private static let most = 2_000_000

    /// - Parameter roots: the paths of the library's folders.
    package init(roots: [String]) {
        var taken: Set<String> = []
        for root in roots.sorted() {
            let last = root.split(separator: "/").last.map(String.init) ?? "music"
            var (name, number) = (last, 2)
            while !taken.insert(name).inserted { (name, number) = ("\(last) (\(number))", number + 1) }
            self.roots.append((name, root))
        }
        // A folder in another one is none of the library, but what is longer fits better.
        self.roots.sort { $0.path.utf8.count > $1.path.utf8.count }
    }

    // MARK: Filling

    /// Takes songs, in any order; `finish` is to follow.
    package mutating func take(_ tracks: [LibraryListing.Track]) {
        for track in tracks where rows.count < Self.most {
            guard var path = relative(track.path) else { continue }
            // Its file is a folder for clients, as for those of MPD.
            if track.start != nil { path += Self.partName(track.number ?? 0) }
            rows.append(Row(track, path: path) { shared($0) })
        }
    }

    /// Puts the songs in order.
    package mutating func finish() {
        texts = [:]
        rows.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private static func partName(_ number: Int) -> String {
        "/track" + String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }

    private mutating func shared(_ text: String?) -> String? {
        guard let text else { return nil }
        if let known = texts[text] { return known }
        texts[text] = text
        return text
    }

    // MARK: Paths

    /// The path of a file as clients have it; nil for one that is in no folder of the library.
    private func relative(_ path: String) -> String? {
        for root in roots {
            let prefix = root.path.hasSuffix("/") ? root.path : root.path + "/"
            if path.hasPrefix(prefix) { return root.name + "/" + path.dropFirst(prefix.count) }
        }
        return nil
    }

    /// Where the file of a song is; nil for what is in no folder of the library.
    package func absolute(_ path: String) -> String? {
        guard let slash = path.firstIndex(of: "/"), let root = roots.first(where: { $0.name == path[..<slash] }) else {
            return nil
        }
        return (root.path.hasSuffix("/") ? String(root.path.dropLast()) : root.path) + path[slash...]
    }

    // MARK: Looking

    /// The song of a path.
    package func song(at path: String) -> MPDSong? {
        row(at: path)?.song
    }

    /// The song of a file, or of the part of it that begins at a place.
    package func song(ofFile path: String, start: Double? = nil) -> MPDSong? {
        guard let path = relative(path) else { return nil }
        guard let start else { return song(at: path) }
        let parts = rows[place(of: path + "/")..<endOfFolder(path)]
        return parts.first { $0.part.flatMap { Self.seconds($0.start) }.map { abs($0 - start) < 1e-3 } ?? false }?.song
    }

    /// A count and how many make a second, in seconds.
    static func seconds(_ time: [Int64]) -> Double? {
        time.count == 2 && time[1] > 0 ? Double(time[0]) / Double(time[1]) : nil
    }

    /// What the service is told to play for a song; nil for what is in no folder of the library.
    package func input(for song: MPDSong) -> ControlInput? {
        let row = row(at: song.uri)
        var path = song.uri
        if row?.part != nil, let slash = path.lastIndex(of: "/") { path = String(path[..<slash]) }
        guard let file = absolute(path) else { return nil }
        return ControlInput(
            uri: file, title: song.tags[.title]?.first, artist: song.tags[.artist]?.joined(separator: "; "),
            album: song.tags[.album]?.first, start: row?.part?.start, end: row?.part?.end)
    }

    /// The library's number of a song.
    package func id(of path: String) -> Int64? { row(at: path)?.id }

    /// The songs of some numbers of the library below a folder, in the order of their paths.
    package func songs(of ids: Set<Int64>, in folder: String) -> [(id: Int64, path: String)] {
        let range = folder.isEmpty ? rows.indices : place(of: folder + "/")..<endOfFolder(folder)
        let own = row(at: folder).map { [$0] } ?? []
        return (own + rows[range]).filter { ids.contains($0.id) }.map { ($0.id, $0.path) }
    }

    private func row(at path: String) -> Row? {
        let place = place(of: path)
        return place < rows.count && rows[place].path == path ? rows[place] : nil
    }

    /// What there is in a folder: first folders, then songs. Nil if there is no such folder.
    package func entries(in folder: String) -> [MPDLibraryEntry]? {
        if folder.isEmpty {
            return roots.map(\.name).sorted().map { .folder($0, modified: nil) }
        }
        let prefix = folder + "/"
        var place = place(of: prefix)
        var folders: [MPDLibraryEntry] = []
        var songs: [MPDLibraryEntry] = []
        while place < rows.count, rows[place].path.hasPrefix(prefix) {
            let rest = rows[place].path.utf8.dropFirst(prefix.utf8.count)
            if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
                let inner = String(rows[place].path[..<slash])
                folders.append(.folder(inner, modified: nil))
                place = endOfFolder(inner)
            } else {
                songs.append(.song(rows[place].song))
                place += 1
            }
        }
        if folders.isEmpty, songs.isEmpty, !roots.contains(where: { $0.name == folder }) { return nil }
        return folders + songs
    }

    /// All songs for which a filter is true.
    package func songs(matching filter: MPDFilter) -> [any MPDTagged] {
        var range = rows.indices
        if let folder = filter.folder, !folder.isEmpty {
            // A song may be named in place of a folder.
            if let song = song(at: folder) { return filter.matches(song) ? [song] : [] }
            range = place(of: folder + "/")..<endOfFolder(folder)
        }
        return rows[range].filter { filter.matches($0) }
    }

    /// The first place whose path does not come before this one.
    private func place(of path: String) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].path.utf8.lexicographicallyPrecedes(path.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The place behind all that is in a folder: `0` follows `/`.
    private func endOfFolder(_ folder: String) -> Int { max(place(of: folder + "0"), place(of: folder + "/")) }
}

extension MPDCatalogue.Row: MPDTagged {
    var uri: String { path }
    var modified: Int64? { added }

    /// The song, as answers describe it.
    var song: MPDSong {
        var song = MPDSong(uri: path)
        for tag in Self.tags {
            let values = own(tag)
            if !values.isEmpty { song.tags[tag] = values }
        }
        (song.duration, song.modified) = (duration, added)
        return song
    }

    private static let tags: [MPDTag] = [
        .title, .artist, .albumArtist, .album, .track, .disc, .date, .genre, .composer, .work,
    ]

    func own(_ tag: MPDTag) -> [String] {
        switch tag {
        case .title: [title]
        case .artist: Self.split(artist)
        case .albumArtist: albumArtist.map { [$0] } ?? []
        case .album: album.map { [$0] } ?? []
        case .track: number.map { ["\($0)"] } ?? []
        case .disc: disc.map { ["\($0)"] } ?? []
        case .date: year.map { ["\($0)"] } ?? []
        case .genre: Self.split(genre)
        case .composer: Self.split(composer)
        case .work: work.map { [$0] } ?? []
        default: []
        }
    }

    var everyValue: [String] { Self.tags.flatMap(own) }

    private static func split(_ text: String?) -> [String] {
        guard let text else { return [] }
        guard text.utf8.contains(UInt8(ascii: ";")) else { return [text] }
        return text.split(separator: ";").map { part in
            let part = part.drop { $0 == " " }
            return String(part.last == " " ? part.dropLast() : part)
        }.filter { !$0.isEmpty }
    }
}
