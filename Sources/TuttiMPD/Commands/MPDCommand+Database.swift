import TuttiCore
import TuttiSchema

/// The library.
extension MPDCommand {
    static let database: [MPDCommand] = [
        MPDCommand("lsinfo", .read, 0...1) { call throws(MPDFault) in try call.listFolder(isRecursive: false) },
        MPDCommand("listfiles", .read, 0...1) { call throws(MPDFault) in try call.listFolder(isRecursive: false) },
        MPDCommand("listall", .read, 0...1) { call throws(MPDFault) in
            try call.listFolder(isRecursive: true, withTags: false)
        },
        MPDCommand("listallinfo", .read, 0...1) { call throws(MPDFault) in try call.listFolder(isRecursive: true) },
        MPDCommand("find", .read, 1...MPDLimits.words) { call throws(MPDFault) in try call.find(isExact: true) },
        MPDCommand("search", .read, 1...MPDLimits.words) { call throws(MPDFault) in try call.find(isExact: false) },
        MPDCommand("findadd", .add, 1...MPDLimits.words) { call throws(MPDFault) in
            try call.addFound(isExact: true)
        },
        MPDCommand("searchadd", .add, 1...MPDLimits.words) { call throws(MPDFault) in
            try call.addFound(isExact: false)
        },
        MPDCommand("count", .read, 1...MPDLimits.words) { call throws(MPDFault) in try call.count(isExact: true) },
        MPDCommand("searchcount", .read, 1...MPDLimits.words) { call throws(MPDFault) in
            try call.count(isExact: false)
        },
        MPDCommand("list", .read, 1...MPDLimits.words) { call throws(MPDFault) in try call.listTag() },
        MPDCommand("update", .control, 0...1) { call throws(MPDFault) in try call.update(rescans: false) },
        MPDCommand("rescan", .control, 0...1) { call throws(MPDFault) in try call.update(rescans: true) },
        MPDCommand("albumart", .read, 2...2) { call throws(MPDFault) in try call.picture(isNeeded: true) },
        MPDCommand("readpicture", .read, 2...2) { call throws(MPDFault) in try call.picture(isNeeded: false) },
        MPDCommand("readcomments", .read, 1...1) { call throws(MPDFault) in
            let song = try call.knownSong(call.arguments[0])
            for (name, tag) in MPDTag.named { for value in song.tags[tag] ?? [] { call.output.pair(name, value) } }
        },
    ]
}

extension MPDCall {
    /// Folders in each other.
    private static let deepest = 32

    fileprivate mutating func listFolder(isRecursive: Bool, withTags: Bool = true) throws(MPDFault) {
        let path = arguments.first ?? ""
        let folder = path.split(separator: "/").joined(separator: "/")
        if let song = library.song(at: folder) { return write(.song(song), withTags) }
        // A client of this host may ask what it has put into the queue.
        if path.hasPrefix("/"), folder.isEmpty == false { return write(.song(try knownSong(path)), withTags) }
        guard let entries = library.entries(in: folder) else { throw MPDFault(.noSuchThing, "No such directory") }
        write(entries, isRecursive, withTags, depth: 0)
        // Clients that are older than `listplaylists` look for playlists there.
        guard folder.isEmpty, name == "lsinfo" else { return }
        for (playlist, modified) in library.playlists() { write(.playlist(playlist, modified: modified), withTags) }
    }

    private mutating func write(_ entries: [MPDLibraryEntry], _ isRecursive: Bool, _ withTags: Bool, depth: Int) {
        for entry in entries where !output.isTooLong {
            write(entry, withTags)
            guard isRecursive, depth < Self.deepest, case .folder(let path, _) = entry else { continue }
            write(library.entries(in: path) ?? [], isRecursive, withTags, depth: depth + 1)
        }
    }

    private mutating func write(_ entry: MPDLibraryEntry, _ withTags: Bool) {
        let (name, path, modified): (String, String, Int64?)
        switch entry {
        case .song(let song):
            if withTags { return song.write(to: &output, tags: client.tags) }
            return output.pair("file", song.uri)
        case .folder(let folder, let time): (name, path, modified) = ("directory", folder, time)
        case .playlist(let playlist, let time): (name, path, modified) = ("playlist", playlist, time)
        }
        output.pair(name, path)
        if withTags, let date = modified.flatMap(MPDDate.text) { output.pair("Last-Modified", date) }
    }

    // MARK: Searching

    fileprivate mutating func find(isExact: Bool) throws(MPDFault) {
        let query = try MPDQuery(arguments, isExact: isExact)
        for song in query.arranged(library.songs(matching: query.filter), by: { $0 }) where !output.isTooLong {
            song.song.write(to: &output, tags: client.tags)
        }
    }

    fileprivate mutating func addFound(isExact: Bool) throws(MPDFault) {
        let query = try MPDQuery(arguments, isExact: isExact)
        let songs = query.arranged(library.songs(matching: query.filter), by: { $0 })
        let partition = try partition()
        let place = try query.position.map { text throws(MPDFault) in
            try position(text, in: partition, upTo: partition.queue.entries.count)
        }
        try add(songs.map { library.input(for: $0.song) }, at: place)
    }

    fileprivate mutating func count(isExact: Bool) throws(MPDFault) {
        let query = try MPDQuery(arguments, isExact: isExact)
        let songs = library.songs(matching: query.filter)
        guard !query.groups.isEmpty else { return writeCount(of: songs) }
        for (values, songs) in Self.grouped(songs, by: query.groups) {
            for (tag, value) in zip(query.groups, values) { output.pair(tag.name, value) }
            writeCount(of: songs)
        }
    }

    private mutating func writeCount(of songs: [any MPDTagged]) {
        output.pair("songs", songs.count)
        let seconds = songs.reduce(0) { $0 + (($1.duration ?? 0).isFinite ? max(0, $1.duration ?? 0) : 0) }
        output.pair("playtime", Int(min(seconds, 1e12)))
    }

    fileprivate mutating func listTag() throws(MPDFault) {
        let isFiles = arguments[0].lowercased() == "file"
        guard isFiles || MPDTag(named: arguments[0]) != nil else {
            throw MPDFault(.argument, "Unknown tag type: \(arguments[0])")
        }
        var rest = Array(arguments.dropFirst())
        // As clients did before there were filters: the albums of an artist.
        if rest.count == 1, !rest[0].hasPrefix("("), arguments[0].lowercased() == "album" {
            rest = ["artist", rest[0]]
        }
        let query = try MPDQuery(rest, isExact: true)
        let songs = library.songs(matching: query.filter)
        guard let tag = MPDTag(named: arguments[0]) else {
            for song in songs { output.pair("file", song.uri) }
            return
        }
        var last: [String?] = Array(repeating: nil, count: query.groups.count)
        for (values, _) in Self.grouped(songs, by: query.groups + [tag]) {
            // A group is named where it begins.
            for (place, value) in values.dropLast().enumerated() where last[place] != value {
                output.pair(query.groups[place].name, value)
                last[place] = value
                for later in last.indices where later > place { last[later] = nil }
            }
            if let value = values.last { output.pair(tag.name, value) }
        }
    }

    /// Songs by the values that they have of some tags, in the order of these.
    private static func grouped(
        _ songs: [any MPDTagged], by tags: [MPDTag]
    ) -> [(values: [String], songs: [any MPDTagged])] {
        var groups: [[String]: [any MPDTagged]] = [:]
        for song in songs {
            var rows: [[String]] = [[]]
            for tag in tags {
                let values = song.values(of: tag)
                rows = rows.flatMap { row in (values.isEmpty ? [""] : values).prefix(16).map { row + [$0] } }
            }
            for row in Set(rows) { groups[row, default: []].append(song) }
        }
        return groups.map { ($0.key, $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    fileprivate mutating func update(rescans: Bool) throws(MPDFault) {
        guard let job = library.update(arguments.first ?? "", rescans: rescans) else {
            throw MPDFault(.system, "Tutti has no music library that could be updated")
        }
        output.pair("updating_db", job)
        changes.append(MPDChange(.update))
    }

    // MARK: Pictures

    /// A song of the library or of a queue. No other file can be asked for.
    fileprivate func knownSong(_ uri: String) throws(MPDFault) -> MPDSong {
        if let song = library.song(at: uri) { return song }
        for partition in house.model.partitions {
            if let entry = partition.queue.entries.first(where: { $0.uri == uri }) { return song(of: entry) }
        }
        throw MPDFault(.noSuchThing, "No such song")
    }

    /// - Parameter isNeeded: whether a song without a picture is an error.
    fileprivate mutating func picture(isNeeded: Bool) throws(MPDFault) {
        let song = try knownSong(arguments[0])
        let offset = try integer(arguments[1])
        // A live source's picture is that of what it plays now.
        let current = house.model.partitions.compactMap(\.status?.item).first { $0.uri == song.uri }?.artwork
        let path = current ?? (song.uri.hasPrefix("/") ? song.uri : library.input(for: song).uri)
        guard path.hasPrefix("/"), let picture = house.picture(ofFile: path) else {
            if isNeeded { throw MPDFault(.noSuchThing, "No file exists") }
            return
        }
        guard offset <= picture.count else { throw MPDFault(.argument, "Bad file offset") }
        output.pair("size", picture.count)
        if !isNeeded { output.pair("type", "image/jpeg") }
        output.binary(picture[offset..<min(picture.count, offset + client.binaryLimit)])
    }
}
