import Foundation
import Testing
import TuttiPOSIX

@Suite("Where sockets are")
struct RuntimeDirectoryTests {
    /// A folder like /run/tutti, with or without a service's socket.
    private func withService(_ runs: Bool, _ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "tutti-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if runs { try Data().write(to: URL(fileURLWithPath: folder + "/control.sock")) }
        try body(folder)
    }

    @Test("whoever may steer the host's service means it")
    func service() throws {
        try withService(true) { service in
            #expect(RuntimeDirectory.path(environment: [:], userID: 7, ofService: service) == service)
            let login = ["XDG_RUNTIME_DIR": "/run/user/7"]
            #expect(RuntimeDirectory.path(environment: login, userID: 7, ofService: service) == service)
        }
    }

    @Test("where none runs, or the environment names another folder, it is the user's own")
    func own() throws {
        try withService(false) { service in
            #expect(RuntimeDirectory.path(environment: [:], userID: 7, ofService: service) == "/tmp/tutti-7")
            #expect(RuntimeDirectory.path(environment: [:], userID: 0, ofService: service) == service)
        }
        try withService(true) { service in
            let apart = ["XDG_RUNTIME_DIR": "/r"]
            #expect(RuntimeDirectory.path(environment: apart, userID: 7, ofService: service) == "/r/tutti")
            let unit = ["RUNTIME_DIRECTORY": "/run/a:/run/b"]
            #expect(RuntimeDirectory.path(environment: unit, userID: 7, ofService: service) == "/run/a")
        }
    }
}
