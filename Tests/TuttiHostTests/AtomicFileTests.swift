import Foundation
import Testing
import TuttiHost

@Suite struct AtomicFileTests {
    private let directory = NSTemporaryDirectory() + "tutti-tests-\(UUID().uuidString)"

    private func withDirectory(_ body: () throws -> Void) throws {
        try StatePaths.prepare(directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body()
    }

    @Test func replacesAndReads() throws {
        try withDirectory {
            let path = directory + "/state"
            #expect(try AtomicFile.read(path) == nil)
            try AtomicFile.write([1, 2, 3], to: path)
            try AtomicFile.write(Array(repeating: 9, count: 200_000), to: path, isDurable: false)
            #expect(try AtomicFile.read(path) == Array(repeating: 9, count: 200_000))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["state"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    /// A command that root gives must not leave files that the service's user cannot read.
    @Test(.enabled(if: geteuid() == 0)) func whatRootMakesIsTheFoldersOwners() throws {
        try withDirectory {
            try #require(chown(directory, 4_711, 4_712) == 0)
            try StatePaths.prepare(directory + "/trust/more")
            for path in ["/state", "/trust/more/key"] { try AtomicFile.write([1], to: directory + path) }
            for path in ["/state", "/trust", "/trust/more", "/trust/more/key"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: directory + path)
                #expect(attributes[.ownerAccountID] as? Int == 4_711, "\(path)")
                #expect(attributes[.groupOwnerAccountID] as? Int == 4_712, "\(path)")
            }
        }
    }

    @Test func failuresNameThePathAndLeaveNothing() throws {
        try withDirectory {
            let missing = directory + "/none/state"
            #expect(throws: HostError.file(action: "write", path: missing, code: ENOENT)) {
                try AtomicFile.write([1], to: missing)
            }
            // A directory cannot be replaced by a file.
            #expect(throws: HostError.file(action: "write", path: directory, code: EISDIR)) {
                try AtomicFile.write([1], to: directory)
            }
            #expect(throws: HostError.file(action: "read", path: directory, code: EISDIR)) {
                try AtomicFile.read(directory)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(left.isEmpty)
        }
    }

    @Test func writersOfOneFileDoNotMix() async throws {
        try StatePaths.prepare(directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/state"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in UInt8(0)..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        try AtomicFile.write(Array(repeating: value, count: 10_000), to: path, isDurable: false)
                        let content = try AtomicFile.read(path) ?? []
                        #expect(content.count == 10_000 && Set(content).count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite struct StatePathsTests {
    @Test func environmentDecides() {
        let paths = StatePaths(
            environment: ["XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r", "XDG_CONFIG_HOME": "/c", "HOME": "/h"],
            userID: 7)
        #expect(paths.stateDirectory == "/s/tutti")
        #expect(paths.runtimeDirectory == "/r/tutti")
        #expect(paths.configDirectories == ["/c/tutti", "/etc/tutti"])
    }

    @Test func defaultsWithoutIt() {
        let user = StatePaths(environment: ["HOME": "/h", "XDG_RUNTIME_DIR": "relative"], userID: 7)
        #expect(user.stateDirectory == "/h/.local/state/tutti")
        #expect(user.runtimeDirectory == "/tmp/tutti-7")
        #expect(user.configDirectories == ["/h/.config/tutti", "/etc/tutti"])
        let service = StatePaths(environment: [:], userID: 0)
        #expect(service.stateDirectory == "/var/lib/tutti")
        #expect(service.runtimeDirectory == "/run/tutti")
        #expect(StatePaths(environment: ["XDG_STATE_HOME": "/s"], stateDirectory: "/flag").stateDirectory == "/flag")
    }

    @Test func prepareMakesPrivateDirectories() throws {
        let root = NSTemporaryDirectory() + "tutti-tests-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try StatePaths.prepare(root + "/a/b")
        try StatePaths.prepare(root + "/a/b")
        let mode = try FileManager.default.attributesOfItem(atPath: root + "/a/b")[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try AtomicFile.write([], to: root + "/file")
        #expect(throws: HostError.self) { try StatePaths.prepare(root + "/file") }
        #expect(throws: HostError.self) { try StatePaths.prepare(root + "/file/below") }
    }
}
