/// Which files of a folder are music.
package enum MPDMusicFile {
    /// The endings of their names.
    package static let suffixes = [
        "aac", "aif", "aiff", "alac", "ape", "caf", "dsf", "flac", "m4a", "m4b", "mka", "mp2", "mp3", "mp4", "mpc",
        "oga", "ogg", "opus", "tta", "wav", "wave", "wma", "wv",
    ]

    /// Whether a name ends like one of music.
    package static func isMusic(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return suffixes.contains(name[name.index(after: dot)...].lowercased())
    }
}
