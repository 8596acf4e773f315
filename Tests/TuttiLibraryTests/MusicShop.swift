import Foundation
import TuttiLibrary

/// A temporary folder with music in it and a library beside it, gone with the object.
final class MusicShop {
    let folder: URL
    let music: URL
    let state: String

    init() throws {
        // The library keeps paths without links.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        folder = temporary.appendingPathComponent("tutti-library-\(UUID().uuidString)")
        music = folder.appendingPathComponent("music")
        state = folder.appendingPathComponent("state").path
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { music.path + "/" + name }

    /// Writes a file below the folder of music.
    func write(_ bytes: [UInt8], _ name: String) throws {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Writes a FLAC file of so many seconds with these tags.
    func flac(_ name: String, _ tags: [String: String] = [:], seconds: Int = 60, picture: Int = 0) throws {
        try write(MadeFile.flac(tags.mapValues { Array($0.utf8) }, seconds: seconds, picture: picture), name)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func move(_ name: String, to other: String) throws {
        let target = URL(filePath: path(other))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path(name), toPath: target.path)
    }

    func library() throws -> LibraryStore { try LibraryStore(directory: state) }

    /// A library with the folder of music, scanned.
    func scanned() throws -> LibraryStore {
        let library = try library()
        _ = try library.add(music.path)
        library.scan()
        return library
    }
}

extension LibraryStore {
    /// Scans everything.
    @discardableResult
    func scan() -> (progress: LibraryScan.Progress, trouble: [LibraryTrouble]) {
        var result = (LibraryScan.Progress(), [LibraryTrouble]())
        LibraryScan(self, threads: 2).run { event in
            if case .finished(let progress, let trouble, _) = event { result = (progress, trouble) }
        }
        return result
    }

    /// The titles of all tracks, in order.
    var titles: [String] { ((try? tracks(LibraryPage())) ?? []).map(\.title) }
}
