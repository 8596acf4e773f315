package import TuttiAssets

extension LibraryStore {
    /// Stores tracks that no file stands behind, in folders of an album each; for benchmarks and tests.
    ///
    /// - Parameter tags: the tracks of an album, by its number.
    package func fill(folder: String, albums: Int, _ tags: (Int) -> [AssetTags]) throws(LibraryError) {
        let root = try add(folder).root
        var batch = ScanBatch()
        func store(_ batch: ScanBatch) throws(LibraryError) {
            try write { db in
                var writer = LibraryWriter(db, root: (root.id, root.path), scan: 1)
                try writer.store(batch)
            }
        }
        for album in 0..<albums {
            batch.folders.append(ScanBatch.Folder(path: "album \(album)", parent: nil, isListed: true))
            for (number, tags) in tags(album).enumerated() {
                let file = FolderContents.File(
                    name: "\(number).flac", size: 1, modified: 0, inode: Int64(album) << 16 + Int64(number))
                batch.files.append(ScanBatch.File(folder: batch.folders.count - 1, file: file, known: nil))
                batch.outcomes.append(.tags(tags))
            }
            guard batch.isFull else { continue }
            try store(batch)
            batch = ScanBatch()
        }
        try store(batch)
    }
}
