/// A pls list: `File1=…`, `Title1=…`.
struct PLSPlaylist {
    /// What the list names, by its numbers.
    let entries: [PlaylistEntry]

    init(lines: [String]) {
        var uris: [Int: String] = [:]
        var titles: [Int: String] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].trimmingBlanks().lowercased()
            let value = line[line.index(after: equals)...].trimmingBlanks()
            guard !value.isEmpty else { continue }
            if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) { uris[number] = value }
            if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) { titles[number] = value }
        }
        entries = uris.sorted { $0.key < $1.key }.map { PlaylistEntry(uri: $0.value, title: titles[$0.key]) }
    }
}
