import Foundation
import Glibc
import Testing
import TuttiHost

@Suite struct FileLockTests {
    /// Other tests start programs meanwhile. Between its fork and its exec a child still has what this process had open
    /// then, and with it a lock that has been given up here.
    private static let forks = 10.0

    private let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-lock-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test("one has it at a time, a file's or a directory's, until it ends")
    func one() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let first = try FileLock(path: folder + "/lock")
            let house = FileLock(directory: folder, patience: 0)
            #expect(first != nil && house != nil)
            #expect(try FileLock(path: folder + "/lock") == nil && FileLock(directory: folder, patience: 0.01) == nil)
            withExtendedLifetime((first, house)) {}
        }
        #expect(FileLock(directory: folder, patience: Self.forks) != nil)
        let end = ContinuousClock.now + .seconds(Self.forks)
        var again = try FileLock(path: folder + "/lock")
        while again == nil, ContinuousClock.now < end { again = try FileLock(path: folder + "/lock") }
        #expect(again != nil)
        #expect(FileLock(directory: folder + "/nowhere", patience: 0) == nil)
        #expect(throws: HostError.self) { try FileLock(path: folder + "/nowhere/lock") }
    }

    @Test("who does not get it closes nothing that another thread has opened meanwhile")
    func loser() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lock = try #require(try FileLock(path: folder + "/lock"))
        async let others = opened(100_000)
        for _ in 0..<100_000 {
            #expect(try FileLock(path: folder + "/lock") == nil)
            #expect(FileLock(directory: folder, patience: Self.forks) != nil)
        }
        #expect(await others == 100_000)
        withExtendedLifetime(lock) {}
    }

    /// Opens and closes as often as asked; how often what was opened was still open then.
    @concurrent private func opened(_ count: Int) async -> Int {
        (0..<count).count { _ in
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            return close(descriptor) == 0
        }
    }
}
