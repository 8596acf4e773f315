import TestSupport
import Testing
import TuttiPOSIX
import TuttiSchema
import TuttiSender

/// A server that ends while others come to it.
@Suite struct ControlServerEndTests {
    private struct Answers: ControlTarget {
        let isService = true
        func answer(_ request: ControlRequest) async -> ControlAnswer { ControlAnswer(ControlResponse()) }
    }

    @Test("a server ends in the midst of a rush as at any other time")
    func rush() async throws {
        let scratch = try Scratch()
        for round in 0..<30 {
            let runtime = scratch.path + "/run\(round)"
            let server = try await ControlServer(for: Answers(), runtimeDirectory: runtime)
            let path = ControlServer.path(in: runtime)
            let serving = Task { await server.run() }
            let visits = Task.detached {
                for _ in 0..<200 {
                    guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 1) else { return }
                    _ = socket.send(JSONLine.encode(ControlRequest(.status)) + [0x0A])
                }
            }
            try await Task.sleep(for: .milliseconds(round % 5))
            serving.cancel()
            await serving.value
            await visits.value
        }
    }
}
