/// Playlists that are kept: those of the library can be read.
extension MPDCommand {
    private static let noPlace = "Tutti keeps no playlists of clients; save it on the client"

    static let playlists: [MPDCommand] =
        [
            MPDCommand("listplaylists", .read, 0...0) { call throws(MPDFault) in
                for (name, modified) in call.library.playlists() {
                    call.output.pair("playlist", name)
                    if let date = MPDDate.text(of: modified) { call.output.pair("Last-Modified", date) }
                }
            },
            MPDCommand("listplaylist", .read, 1...2) { call throws(MPDFault) in
                for song in try call.playlist() { call.output.pair("file", song.uri) }
            },
            MPDCommand("listplaylistinfo", .read, 1...2) { call throws(MPDFault) in
                for song in try call.playlist() { song.write(to: &call.output, tags: call.client.tags) }
            },
            MPDCommand("load", .add, 1...3) { call throws(MPDFault) in
                let songs = try call.playlist()
                let partition = try call.partition()
                var place: Int?
                if call.arguments.count == 3 {
                    place = try call.position(call.arguments[2], in: partition, upTo: partition.queue.entries.count)
                }
                try call.add(songs.map { call.library.input(for: $0) }, at: place)
            },
        ]
        + ["save", "rm", "rename", "playlistadd", "playlistclear", "playlistdelete", "playlistmove", "searchaddpl"]
        .map { refused($0, .system, noPlace) }
}

extension MPDCall {
    /// The songs of the playlist that the first argument names; of the range that the second is.
    fileprivate func playlist() throws(MPDFault) -> [MPDSong] {
        guard let songs = library.songs(ofPlaylist: arguments[0]) else {
            throw MPDFault(.noSuchThing, "No such playlist")
        }
        guard arguments.count > 1 else { return songs }
        return Array(songs[try range(arguments[1], of: songs.count)])
    }
}
