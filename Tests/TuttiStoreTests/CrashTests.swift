import Foundation
import Glibc
import Testing
import TuttiRooms
import TuttiSender
import TuttiStore

/// Kills a process that changes the store, at instants all over a tenth of a second, and looks whether what it had
/// acknowledged is there.
@Suite struct CrashTests {
    /// The child's folder; there in the child alone.
    private static let folder = ProcessInfo.processInfo.environment["TUTTI_STORE_CRASH"]
    /// How many groups the child changes in turn.
    private static let groups = 7

    @Test("what was acknowledged outlives a kill at any instant")
    func killed() throws {
        let folder = Folder()
        var done = -1
        for round in 0..<12 {
            done = max(done, try acknowledged(in: folder.path, afterMicroseconds: UInt32(round) * 10_000))
            let store = try HouseStore(directory: folder.path)
            #expect(store.remarks.isEmpty, "round \(round)")
            let groups = try store.groups()
            for number in max(0, done - Self.groups + 1)...max(0, done) where done >= 0 {
                // The next one may have been done too, and not been said.
                let found = groups["\(number % Self.groups)"]?.first.flatMap { Int($0.name) } ?? -1
                #expect(found >= number && found <= done + 1, "round \(round): \(found), not \(number)")
            }
            let rooms = try store.rooms()
            #expect(
                rooms.map { $0.volume } == rooms.map { $0.isMuted == true ? 1 : 0 }, "half a change in round \(round)")
            store.close()
        }
        #expect(done > 50, "only \(done) changes were made")
    }

    /// Runs a child and kills it some time after its first word.
    ///
    /// - Returns: the number of the last change that it said was done.
    private func acknowledged(in folder: String, afterMicroseconds wait: UInt32) throws -> Int {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "CrashTests/changes"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TUTTI_STORE_CRASH": folder]) { $1 }
        process.standardOutput = FileHandle(fileDescriptor: ends[1])
        process.standardError = FileHandle.nullDevice
        try process.run()
        close(ends[1])
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        var said = output.availableData
        while !said.isEmpty, !said.contains(UInt8(ascii: "#")) { said += output.availableData }
        usleep(wait)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        said += output.readDataToEndOfFile()
        let words = String(decoding: said, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("#") }
        return words.compactMap { Int($0.dropFirst()) }.max() ?? -1
    }

    @Test("is killed", .enabled(if: folder != nil, "only in a child of the test beside it"))
    func changes() throws {
        let store = try HouseStore(directory: try #require(Self.folder))
        let known = try store.groups().values.compactMap { $0.first.flatMap { Int($0.name) } }.max() ?? -1
        for number in (known + 1)... {
            let isOdd = number % 2 == 1
            try store.remember(
                (0..<5).map { index in
                    HouseStore.KnownRoom(
                        name: "\(index)", speaker: nil, address: "", volume: isOdd ? 1 : 0, isMuted: isOdd)
                })
            try store.setGroup("\(number % Self.groups)", to: [RoomAddress(name: "\(number)")])
            let word = "\n#\(number)\n"
            _ = word.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
        }
    }
}
