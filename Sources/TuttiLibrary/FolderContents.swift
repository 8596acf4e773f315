import Glibc
import TuttiAssets
import TuttiHost

/// What a folder has in it for a library: links are followed, hidden names left out.
struct FolderContents {
    /// A sound file.
    struct File: Sendable, Equatable {
        let name: String
        let size: Int64
        /// In nanoseconds since 1970; wraps around for a time that does not fit.
        let modified: Int64
        let inode: Int64

        /// Whether it is a cue sheet.
        var isSheet: Bool { FolderContents.ending(of: name) == FolderListing.cueSheetEnding }
    }

    /// What tells one folder from another, by whatever links it is reached.
    struct FolderID: Hashable {
        let device: UInt64
        let inode: UInt64

        init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

        init(_ status: stat) {
            (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
        }
    }

    private(set) var files: [File] = []
    /// Cue sheets.
    private(set) var sheets: [File] = []
    private(set) var folders: [(name: String, id: FolderID)] = []
    private(set) var hasArtwork = false
    /// Names that are not UTF-8; they cannot be opened.
    private(set) var badNames = 0
    /// Whether there is no entry at all, not even a hidden one.
    private(set) var isEmpty = true
    /// Whether something could not be looked at, so that what is not here may be there all the same.
    private(set) var isIncomplete = false

    private static let artworkNames = Set(AssetInfo.Artwork.fileNames)

    /// Lists the folder at `path`.
    ///
    /// - Returns: nil, and the system's reason, for one that cannot be read to its end.
    static func list(_ path: String) -> (contents: FolderContents?, reason: String) {
        guard let directory = opendir(path) else { return (nil, HostError.text(ofErrno: errno)) }
        defer { closedir(directory) }
        var contents = FolderContents()
        while true {
            errno = 0
            guard let entry = readdir(directory) else { break }
            contents.add(entry, in: dirfd(directory))
        }
        // A share that goes away while it is listed says so here.
        return errno == 0 ? (contents, "") : (nil, HostError.text(ofErrno: errno))
    }

    private mutating func add(_ entry: UnsafeMutablePointer<dirent>, in directory: Int32) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
            field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) {
                $0.pointee == CChar(bitPattern: UInt8(ascii: ".")) ? "." : String(validatingCString: $0)
            }
        }
        guard name != "." else {
            // All names that begin with a dot come here, the folder itself and its parent among them.
            if !Self.isSelfOrParent(entry) { isEmpty = false }
            return
        }
        isEmpty = false
        guard let name else {
            badNames += 1
            return
        }
        let type = Int32(entry.pointee.d_type)
        let ending = Self.ending(of: name)
        let isSound = FolderListing.soundFileEndings.contains(ending)
        let isSheet = ending == FolderListing.cueSheetEnding
        if type == Int32(DT_REG), !isSound, !isSheet {
            if Self.artworkNames.contains(name) { hasArtwork = true }
            return
        }
        var status = stat()
        guard fstatat(directory, name, &status, 0) == 0 else {
            // A link to nowhere, or to itself, is no trouble.
            if ![ENOENT, ELOOP, ENOTDIR].contains(errno) { isIncomplete = true }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append((name, FolderID(status)))
        case S_IFREG where isSound: files.append(File(name, status))
        case S_IFREG where isSheet: if sheets.count < LibraryLimits.sheets { sheets.append(File(name, status)) }
        case S_IFREG: if Self.artworkNames.contains(name) { hasArtwork = true }
        default: break
        }
    }

    private static func isSelfOrParent(_ entry: UnsafeMutablePointer<dirent>) -> Bool {
        let name = entry.pointee.d_name
        return name.1 == 0 || name.1 == CChar(bitPattern: UInt8(ascii: ".")) && name.2 == 0
    }

    /// A name without its ending.
    static func stem(of name: String) -> Substring { name.dropLast(ending(of: name).utf8.count) }

    /// The lower-case ending of a name without its dot; empty without one.
    static func ending(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}

extension FolderContents.File {
    fileprivate init(_ name: String, _ status: stat) {
        self.init(
            name: name, size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec),
            inode: Int64(truncatingIfNeeded: status.st_ino))
    }
}
