/// An m3u or m3u8 list of files and addresses.
struct M3UPlaylist {
    /// What the list names, in order, as it is written there.
    private(set) var entries: [PlaylistEntry] = []
    /// Whether the text is an HLS playlist: segments of one stream and no list of pieces.
    private(set) var isHLS = false

    init(lines: [String]) {
        var title: String?
        for line in lines {
            if line.hasPrefix("#EXT-X-") {
                isHLS = true
            } else if line.uppercased().hasPrefix("#EXTINF:") {
                title = line.firstIndex(of: ",").map { line[line.index(after: $0)...].trimmingBlanks() }
            } else if !line.hasPrefix("#") {
                entries.append(PlaylistEntry(uri: line, title: title?.isEmpty == true ? nil : title))
                title = nil
            }
        }
    }
}
