import Foundation
import Testing
import TuttiHost

@Suite struct ProgramPagesTests {
    /// Kilobytes of files in this process's memory.
    private func fileKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    @Test func whatIsGivenBackIsThereAgainWhenItIsNeeded() throws {
        let constant = (0..<100).map { "\($0 * $0)" }.joined(separator: ",")
        let before = try fileKilobytes()
        ProgramPages.giveBack()
        let after = try fileKilobytes()
        #expect(after < before)
        #expect((0..<100).map { "\($0 * $0)" }.joined(separator: ",") == constant)
        for _ in 0..<20 { ProgramPages.giveBack() }
        #expect(try JSONDecoder().decode([Int].self, from: Data("[1,2]".utf8)) == [1, 2])
    }

    @Test func theTaskEndsWhenItIsCancelled() async {
        let task = Task { await ProgramPages.giveBackRegularly() }
        task.cancel()
        await task.value
    }
}
