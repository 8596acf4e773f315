import TuttiSchema

/// What is in the queue.
extension MPDCommand {
    static let queueListings: [MPDCommand] = [
        MPDCommand("currentsong", .read, 0...0) { call throws(MPDFault) in
            let partition = try call.partition()
            if let current = partition.current { call.write(current, of: partition) }
        },
        MPDCommand("playlistinfo", .read, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            let range = try call.range(call.arguments.first ?? "-1", of: partition.queue.entries.count)
            for index in range { call.write(index, of: partition) }
        },
        MPDCommand("playlistid", .read, 0...1) { call throws(MPDFault) in
            let partition = try call.partition()
            if let text = call.arguments.first {
                return call.write(try call.index(ofSong: text, in: partition), of: partition)
            }
            for index in partition.queue.entries.indices { call.write(index, of: partition) }
        },
        MPDCommand("playlist", .read, 0...0) { call throws(MPDFault) in
            for (index, entry) in try call.partition().queue.entries.enumerated() {
                call.output.line("\(index):file: \(MPDOutput.shown(call.song(of: entry).uri))")
            }
        },
        MPDCommand("plchanges", .read, 1...2) { call throws(MPDFault) in
            let partition = try call.partition()
            for index in try call.changes(in: partition) { call.write(index, of: partition) }
        },
        MPDCommand("plchangesposid", .read, 1...2) { call throws(MPDFault) in
            let partition = try call.partition()
            for index in try call.changes(in: partition) {
                call.output.pair("cpos", index)
                call.output.pair("Id", MPDQueue.songID(of: partition.queue.entries[index].id))
            }
        },
        MPDCommand("playlistfind", .read, 1...MPDLimits.words) { call throws(MPDFault) in
            try call.findInQueue(isExact: true)
        },
        MPDCommand("playlistsearch", .read, 1...MPDLimits.words) { call throws(MPDFault) in
            try call.findInQueue(isExact: false)
        },
    ]
}

extension MPDCall {
    /// The song of an entry: the library's, or what the queue knows of it.
    func song(of entry: QueueListing.Entry) -> MPDSong {
        if let known = library.song(playing: entry.uri, start: entry.start) { return known }
        var song = MPDSong(uri: entry.uri)
        song.tags[.title] = entry.title.map { [$0] }
        song.tags[.artist] = entry.artist.map { [$0] }
        song.tags[.album] = entry.album.map { [$0] }
        song.duration = entry.duration
        return song
    }

    /// Describes an entry of the queue.
    fileprivate mutating func write(_ index: Int, of partition: MPDPartition) {
        guard partition.queue.entries.indices.contains(index), !output.isTooLong else { return }
        let entry = partition.queue.entries[index]
        var song = song(of: entry)
        // A station's title is that of what it plays now, and so is what else a live source says.
        if let item = partition.status?.item, item.id == entry.id {
            if let station = item.station {
                song.tags[.name] = [station]
                if let artist = item.artist { song.tags[.artist] = [artist] }
                if let album = item.album { song.tags[.album] = [album] }
            }
            if let title = item.title { song.tags[.title] = [title] }
            song.duration = song.duration ?? item.duration
        }
        song.write(to: &output, tags: client.tags)
        if let priority = partition.queue.priorities[entry.id] { output.pair("Prio", priority) }
        output.pair("Pos", index)
        output.pair("Id", MPDQueue.songID(of: entry.id))
    }

    fileprivate func changes(in partition: MPDPartition) throws(MPDFault) -> [Int] {
        let version = UInt32(truncatingIfNeeded: try integer(arguments[0], -1...Int(UInt32.max)))
        let changes = partition.queue.changes(since: version)
        guard arguments.count == 2 else { return changes }
        let range = try range(arguments[1], of: partition.queue.entries.count)
        return changes.filter(range.contains)
    }

    fileprivate mutating func findInQueue(isExact: Bool) throws(MPDFault) {
        let partition = try partition()
        let query = try MPDQuery(arguments, isExact: isExact)
        let songs = partition.queue.entries.map { song(of: $0) }
        let found = songs.indices.filter { query.filter.matches(songs[$0]) }
        for index in query.arranged(found, by: { songs[$0] }) { write(index, of: partition) }
    }
}
