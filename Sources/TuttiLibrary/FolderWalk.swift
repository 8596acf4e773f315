import GRDB
import TuttiAssets
import TuttiDatabase

/// Walks through a root, folder by folder, and compares what it finds with the store.
struct FolderWalk {
    /// What is to be read, and where it is.
    struct Batch {
        var content = ScanBatch()
        /// By file.
        var paths: [String] = []
    }

    private struct Step {
        let path: String
        let parent: String?
        let id: FolderContents.FolderID
        let parentDevice: UInt64
        let depth: Int
    }

    /// A file as the library has it.
    private struct Known {
        let id: Int64
        let size: Int64
        let modified: Int64
        let isMissing: Bool
        let isSheet: Bool

        func isSame(as file: FolderContents.File) -> Bool {
            size == file.size && modified == file.modified && !isMissing
        }
    }

    private let root: LibraryRoot
    private let store: LibraryStore
    private var steps: [Step]
    private var visited: Set<FolderContents.FolderID> = []
    private(set) var folderCount = 0
    private(set) var fileCount = 0
    private(set) var troubles = LibraryTroubles()

    init(_ root: LibraryRoot, _ place: FolderPlace, _ store: LibraryStore) {
        (self.root, self.store) = (root, store)
        let device = UInt64(bitPattern: place.device)
        let id = FolderContents.FolderID(device: device, inode: UInt64(bitPattern: place.inode))
        steps = [Step(path: "", parent: nil, id: id, parentDevice: device, depth: 0)]
    }

    /// The next batch; nil at the end.
    mutating func next(isCancelled: () -> Bool) throws(LibraryError) -> Batch? {
        var batch = Batch()
        while !batch.content.isFull, !isCancelled(), let step = steps.popLast() { try visit(step, &batch) }
        return batch.content.folders.isEmpty ? nil : batch
    }

    private mutating func visit(_ step: Step, _ batch: inout Batch) throws(LibraryError) {
        let path = [root.path, step.path].joinedPath
        var folder = ScanBatch.Folder(path: step.path, parent: step.parent)
        guard visited.insert(step.id).inserted else {
            troubles.add(.repeatedFolder, path)
            return batch.content.folders.append(folder)
        }
        guard step.depth <= LibraryLimits.depth, fileCount < LibraryLimits.files, folderCount < LibraryLimits.folders
        else {
            troubles.add(.tooMany, path)
            return batch.content.folders.append(folder)
        }
        folderCount += 1
        let (contents, reason) = FolderContents.list(path.isEmpty ? "/" : path)
        let (known, wasMount) = try self.known(step.path)
        folder.isMount = step.id.device != step.parentDevice
        guard let contents, !(contents.isEmpty && wasMount && !folder.isMount) else {
            let why = contents == nil ? reason : "nothing is mounted there"
            troubles.add(.unreadableFolder, "\(path): \(why)")
            return batch.content.folders.append(folder)
        }
        folder.hasArtwork = contents.hasArtwork
        folder.isListed = !contents.isIncomplete
        if contents.isIncomplete { troubles.add(.unreadableFolder, "\(path): some of it cannot be looked at") }
        if contents.badNames > 0 { troubles.add(.badName, "in \(path)", count: contents.badNames) }
        compare(contents, known, in: path, &batch, isComplete: folder.isListed)
        batch.content.folders.append(folder)
        let inner = contents.folders.map { entry in
            Step(
                path: step.path.isEmpty ? entry.name : step.path + "/" + entry.name, parent: step.path, id: entry.id,
                parentDevice: step.id.device, depth: step.depth + 1)
        }
        steps += inner.sorted { $0.path > $1.path }
    }

    private mutating func compare(
        _ contents: FolderContents, _ known: [ByteName: Known], in path: String, _ batch: inout Batch, isComplete: Bool
    ) {
        var missing = known
        let index = batch.content.folders.count
        // What a cue sheet says is about other files: where one is or was, a change of one concerns all.
        let isTogether = Self.hasSheets(contents, known) && Self.differs(contents, known)
        for file in contents.files + contents.sheets where fileCount < LibraryLimits.files {
            if !file.isSheet { fileCount += 1 }
            let old = missing.removeValue(forKey: ByteName(file.name))
            if !isTogether, let old, old.isSame(as: file) { continue }
            batch.content.files.append(ScanBatch.File(folder: index, file: file, known: old?.id))
            batch.paths.append(path + "/" + file.name)
        }
        if isComplete, fileCount < LibraryLimits.files { batch.content.missing += missing.values.map(\.id) }
    }

    private static func hasSheets(_ contents: FolderContents, _ known: [ByteName: Known]) -> Bool {
        !contents.sheets.isEmpty || known.values.contains { $0.isSheet }
    }

    private static func differs(_ contents: FolderContents, _ known: [ByteName: Known]) -> Bool {
        let files = contents.files + contents.sheets
        return files.count != known.count || files.contains { known[ByteName($0.name)]?.isSame(as: $0) != true }
    }

    /// The files of a folder that the library has, and whether it was a mount point.
    private func known(_ path: String) throws(LibraryError) -> (files: [ByteName: Known], isMount: Bool) {
        try store.read { db in
            let folder = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT id, isMount FROM folder WHERE root = ? AND path = ?"),
                arguments: [root.id, path])
            guard let folder, let id: Int64 = folder.value("id") else { return ([:], false) }
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: "SELECT id, name, size, modified, missing FROM file WHERE folder = ?"),
                arguments: [id])
            var files: [ByteName: Known] = [:]
            for row in rows {
                guard let id: Int64 = row.value("id"), let name: String = row.value("name") else { continue }
                files[ByteName(name)] = Known(
                    id: id, size: row.value("size") ?? -1, modified: row.value("modified") ?? 0,
                    isMissing: (row.value("missing") ?? 0) > 0,
                    isSheet: FolderContents.ending(of: name) == FolderListing.cueSheetEnding)
            }
            return (files, folder.value("isMount") ?? false)
        }
    }
}
