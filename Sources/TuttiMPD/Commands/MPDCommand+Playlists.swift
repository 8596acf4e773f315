import TuttiSchema

/// Playlists, which the service keeps.
extension MPDCommand {
    static let playlists: [MPDCommand] = [
        MPDCommand("listplaylists", .read, 0...0) { call throws(MPDFault) in
            for (name, modified) in call.library.playlists() {
                call.output.pair("playlist", name)
                if let date = MPDDate.text(of: modified) { call.output.pair("Last-Modified", date) }
            }
        },
        MPDCommand("listplaylist", .read, 1...2) { call throws(MPDFault) in
            for input in try call.playlist() { call.output.pair("file", call.library.song(for: input).uri) }
        },
        MPDCommand("listplaylistinfo", .read, 1...2) { call throws(MPDFault) in
            for input in try call.playlist() {
                call.library.song(for: input).write(to: &call.output, tags: call.client.tags)
            }
        },
        MPDCommand("load", .add, 1...3) { call throws(MPDFault) in
            let inputs = try call.playlist()
            let partition = try call.partition()
            var place: Int?
            if call.arguments.count == 3 {
                place = try call.position(call.arguments[2], in: partition, upTo: partition.queue.entries.count)
            }
            try call.add(inputs, at: place)
        },
        MPDCommand("save", .control, 1...2) { call throws(MPDFault) in try call.save() },
        MPDCommand("rm", .control, 1...1) { call throws(MPDFault) in
            try call.edit(.remove(try call.existingPlaylist()))
        },
        MPDCommand("rename", .control, 2...2) { call throws(MPDFault) in
            let name = try call.existingPlaylist()
            guard !call.isPlaylist(call.arguments[1]) else { throw MPDFault(.exists, "Playlist already exists") }
            try call.edit(.rename(name, to: call.arguments[1]))
        },
        MPDCommand("playlistadd", .control, 2...3) { call throws(MPDFault) in
            let inputs = try call.inputs(call.arguments[1])
            let place = call.arguments.count == 3 ? try call.integer(call.arguments[2]) : nil
            try call.edit(.add(call.arguments[0], inputs, at: place))
        },
        MPDCommand("playlistclear", .control, 1...1) { call throws(MPDFault) in
            try call.edit(.set(call.arguments[0], []))
        },
        MPDCommand("playlistdelete", .control, 2...2) { call throws(MPDFault) in
            let name = try call.existingPlaylist()
            let range = try call.range(call.arguments[1], of: try call.playlist(ofRange: false).count)
            guard !range.isEmpty else { return }
            try call.edit(.delete(name, entries: Array(range)))
        },
        MPDCommand("playlistmove", .control, 3...3) { call throws(MPDFault) in
            let name = try call.existingPlaylist()
            try call.edit(
                .move(name, from: try call.integer(call.arguments[1]), to: try call.integer(call.arguments[2])))
        },
        MPDCommand("searchaddpl", .control, 2...MPDLimits.words) { call throws(MPDFault) in
            let query = try MPDQuery(Array(call.arguments.dropFirst()), isExact: false)
            let songs = query.arranged(call.library.songs(matching: query.filter), by: { $0 })
            let place = try query.position.map { text throws(MPDFault) in try call.integer(text) }
            try call.edit(.add(call.arguments[0], songs.map { call.library.input(for: $0.song) }, at: place))
        },
    ]
}

extension MPDCall {
    /// The tracks of the playlist that the first argument names; of the range that the second is.
    fileprivate func playlist(ofRange: Bool = true) throws(MPDFault) -> [ControlInput] {
        guard let inputs = library.inputs(ofPlaylist: arguments[0]) else {
            throw MPDFault(.noSuchThing, "No such playlist")
        }
        guard ofRange, arguments.count > 1 else { return inputs }
        return Array(inputs[try range(arguments[1], of: inputs.count)])
    }

    fileprivate func isPlaylist(_ name: String) -> Bool { library.playlists().contains { $0.name == name } }

    fileprivate func existingPlaylist() throws(MPDFault) -> String {
        guard isPlaylist(arguments[0]) else { throw MPDFault(.noSuchThing, "No such playlist") }
        return arguments[0]
    }

    fileprivate func edit(_ command: ControlRequest.PlaylistCommand, group: String? = nil) throws(MPDFault) {
        try ask(ControlRequest(.playlist(command), group: group))
    }

    /// Keeps the queue. Without a mode, a name must be a new one.
    fileprivate func save() throws(MPDFault) {
        let partition = try partition()
        let name = arguments[0]
        let group = partition.name.isEmpty ? nil : partition.name
        switch arguments.count > 1 ? arguments[1] : "create" {
        case "create":
            guard !isPlaylist(name) else { throw MPDFault(.exists, "Playlist already exists") }
        case "replace": guard isPlaylist(name) else { throw MPDFault(.noSuchThing, "No such playlist") }
        case "append":
            guard isPlaylist(name) else { throw MPDFault(.noSuchThing, "No such playlist") }
            return try edit(.add(name, partition.queue.entries.map { ControlInput($0) }, at: nil))
        default: throw MPDFault(.argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
        }
        // What has no queue has nothing to be kept.
        guard !partition.queue.entries.isEmpty else { return try edit(.set(name, [])) }
        try edit(.save(name), group: group)
    }
}

extension ControlInput {
    fileprivate init(_ entry: QueueListing.Entry) {
        self.init(uri: entry.uri, title: entry.title, artist: entry.artist, album: entry.album)
    }
}
