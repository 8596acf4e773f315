import Synchronization
import Testing
import TuttiHTTP

@Suite("Artwork cache")
struct ArtworkCacheTests {
    /// Notes what it is asked for.
    private final class Painter: Sendable {
        let asked = Mutex<[String]>([])
        let atOnce = Mutex((now: 0, most: 0))

        func paint(_ path: String, _ size: Int, bytes: Int) async -> [UInt8]? {
            asked.withLock { $0.append("\(path) \(size)") }
            atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try? await Task.sleep(for: .milliseconds(5))
            atOnce.withLock { $0.now -= 1 }
            return path == "none" ? nil : [UInt8](repeating: UInt8(size & 0xFF), count: bytes)
        }
    }

    @Test func eachIsMadeOnceAndOneAtATime() async {
        let painter = Painter()
        let cache = ArtworkCache { await painter.paint($0, $1, bytes: 10) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { #expect(await cache.picture(ofFile: "\(number % 2)", size: 300 + number % 5) != nil) }
            }
        }
        #expect(Set(painter.asked.withLock { $0 }) == ["0 320", "1 320"])
        #expect(painter.asked.withLock { $0.count } == 2 && painter.atOnce.withLock { $0.most } == 1)
    }

    @Test func whoAsksForAllAtOnceHasOnlySomeMade() async {
        let painter = Painter()
        let cache = ArtworkCache { await painter.paint($0, $1, bytes: 10) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask { _ = await cache.picture(ofFile: "\(number)", size: 80) }
            }
        }
        #expect(painter.asked.withLock { $0.count } < 1_000)
        // What was not made is made when somebody asks again.
        for number in 0..<1_000 where !painter.asked.withLock({ $0.contains("\(number) 80") }) {
            #expect(await cache.picture(ofFile: "\(number)", size: 80) != nil)
            break
        }
    }

    @Test func noPictureIsRememberedToo() async {
        let painter = Painter()
        let cache = ArtworkCache { await painter.paint($0, $1, bytes: 10) }
        for _ in 0..<3 { #expect(await cache.picture(ofFile: "none", size: 100) == nil) }
        #expect(painter.asked.withLock { $0 } == ["none 160"])
        #expect(await cache.picture(ofFile: "some", size: 9_999)?.bytes.first == UInt8(1_280 & 0xFF))
    }

    @Test func theOldestGoesWhereMemoryEnds() async {
        let painter = Painter()
        let cache = ArtworkCache { await painter.paint($0, $1, bytes: ArtworkCache.mostBytes / 4) }
        for number in 0..<5 { _ = await cache.picture(ofFile: "\(number)", size: 80) }
        _ = await cache.picture(ofFile: "4", size: 80)
        #expect(painter.asked.withLock { $0.count } == 5)
        _ = await cache.picture(ofFile: "0", size: 80)
        #expect(painter.asked.withLock { $0.count } == 6)
    }

    @Test func contentHasATag() async {
        let painter = Painter()
        let cache = ArtworkCache { await painter.paint($0, $1, bytes: 10) }
        let (one, two) = (await cache.picture(ofFile: "a", size: 80), await cache.picture(ofFile: "b", size: 80))
        let other = await cache.picture(ofFile: "a", size: 160)
        #expect(one?.tag == two?.tag && one?.tag != other?.tag)
    }
}
