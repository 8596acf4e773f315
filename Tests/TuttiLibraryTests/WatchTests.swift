import Foundation
import Synchronization
import Testing
import TuttiLibrary

@Suite("Following changes of a library")
struct WatchTests {
    let shop: MusicShop

    init() throws { shop = try MusicShop() }

    /// Waits until the library has these titles.
    private func expect(_ titles: [String], in library: LibraryStore, _ place: SourceLocation = #_sourceLocation) async
    {
        for _ in 0..<400 where library.titles != titles { try? await Task.sleep(for: .milliseconds(50)) }
        #expect(library.titles == titles, sourceLocation: place)
    }

    @Test("new, changed and removed files and folders are found, and the last word is kept")
    func changes() async throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        let troubles = Mutex(0)
        let watch = try LibraryWatch(library, patience: .init(quiet: 0.05, busy: 1, idle: 900)) { event in
            if case .finished(_, let trouble, _) = event { troubles.withLock { $0 += trouble.count } }
        }
        defer { watch.stop() }
        await expect(["One"], in: library)
        try shop.flac("a/2.flac", ["TITLE": "Two"])
        await expect(["One", "Two"], in: library)
        try shop.flac("new/inside/3.flac", ["TITLE": "Three"])
        await expect(["One", "Three", "Two"], in: library)
        try shop.flac("new/inside/4.flac", ["TITLE": "Four"])
        await expect(["Four", "One", "Three", "Two"], in: library)
        try shop.remove("new")
        await expect(["One", "Two"], in: library)
        try shop.move("a/2.flac", to: "b/2.flac")
        await expect(["One", "Two"], in: library)
        #expect(troubles.withLock { $0 } == 0)
    }

    @Test("a folder that is added while it watches is scanned with the next look at everything")
    func added() async throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let library = try shop.library()
        let watch = try LibraryWatch(library, patience: .init(quiet: 0.05, busy: 1, idle: 0.2)) { _ in }
        defer { watch.stop() }
        _ = try library.add(shop.music.path)
        await expect(["One"], in: library)
    }

    @Test("a folder that does not answer keeps nobody else from being looked at, and is looked at again when it does")
    func hanging() async throws {
        try shop.flac("a/1.flac", ["TITLE": "One"])
        let other = shop.folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: shop.path("a/1.flac"), toPath: other.path + "/2.flac")
        let library = try shop.library()
        _ = try library.add(shop.music.path)
        _ = try library.add(other.path)
        // The first report comes from the first folder's scan: it stands still as if its disk did.
        let hangs = Mutex(true)
        let isOver = Mutex(false)
        let troubles = Mutex<[String]>([])
        let watch = try LibraryWatch(library, patience: .init(quiet: 0.05, busy: 1, idle: 0.2, hanging: 0.3)) { event in
            switch event {
            case .progress:
                let isFirst = hangs.withLock { hangs in
                    defer { hangs = false }
                    return hangs
                }
                while isFirst, !isOver.withLock({ $0 }) { usleep(10_000) }
            case .finished(_, let trouble, _): troubles.withLock { $0 += trouble.map(\.description) }
            }
        }
        defer { watch.stop() }
        for _ in 0..<400 where (try? library.roots().last?.trackCount) != 1 {
            try await Task.sleep(for: .milliseconds(50))
        }
        for _ in 0..<400 where troubles.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try library.roots().map(\.isReachable) == [false, true])
        #expect(troubles.withLock { $0.allSatisfy { $0.contains("does not answer") } && $0.count == 1 })
        isOver.withLock { $0 = true }
        await expect(["One", "One"], in: library)
        for _ in 0..<400 where (try? library.roots().map(\.isReachable)) != [true, true] {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try library.roots().map(\.isReachable) == [true, true])
    }
}
