import Foundation
import Testing
import TuttiHost

/// One after the other: what one gives back is missed by another that looks for it.
@Suite(.serialized) struct ProgramPagesTests {
    /// A library of glibc that no program uses: nobody but the test touches its pages, whatever else runs in this
    /// process.
    private static let library = "libBrokenLocale.so.1"

    /// Kilobytes of the library's code in this process's memory.
    private func residentKilobytes() throws -> Int {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self).split(separator: "\n")
        let begin = try #require(maps.firstIndex { $0.contains(" r-xp ") && $0.hasSuffix(Self.library) })
        let line = try #require(maps[begin...].first { $0.hasPrefix("Rss:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    @Test(arguments: [false, true])
    func whatIsGivenBackIsThereAgainWhenItIsNeeded(isLocked: Bool) throws {
        if isLocked { RealtimeThread.lockMemory() }
        let handle = try #require(dlopen(Self.library, RTLD_NOW | RTLD_LOCAL))
        defer { dlclose(handle) }
        let code = UnsafeRawPointer(try #require(dlsym(handle, "__ctype_get_mb_cur_max")))
        let bytes = code.loadUnaligned(as: UInt64.self)
        #expect(try residentKilobytes() > 0)
        ProgramPages.giveBack()
        #expect(try residentKilobytes() == 0)
        #expect(code.loadUnaligned(as: UInt64.self) == bytes)
        for _ in 0..<20 { ProgramPages.giveBack() }
        #expect(try JSONDecoder().decode([Int].self, from: Data("[1,2]".utf8)) == [1, 2])
    }

    @Test func theTaskEndsWhenItIsCancelled() async {
        let task = Task { await ProgramPages.giveBackRegularly() }
        task.cancel()
        await task.value
    }
}
