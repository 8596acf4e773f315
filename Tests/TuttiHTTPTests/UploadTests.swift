import Foundation
import NIOCore
import Synchronization
import Testing
import TuttiHTTP

/// Names as people, programs and attackers choose them.
@Suite struct UploadNameTests {
    @Test(arguments: [
        ("A song.flac", "A song.flac"), ("../../etc/passwd", "passwd"), ("/abs/b.mp3", "b.mp3"),
        ("C:\\x\\y.wav", "y.wav"),
        ("..", "upload"), ("", "upload"), (".hidden", "hidden"), ("a\u{0}b\nc.ogg", "abc.ogg"), ("a  b.ogg", "a b.ogg"),
        ("\u{202E}gpj.exe", "gpj.exe"), ("Ünïcödé – 音楽.opus", "Ünïcödé – 音楽.opus"), ("/", "upload"),
        ("noending", "noending"),
    ])
    func aNameIsMadeSafe(_ given: String, _ kept: String) { #expect(UploadName.safe(given) == kept) }

    @Test(arguments: ["a", "ü", "音", "👨‍👩‍👧"])
    func aLongNameKeepsItsEnding(_ part: String) {
        let name = UploadName.safe(String(repeating: part, count: 500) + ".flac")
        #expect(name.hasSuffix(".flac") && name.utf8.count <= UploadName.mostBytes && name.hasPrefix(part))
        let odd = UploadName.safe("a." + String(repeating: part, count: 500))
        #expect(odd.utf8.count <= UploadName.mostBytes && odd.hasPrefix("a."))
    }
}

/// Which files stay.
@Suite struct UploadRuleTests {
    private let rule = {
        var rule = UploadRule()
        (rule.totalBytes, rule.count) = (100, 4)
        return rule
    }()
    private let now = 10_000_000

    private func upload(_ name: String, _ bytes: Int, age: Int) -> Upload {
        Upload(path: name, bytes: bytes, time: now - age)
    }

    @Test func whatNothingNeedsGoesAfterAWeek() {
        let uploads = [
            upload("new", 10, age: 8_000), upload("old", 10, age: 700_000), upload("named", 10, age: 800_000),
        ]
        let leaving = rule.leaving(uploads, needed: ["named"], for: 10, at: now)
        #expect(leaving?.map(\.path) == ["old"])
    }

    @Test func theOldestMakeRoomButNotThoseOfTheLastHour() {
        let uploads = [upload("a", 40, age: 9_000), upload("b", 40, age: 90_000), upload("c", 20, age: 60)]
        #expect(rule.leaving(uploads, needed: [], for: 20, at: now)?.map(\.path) == ["b"])
        #expect(rule.leaving(uploads, needed: [], for: 80, at: now)?.map(\.path) == ["b", "a"])
        #expect(rule.leaving(uploads, needed: [], for: 81, at: now) == nil)
        #expect(rule.leaving(uploads, needed: ["b"], for: 80, at: now) == nil)
        #expect(rule.leaving(uploads, needed: ["b"], for: 20, at: now)?.map(\.path) == ["a"])
    }

    @Test func theirNumberIsBoundedToo() {
        let uploads = (0..<4).map { upload("\($0)", 1, age: 9_000 - $0) }
        #expect(rule.leaving(uploads, needed: [], for: 1, at: now)?.map(\.path) == ["0"])
        #expect(rule.leaving(uploads, needed: [], for: 1, reserved: (0, 1), at: now)?.map(\.path) == ["0", "1"])
        #expect(rule.leaving(uploads, needed: ["0", "1", "2", "3"], for: 1, at: now) == nil)
    }
}

@Suite struct UploadStoreTests {
    /// A state folder that goes with the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "tutti-uploads-\(UUID())"
        var uploads: String { path + "/uploads" }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: uploads)) ?? [] }
    }

    private struct Broken: Error {}

    private func store(
        _ folder: Folder, rule: UploadRule = UploadRule(), needs: Set<String>? = [], fault: String? = nil
    ) -> UploadStore {
        UploadStore(stateDirectory: folder.path, rule: rule, needs: { needs }, check: { _ in fault })
    }

    private func body(_ parts: [Int], broken: Bool = false) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { continuation in
            for count in parts { continuation.yield(ByteBuffer(repeating: UInt8(count & 0xFF), count: count)) }
            continuation.finish(throwing: broken ? Broken() : nil)
        }
    }

    @Test func aFileIsKeptUnderItsName() async throws {
        let folder = Folder()
        let kept = try await store(folder).take("../My song.flac", length: 700_000, body([300_000, 400_000]))
        let answer = try #require(JSONValue(try JSONEncoder().encode(kept)))
        let path = try #require(answer["uri"]?.text)
        #expect(path.hasSuffix("/My song.flac") && path.contains("/uploads/"))
        #expect(answer["bytes"] == .number(700_000))
        #expect(FileManager.default.contents(atPath: path)?.count == 700_000)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600 && folder.names.count == 1)
        // The same once more is another file.
        _ = try await store(folder).take("My song.flac", length: nil, body([5]))
        #expect(folder.names.count == 2)
    }

    @Test func aFileThatIsLentIsThereForAsLongAsItIsRead() async throws {
        let folder = Folder()
        let path = try await store(folder, fault: "no music").lend(
            "../room.wav", length: 5, mostBytes: 5, body([2, 3])
        ) { path in
            #expect(path.hasSuffix("/room.wav") && FileManager.default.contents(atPath: path)?.count == 5)
            return path
        }
        #expect(!FileManager.default.fileExists(atPath: path) && folder.names == [])
        let refused = await #expect(throws: Problem.self) {
            try await store(folder).lend("room.wav", length: 5, mostBytes: 5, body([5])) {
                path async throws(Problem) -> Int in throw Problem(.invalid, "\(path): line 3: no filter")
            }
        }
        #expect(refused == Problem(.invalid, "room.wav: line 3: no filter") && folder.names == [])
        let large = await #expect(throws: Problem.self) {
            try await store(folder).lend("room.wav", length: nil, mostBytes: 5, body([6])) { $0 }
        }
        #expect(large?.kind == .tooLarge && folder.names == [])
    }

    @Test("whatever goes wrong, nothing is left", arguments: 0..<7)
    func failures(_ number: Int) async {
        let folder = Folder()
        var rule = UploadRule()
        rule.fileBytes = 1_000
        var kind: Problem.Kind?
        do {
            switch number {
            case 0: _ = try await store(folder, rule: rule).take("a", length: 1_001, body([1]))
            case 1: _ = try await store(folder, rule: rule).take("a", length: nil, body([600, 600]))
            case 2: _ = try await store(folder, rule: rule).take("a", length: 900, body([600]))
            case 3: _ = try await store(folder, rule: rule).take("a", length: 0, body([]))
            case 4: _ = try await store(folder, fault: "no music").take("a", length: 600, body([600]))
            case 5:
                rule.spareBytes = .max / 2
                _ = try await store(folder, rule: rule).take("a", length: 600, body([600]))
            default: _ = try await store(folder).take("a", length: 900, body([600], broken: true))
            }
        } catch {
            kind = (error as? Problem)?.kind
        }
        let kinds: [Problem.Kind?] = [.tooLarge, .tooLarge, .malformed, .unplayable, .unplayable, .noSpace, nil]
        #expect(kind == kinds[number])
        #expect(folder.names == [])
    }

    @Test func filesThatAreNeededStayAndOthersMakeRoom() async throws {
        let folder = Folder()
        var rule = UploadRule()
        (rule.totalBytes, rule.shortest) = (1_000, -1)
        let first = try await store(folder, rule: rule).take("first.ogg", length: 600, body([600]))
        let path = try #require(JSONValue(try JSONEncoder().encode(first))?["uri"]?.text)
        for needs in [[path], nil] as [Set<String>?] {
            let problem = await #expect(throws: Problem.self) {
                try await store(folder, rule: rule, needs: needs).take("second.ogg", length: 600, body([600]))
            }
            #expect(problem?.kind == .noSpace && FileManager.default.fileExists(atPath: path))
        }
        _ = try await store(folder, rule: rule).take("second.ogg", length: 600, body([600]))
        #expect(!FileManager.default.fileExists(atPath: path) && folder.names.count == 1)
    }

    @Test func onlySoManyComeAtOnce() async throws {
        let folder = Folder()
        let store = store(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var ends: [AsyncStream<ByteBuffer>.Continuation] = []
            for _ in 0..<UploadStore.mostAtOnce {
                let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
                ends.append(continuation)
                group.addTask { [store] in _ = try await store.take("a", length: nil, stream) }
            }
            while folder.names.count < UploadStore.mostAtOnce { try await Task.sleep(for: .milliseconds(5)) }
            let problem = await #expect(throws: Problem.self) {
                try await store.take("one more", length: 1, body([1]))
            }
            #expect(problem?.kind == .unavailable && problem?.retryAfter != nil)
            for end in ends { end.finish() }
            while let result = await group.nextResult() { #expect(throws: Problem.self) { try result.get() } }
        }
        #expect(folder.names == [])
    }

    @Test func nothingIsLeftOfOneThatIsGivenUp() async throws {
        let folder = Folder()
        let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
        let store = store(folder)
        let task = Task { try await store.take("a.flac", length: 10, stream) }
        while folder.names.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(folder.names == [])
        continuation.finish()
    }

    @Test func whatAKilledProcessLeftIsRemoved() async throws {
        let folder = Folder()
        try FileManager.default.createDirectory(atPath: folder.uploads + "/.new-1", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: folder.uploads + "/.new-1/a.flac"))
        _ = try await store(folder).take("b.flac", length: 1, body([1]))
        #expect(folder.names.count == 1 && !folder.names.contains(".new-1"))
    }
}
