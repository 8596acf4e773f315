import Foundation
import Glibc
import Logging
import Synchronization
import Testing
import TuttiHTTP
import TuttiHost
import TuttiPOSIX
import TuttiSchema
import TuttiSender
import TuttiTrust
import TuttiTunnel

/// Answers with what was asked; watches get two events.
private struct EchoService: ControlTarget {
    let isService = true

    func answer(_ request: ControlRequest) async -> ControlAnswer {
        if case .player(.stop) = request.command {
            return ControlAnswer(ControlResponse(error: "nothing is playing", exitCode: 5))
        }
        var response = ControlResponse()
        response.room = "\(request.word)"
        guard request.word == .watch else { return ControlAnswer(response) }
        let events = AsyncStream { continuation in
            continuation.yield(ControlEvent(.notice("one"), group: "g"))
            continuation.yield(ControlEvent(.finished(exitCode: 0, message: nil), group: "g"))
            continuation.finish()
        }
        return ControlAnswer(response, events: events)
    }
}

/// What a person was told.
private final class Said: Sendable {
    let lines = Mutex<[String]>([])
}

/// A service behind HTTPS, in a folder of its own, and a user of another host.
private final class Site: Sendable {
    let folder: String
    let address: RemoteAddress
    let paths: StatePaths
    let hosts: KnownHosts
    private let tasks: [Task<Void, Never>]

    init() async throws {
        folder = NSTemporaryDirectory() + "tutti-remote-\(UUID().uuidString.prefix(8))"
        let (service, client) = (folder + "/service", folder + "/client")
        _ = try MembershipFolder(stateDirectory: service).load(name: "desk")
        let control = try await ControlServer(for: EchoService(), runtimeDirectory: folder + "/run")
        let port = try Self.freePort()
        address = try #require(RemoteAddress("https://127.0.0.1:\(port)"))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try WebServer(
            .init(
                address: "0.0.0.0", port: port, socket: folder + "/run/control.sock", player: "/bin/false",
                stateDirectory: service), logger: logger)
        paths = StatePaths(environment: [:], stateDirectory: client)
        hosts = KnownHosts(folder: folder + "/config")
        tasks = [Task { await control.run() }, Task { try? await server.run() }]
        for _ in 0..<500 {
            // It is there when it refuses.
            do {
                _ = try await meet(nil, said: nil)
            } catch let failure as RemoteFailure where failure.status != nil {
                break
            } catch {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        try hosts.change(address) { $0 = nil }
    }

    deinit {
        for task in tasks { task.cancel() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var tokens: TokenStore { TokenStore(stateDirectory: folder + "/service") }

    func meet(_ token: String?, said: Said?, as paths: StatePaths? = nil) async throws -> RemoteHost {
        try await RemoteHost.meet(address, token: token, paths: paths ?? self.paths, hosts: hosts) { text in
            said?.lines.withLock { $0.append(text) }
        }.host
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

@Suite("The service of another host", .serialized) struct RemoteHostTests {
    @Test func aCertificateIsRememberedAndAnotherOneRefused() async throws {
        let site = try await Site()
        let token = try site.tokens.add("phone", scope: .listen, at: 0).text
        let said = Said()
        _ = try await site.meet(token, said: said)
        let fingerprint = try #require(try site.hosts.entries()["\(site.address)"]?.fingerprint)
        #expect(said.lines.withLock { $0 }.count == 1 && said.lines.withLock { $0[0] }.contains(fingerprint))
        _ = try await site.meet(token, said: said)
        #expect(said.lines.withLock { $0 }.count == 1)
        try site.hosts.change(site.address) { $0 = KnownHosts.Entry(fingerprint: "AA:BB") }
        let failure = await #expect(throws: RemoteFailure.self) { try await site.meet(token, said: said) }
        #expect(failure?.exitCode == 4 && failure?.description.contains("another certificate") == true)
    }

    @Test func theHouseholdsOwnNeedsNoMeeting() async throws {
        let site = try await Site()
        let token = try site.tokens.add("laptop", scope: .listen, at: 0).text
        let said = Said()
        let own = StatePaths(environment: [:], stateDirectory: site.folder + "/service")
        _ = try await site.meet(token, said: said, as: own)
        #expect(said.lines.withLock { $0 }.isEmpty)
        #expect(try site.hosts.entries()["\(site.address)"]?.fingerprint == nil)
    }

    @Test func aTokenThatIsNoneIsRefused() async throws {
        let site = try await Site()
        for token in [nil, "nonsense"] {
            let failure = await #expect(throws: RemoteFailure.self) { try await site.meet(token, said: nil) }
            #expect(failure?.exitCode == 4 && failure?.status == 401)
        }
    }

    @Test func nobodyAtAnAddressIsSaid() async throws {
        let site = try await Site()
        let nobody = try #require(RemoteAddress("https://127.0.0.1:1"))
        let failure = await #expect(throws: RemoteFailure.self) {
            try await RemoteHost.meet(nobody, token: "x", paths: site.paths, hosts: site.hosts) { _ in }
        }
        #expect(failure?.exitCode == 1 && failure?.description.contains("cannot reach") == true)
    }

    @Test func requestsGoThroughTheTunnelAndLinesComeBack() async throws {
        let site = try await Site()
        let token = try site.tokens.add("laptop", scope: .control, at: 0).text
        let tunnel = try await RemoteTunnel(to: try await site.meet(token, said: nil), path: site.folder + "/s")
        let running = Task { await tunnel.run() }
        defer { running.cancel() }
        func lines(_ requests: [String], _ count: Int) async throws -> [String] {
            let path = site.folder + "/s"
            return try await Task.detached {
                guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 20) else { throw CancellationError() }
                var lines: [String] = []
                for request in requests {
                    let isSent = socket.send(Array(request.utf8) + [10])
                    #expect(isSent)
                    while lines.count < count, let line = socket.line(limit: 1 << 20) {
                        lines.append(String(decoding: line, as: UTF8.self))
                        if requests.count > 1 { break }
                    }
                }
                return lines
            }.value
        }
        let answers = try await lines([#"{"command":"status"}"#, #"{"command":"stop"}"#, #"{"command":"x"}"#], 9)
        #expect(
            answers[0] == #"{"ok":true,"room":"status","service":true}"# || answers[0].contains(#""room":"status""#))
        #expect(answers[1].contains(#""exitCode":5"#) && answers[1].contains("nothing is playing"))
        #expect(answers[2].contains(#""ok":false"#) && answers[2].contains(#""exitCode":2"#))
        let watched = try await lines([#"{"command":"watch"}"#], 9)
        #expect(watched.count == 3 && watched[1].contains("one") && watched[2].contains("finished"))
    }

    @Test func aTokenThatMayListenChangesNothing() async throws {
        let site = try await Site()
        let token = try site.tokens.add("dashboard", scope: .listen, at: 0).text
        let tunnel = try await RemoteTunnel(to: try await site.meet(token, said: nil), path: site.folder + "/s")
        let running = Task { await tunnel.run() }
        defer { running.cancel() }
        let path = site.folder + "/s"
        let answer = try await Task.detached {
            guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 20) else { throw CancellationError() }
            let isSent = socket.send(Array(#"{"command":"next"}"#.utf8) + [10])
            #expect(isSent)
            return socket.line(limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }.value
        #expect(answer.contains(#""exitCode":4"#) && answer.contains("may only listen"))
    }
}
