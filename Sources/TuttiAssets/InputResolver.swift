import TuttiCore

/// What a person names on the command line, as single playable things.
package enum InputResolver {
    /// Playlists inside playlists are followed this deep.
    private static let maximumDepth = 4
    /// More pieces than this are left out.
    private static let maximumInputs = 1_000_000

    /// Expands files, folders (recursive, in natural order), m3u, pls and cue lists, addresses and `-`.
    ///
    /// A file that does not exist stays in the list, so that opening it reports it and the others play.
    ///
    /// - Parameters:
    ///   - arguments: paths, addresses or `-`, in the order of play.
    ///   - stdinFormat: what raw samples on standard input are; nil to find out from its header.
    ///   - policy: how long playlists from the web are waited for.
    /// - Throws: `.nothingToPlay` for a folder or list with nothing in it, `.unreadable` and `.badPlaylist`.
    package static func resolve(
        _ arguments: [String], stdinFormat: RawFormat? = nil, policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> [AssetInput] {
        var inputs: [AssetInput] = []
        for argument in arguments {
            if argument == AssetInput.standardInput {
                inputs.append(AssetInput(uri: argument, rawFormat: stdinFormat))
            } else {
                inputs += try expand(PlaylistEntry(uri: argument, title: nil), depth: 0, policy, until: nil)
            }
        }
        return Array(inputs.prefix(maximumInputs))
    }

    /// - Parameter deadline: when lists from the web have to be there that one from the web names; nil for none such.
    private static func expand(
        _ entry: PlaylistEntry, depth: Int, _ policy: ReconnectPolicy, until deadline: Int64?
    ) throws(AssetError) -> [AssetInput] {
        let uri = entry.uri
        guard depth <= maximumDepth else { throw .badPlaylist(uri, reason: "the playlists are nested too deeply") }
        let plain = [AssetInput(uri: uri, title: entry.title)]
        // A list names music, not this host's cards and programs.
        if LiveAddress.isOne(uri) { return depth == 0 ? plain : [] }
        let ending = PathText.ending(of: uri)
        if AssetInput.isRemote(uri) {
            // An m3u8 on the web is an HLS stream, which libavformat plays.
            guard ending == "m3u" || ending == "pls" else { return plain }
            // One deadline for a list and all that it leads to: a stranger's list of slow lists takes no longer than
            // one.
            let deadline = deadline ?? Interrupter.now() + Int64(policy.playlistSeconds * 1e9)
            let bytes = try RemoteText.fetch(uri, policy: policy, until: deadline)
            return try list(uri, ending: ending, bytes: bytes, depth: depth, policy, until: deadline)
        }
        guard let kind = try? LocalFile.kind(of: uri) else { return plain }
        if case .folder = kind { return try folder(uri) }
        switch ending {
        case "m3u", "m3u8", "pls":
            return try list(uri, ending: ending, bytes: LocalFile.text(of: uri), depth: depth, policy, until: deadline)
        case "cue": return try cueSheet(uri)
        default: return plain
        }
    }

    private static func folder(_ path: String) throws(AssetError) -> [AssetInput] {
        var listing = FolderListing()
        try listing.add(path)
        guard !listing.files.isEmpty else { throw .nothingToPlay(path) }
        return listing.files.map { AssetInput(uri: $0) }
    }

    private static func list(
        _ uri: String, ending: String, bytes: [UInt8], depth: Int, _ policy: ReconnectPolicy, until deadline: Int64?
    ) throws(AssetError) -> [AssetInput] {
        let lines = PlaylistText.lines(of: bytes)
        let entries: [PlaylistEntry]
        if ending == "pls" {
            entries = PLSPlaylist(lines: lines).entries
        } else {
            let playlist = M3UPlaylist(lines: lines)
            if playlist.isHLS {
                guard AssetInput.isRemote(uri) else {
                    throw .badPlaylist(uri, reason: "an HLS playlist can be played only from its http(s):// address")
                }
                return [AssetInput(uri: uri)]
            }
            entries = playlist.entries
        }
        var inputs: [AssetInput] = []
        for entry in entries where inputs.count < maximumInputs {
            let resolved = PathText.resolve(entry.uri, relativeTo: uri)
            // A list from the web names nothing on this host.
            if AssetInput.isRemote(uri) && !AssetInput.isRemote(resolved) { continue }
            inputs += try expand(
                PlaylistEntry(uri: resolved, title: entry.title), depth: depth + 1, policy, until: deadline)
        }
        guard !inputs.isEmpty else { throw .nothingToPlay(uri) }
        return inputs
    }

    private static func cueSheet(_ path: String) throws(AssetError) -> [AssetInput] {
        let sheet = CueSheet(lines: PlaylistText.lines(of: try LocalFile.text(of: path)))
        guard !sheet.tracks.isEmpty else { throw .nothingToPlay(path) }
        return sheet.tracks.enumerated().map { index, track in
            AssetInput(
                uri: soundFile(PathText.resolve(track.file, relativeTo: path)), title: track.title,
                artist: track.performer ?? sheet.performer, album: sheet.title, track: track.number,
                start: track.start ?? .zero, end: sheet.end(ofTrack: index))
        }
    }

    /// The file that a cue sheet names, or one of the same name with another ending: sheets outlive a conversion.
    private static func soundFile(_ path: String) -> String {
        guard (try? LocalFile.kind(of: path)) == nil else { return path }
        let stem = path.dropLast(PathText.ending(of: path).count)
        for ending in FolderListing.soundFileEndings.sorted() {
            let candidate = stem + ending
            if (try? LocalFile.kind(of: String(candidate))) != nil { return String(candidate) }
        }
        return path
    }
}
