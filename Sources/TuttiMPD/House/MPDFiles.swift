import Glibc

/// Files of this host, which is the service's.
enum MPDFiles {
    /// Folders in each other, and names that are looked at.
    private static let (deepest, mostNames) = (16, 200_000)

    /// What a path leads to.
    static func kind(of path: String) -> MPDFileKind {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        // What is no file may never end.
        default: return .none
        }
    }

    /// The music of a folder and of those in it, each in the order of names.
    static func music(in folder: String, most: Int) -> [String] {
        var (files, names) = ([String](), 0)
        add(folder, depth: 0, most, &files, &names)
        return files
    }

    private static func add(_ folder: String, depth: Int, _ most: Int, _ files: inout [String], _ names: inout Int) {
        guard depth < deepest, let directory = opendir(folder) else { return }
        var found: [String] = []
        while names < mostNames, let entry = readdir(directory) {
            names += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { found.append(name) }
        }
        closedir(directory)
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        for name in found.sorted() where files.count < most {
            var status = stat()
            // A link to a folder may lead around in a circle.
            guard lstat(prefix + name, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                add(prefix + name, depth: depth + 1, most, &files, &names)
            } else if MPDMusicFile.isMusic(name), case .file = kind(of: prefix + name) {
                files.append(prefix + name)
            }
        }
    }
}
