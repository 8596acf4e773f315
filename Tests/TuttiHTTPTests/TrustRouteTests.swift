import Foundation
import Synchronization
import Testing
import TuttiHTTP
import TuttiSchema
import TuttiTrust

@Suite("Tokens and claims over HTTP") struct TrustRouteTests {
    /// Knows one group.
    private struct Service: ServiceAnswering {
        func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse {
            var response = ControlResponse()
            response.groups = ["Downstairs": ["kitchen"]]
            return response
        }
    }

    private let desk: TrustDesk
    private let store: TokenStore
    private let lists = ListCount()

    private final class ListCount: Sendable {
        let value = Mutex(0)
    }

    init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        store = TokenStore(stateDirectory: folder)
        let lists = lists
        desk = TrustDesk(tokens: store) {
            lists.value.withLock { $0 += 1 }
            try? await Task.sleep(for: .milliseconds(20))
            let line = #"{"name":"bath","id":"b","address":"10.0.0.2:7700","version":"1","trust":"household"}"#
            return Array((line + "\n").utf8)
        }
    }

    /// The answer to a request with a token of the scope admin, or from the service's own host.
    private func answer(
        _ method: String, _ path: String, _ body: String = "", isByToken: Bool = true
    ) async throws -> String {
        guard case .endpoint(let endpoint, let parameters) = try RouteTable().match(method, "/api/v1" + path) else {
            throw Problem(.notFound, path)
        }
        #expect(endpoint.scope == .admin)
        if let schema = endpoint.body, let fault = schema.fault(in: try #require(JSONValue(Array(body.utf8)))) {
            throw Problem(.invalid, fault)
        }
        let call = Call(
            parameters: parameters, body: Array(body.utf8), service: Service(),
            permit: Permit(scope: .admin, isByToken: isByToken), trust: desk)
        let bytes = try await endpoint.handler(call)
        if case .json(_, let schema) = endpoint.answer {
            #expect(schema.fault(in: try #require(JSONValue(bytes))) == nil)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func problem(_ method: String, _ path: String, _ body: String = "", isByToken: Bool = true) async
        -> Problem.Kind?
    {
        await #expect(throws: Problem.self) { try await answer(method, path, body, isByToken: isByToken) }?.kind
    }

    @Test("a token is made, listed without itself, lets its holder in, and is revoked")
    func life() async throws {
        let made = try await answer("POST", "/trust/tokens", #"{"name":"hall","scope":"listen","seconds":3600}"#)
        struct Made: Decodable { var token: String }
        let token = try JSONDecoder().decode(Made.self, from: Data(made.utf8)).token
        let now = Int64(Date().timeIntervalSince1970)
        #expect(try store.entry(of: token, at: now)?.scope == .listen)
        #expect(try store.entry(of: token, at: now + 4_000) == nil)
        _ = try await answer("POST", "/trust/tokens", #"{"name":"party","group":"downstairs"}"#)
        let listed = try await answer("GET", "/trust/tokens")
        #expect(listed.contains("party") && !listed.contains(token))
        _ = try await answer("DELETE", "/trust/tokens/party")
        #expect(try store.entries(at: now).isEmpty)
    }

    @Test("what cannot be is refused in one line")
    func refusals() async throws {
        _ = try await answer("POST", "/trust/tokens", #"{"name":"hall"}"#)
        #expect(await problem("POST", "/trust/tokens", #"{"name":"hall"}"#) == .refused)
        #expect(
            await problem("POST", "/trust/tokens", #"{"name":"a","scope":"admin","group":"downstairs"}"#) == .refused)
        #expect(await problem("POST", "/trust/tokens", #"{"name":"a","group":"attic"}"#) == .notFound)
        #expect(await problem("POST", "/trust/tokens", #"{"name":"a","seconds":1e300}"#) == .invalid)
        #expect(await problem("POST", "/trust/tokens", #"{"scope":"listen"}"#) == .invalid)
        #expect(await problem("DELETE", "/trust/tokens/nobody") == .notFound)
    }

    @Test("who shows no token makes none and revokes none")
    func local() async throws {
        _ = try await answer("POST", "/trust/tokens", #"{"name":"hall"}"#)
        #expect(await problem("POST", "/trust/tokens", #"{"name":"a"}"#, isByToken: false) == .forbidden)
        #expect(await problem("DELETE", "/trust/tokens/hall", isByToken: false) == .forbidden)
        #expect(try await answer("GET", "/trust/tokens", isByToken: false).contains("hall"))
    }

    @Test("speakers are looked for once for all who ask at about the same time")
    func speakers() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await answer("GET", "/trust/rooms") } }
            for try await text in group { #expect(text.contains(#""trust":"household""#)) }
        }
        #expect(lists.value.withLock { $0 } == 1)
    }
}
