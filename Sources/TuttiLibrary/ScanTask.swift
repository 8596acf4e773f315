import Dispatch
import GRDB
import Synchronization
import TuttiAssets
import TuttiDatabase
import TuttiHost

/// A scan under way. One thread walks; the files of a batch are read on several, while the batch before is stored.
final class ScanTask {
    private let store: LibraryStore
    private let threads: Int
    private let isCancelled: @Sendable () -> Bool
    private let start = ContinuousClock.now
    private let writing = DispatchQueue(label: "tutti.library.write")
    private let written = DispatchGroup()
    /// Why batches could not be stored.
    private let failures = Failures()
    private var troubles = LibraryTroubles()
    private var progress = LibraryScan.Progress()
    private var reported: ContinuousClock.Instant?

    private final class Failures: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    private static let reportInterval = Duration.milliseconds(100)

    init(_ store: LibraryStore, threads: Int, isCancelled: @escaping @Sendable () -> Bool) {
        (self.store, self.threads, self.isCancelled) = (store, threads, isCancelled)
    }

    /// What it has come to.
    var finished: LibraryScan.Event {
        progress.seconds = (ContinuousClock.now - start) / .seconds(1)
        return .finished(progress, trouble: troubles.list, isCancelled: isCancelled())
    }

    func fail(_ kind: LibraryTrouble.Kind, _ text: String) { troubles.add(kind, text) }

    /// Scans a folder of the library.
    func scan(_ root: LibraryRoot, report: (LibraryScan.Progress) -> Void) {
        do throws(LibraryError) {
            guard let place = try? FolderPlace(root.path), !FolderPlace.isGone(root.path) || root.trackCount == 0 else {
                troubles.add(.goneRoot, root.path)
                return try store.setReachable(root.id, false)
            }
            guard try store.isInPlace(root, place) else {
                troubles.add(.goneRoot, "\(root.path) has other files than before; if that is right, remove and add it")
                return try store.setReachable(root.id, false)
            }
            let number = try beginScan()
            var walk = FolderWalk(root, place, store)
            while let batch = try walk.next(isCancelled: isCancelled) {
                progress.folders = walk.folderCount
                progress.found = walk.fileCount
                store(read(batch), of: root, scan: number)
                tell(report)
            }
            troubles.add(walk.troubles)
            written.wait()
            for line in failures.lines { troubles.add(.store, line) }
            // What is stored has to be whole, and the root still there, before anything counts as gone.
            let isWhole = failures.lines.isEmpty && !isCancelled()
            guard isWhole, let now = try? FolderPlace(root.path), now.device == place.device, now.inode == place.inode
            else { return }
            let before = try store.trackCount()
            try store.write { db in
                var writer = LibraryWriter(db, root: (root.id, root.path), scan: number)
                try writer.removeMissing()
            }
            progress.removed += max(0, before - (try store.trackCount()))
        } catch {
            written.wait()
            troubles.add(.store, error.description)
        }
    }

    private func beginScan() throws(LibraryError) -> Int64 {
        try store.write { db in
            try db.execute(sql: "INSERT INTO scan (begun) VALUES (?)", arguments: [LibraryStore.now])
            let number = db.lastInsertedRowID
            try db.execute(sql: "DELETE FROM scan WHERE id < ?", arguments: [number])
            return number
        }
    }

    // MARK: Batches

    private func read(_ batch: FolderWalk.Batch) -> ScanBatch {
        var content = batch.content
        let (files, paths, isCancelled) = (content.files, batch.paths, isCancelled)
        content.outcomes = Workers.map(files.count, threads: threads) { index in
            isCancelled() ? .unreadable("") : Self.read(paths[index], isSheet: files[index].file.isSheet)
        }
        if isCancelled() { return content }
        for (path, outcome) in zip(paths, content.outcomes) { note(outcome, path) }
        var plan = SheetPlan(content)
        for flaw in plan.flaws { troubles.add(.sheet, "\(paths[flaw.file]): \(flaw.text)", count: flaw.count) }
        content.parts = plan.takeParts()
        for file in plan.waiting { content.outcomes[file] = .unreadable("") }
        return content
    }

    private static func read(_ path: String, isSheet: Bool) -> ScanBatch.Outcome {
        do throws(AssetError) {
            if isSheet { return .sheet(try CueSheet(file: path, limit: LibraryLimits.sheetBytes)) }
            return .tags(try AssetTags.read(path))
        } catch {
            switch error {
            case .notFound, .unreadable, .interrupted: return .unreadable(error.description)
            default: return .damaged(error.description)
            }
        }
    }

    private func note(_ outcome: ScanBatch.Outcome, _ path: String) {
        switch outcome {
        case .sheet: return
        case .tags, .damaged, .unreadable: progress.read += 1
        }
        switch outcome {
        case .sheet: break
        case .tags(let tags):
            if tags.isGuessed { troubles.add(.guessedText, path) }
            if tags.hasHugeArtwork { troubles.add(.hugeArtwork, path) }
        case .damaged(let line):
            progress.failed += 1
            troubles.add(.damagedFile, line)
        case .unreadable(let line):
            progress.failed += 1
            troubles.add(.unreadableFile, line)
        }
    }

    /// Stores a batch once the one before is stored.
    private func store(_ batch: ScanBatch, of root: LibraryRoot, scan: Int64) {
        written.wait()
        guard failures.lines.isEmpty else { return }
        writing.async(group: written) { [store, failures] in
            do throws(LibraryError) {
                try store.write { db in
                    var writer = LibraryWriter(db, root: (root.id, root.path), scan: scan)
                    try writer.store(batch)
                }
            } catch {
                failures.add(error.description)
            }
        }
    }

    private func tell(_ report: (LibraryScan.Progress) -> Void) {
        let now = ContinuousClock.now
        if let reported, now - reported < Self.reportInterval { return }
        reported = now
        progress.seconds = (now - start) / .seconds(1)
        report(progress)
    }
}
