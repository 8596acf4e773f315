import Glibc

/// The sound files of a folder and the folders in it, in natural order; hidden ones left out, each folder once.
package struct FolderListing {
    private var visited: Set<LocalFile.Kind.FolderID> = []
    private(set) var files: [String] = []

    /// Files beyond this many are left out.
    static let maximumFiles = 1_000_000

    /// Lower-case name endings of sound files.
    package static let soundFileEndings: Set<String> = [
        "wav", "wave", "w64", "rf64", "bwf", "flac", "fla", "mp3", "mp2", "mpga", "aac", "adts", "m4a", "m4b", "mp4",
        "alac", "ogg", "oga", "opus", "spx", "aiff", "aif", "aifc", "wv", "ape", "tta", "mpc", "mp+", "caf", "au",
        "snd", "wma", "mka", "webm", "weba", "ac3", "eac3", "dts", "tak", "shn", "amr", "3gp", "dsf", "dff",
    ]

    /// The lower-case name ending of cue sheets.
    package static let cueSheetEnding = "cue"

    /// Adds what is in `folder`.
    ///
    /// - Throws: `.unreadable` for the folder itself; folders inside that cannot be read are left out.
    mutating func add(_ folder: String) throws(AssetError) {
        guard case .folder(let id) = try LocalFile.kind(of: folder), visited.insert(id).inserted else { return }
        for name in try Self.names(in: folder).sorted(by: NaturalOrder.precedes) where files.count < Self.maximumFiles {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            switch try? LocalFile.kind(of: path) {
            case .folder: try? add(path)
            case .file where Self.soundFileEndings.contains(PathText.ending(of: name)): files.append(path)
            default: break
            }
        }
    }

    /// The names in a folder but for hidden ones, in no order.
    static func names(in folder: String) throws(AssetError) -> [String] {
        guard let directory = opendir(folder) else { throw LocalFile.failure(folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // Names that are not UTF-8 cannot travel in a String without damage.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                    String(validatingCString: $0)
                }
            }
            if let name, !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
