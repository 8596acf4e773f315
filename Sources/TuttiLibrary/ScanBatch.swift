import TuttiAssets

/// A part of a scan that is read and stored at once.
struct ScanBatch: Sendable {
    /// A folder that was found.
    struct Folder: Sendable {
        /// Relative to the root; empty for the root's own folder.
        let path: String
        /// The path of the folder around it; nil for the root's own.
        let parent: String?
        var hasArtwork = false
        var isMount = false
        /// Whether what is in it is known: nothing of a folder that could not be read is removed.
        var isListed = false
    }

    /// A file that is new or has changed.
    struct File: Sendable {
        let folder: Int
        let file: FolderContents.File
        /// Its id, when the library has it.
        let known: Int64?
    }

    /// What reading a file gave.
    enum Outcome: Sendable {
        case tags(AssetTags)
        /// A cue sheet.
        case sheet(CueSheet)
        /// No music, or damaged.
        case damaged(String)
        /// It may be readable another time.
        case unreadable(String)
    }

    /// A track inside of a file.
    struct Part: Sendable, Equatable {
        /// What is known of it.
        var tags: AssetTags
        /// Where it begins, and ends where that is not the file's end, in 75ths of a second.
        var begin: Int64
        var finish: Int64?
    }

    var folders: [Folder] = []
    var files: [File] = []
    /// Files that were not found in a folder that was listed.
    var missing: [Int64] = []
    /// By file.
    var outcomes: [Outcome] = []
    /// The tracks of files that have several, by the files' numbers.
    var parts: [Int: [Part]] = [:]

    /// A batch that has so much in it is read.
    static let size = 256

    var isFull: Bool { files.count >= Self.size || folders.count >= Self.size || missing.count >= Self.size }
}
