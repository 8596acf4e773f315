import Foundation
import Testing
import TuttiSimulation

/// The same run in two processes, whose hashes have other seeds and whose memory lies elsewhere.
@Suite struct ProcessTests {
    /// Where a child writes its trace; nil in any other process.
    private static let file = ProcessInfo.processInfo.environment["TUTTI_SIMULATION_TRACE"]

    @Test func twoProcessesGiveTheSameTraceByteForByte() throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "tutti-trace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let traces = try ["first", "second"].map { try Self.trace(by: folder.appending(component: $0)) }
        #expect(traces[0].count > 20_000)
        #expect(traces[0] == traces[1])
    }

    private static func trace(by file: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "ProcessTests/writesATrace"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TUTTI_SIMULATION_TRACE": file.path]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: file)
    }

    @Test(.enabled(if: file != nil, "only in a child of the test beside it"))
    func writesATrace() throws {
        var house = House.troubled
        house.duration = 120 * House.second
        var trace = Trace()
        let lines = Simulation<World>(house, Script(for: house, seed: 5)).flatMap { trace.note($0) }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: try #require(Self.file)))
    }
}
