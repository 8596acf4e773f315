import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import TuttiSchema

/// The service of another host, over HTTPS; over HTTP where it is this host's own.
package struct RemoteHost: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    /// What is sent.
    struct Request: Sendable {
        var method = HTTPMethod.GET
        var path: String
        var type: String?
        var length = 0
    }

    private static let connectTime = TimeAmount.seconds(10)
    /// Bytes of the text of a refusal.
    private static let mostOfProblem = 64 << 10

    package let address: RemoteAddress
    let token: String?
    /// Nil in the clear.
    let check: CertificateCheck?

    /// Asks for something.
    ///
    /// - Parameters:
    ///   - send: sends the body, as long as the request says.
    ///   - part: gets what is answered, as it comes. It is called for success only.
    /// - Throws: `RemoteFailure`, and what `send` and `part` throw.
    func exchange(
        _ request: Request, send: @Sendable (Outbound) async throws -> Void = { _ in },
        part: (ByteBuffer) async throws -> Void
    ) async throws {
        let connection = try await connect()
        try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(.head(head(of: request)))
            var parts = inbound.makeAsyncIterator()
            // One who refuses a file does not read it to its end.
            let sending: (any Error)?
            do {
                try await send(outbound)
                try await outbound.write(.end(nil))
                sending = nil
            } catch {
                sending = error
            }
            var status: Int?
            var problem: [UInt8] = []
            do {
                while let next = try await parts.next() {
                    switch next {
                    case .head(let head): status = Int(head.status.code)
                    case .body(let bytes) where status.map { (200...299).contains($0) } ?? false: try await part(bytes)
                    case .body(let bytes):
                        guard problem.count < Self.mostOfProblem else { continue }
                        problem.append(contentsOf: bytes.readableBytesView)
                    case .end:
                        if let status, (200...299).contains(status) { return }
                        throw RemoteFailure(status: status ?? 0, body: problem, from: address)
                    }
                }
            } catch let failure as HTTPParserError {
                throw RemoteFailure("\(address): this is not the service of Tutti: \(failure)")
            }
            throw sending ?? RemoteFailure("\(address): the connection broke off")
        }
    }

    /// The whole answer.
    ///
    /// - Throws: `RemoteFailure`.
    func bytes(_ request: Request, _ body: [UInt8] = []) async throws -> [UInt8] {
        var answer: [UInt8] = []
        try await exchange(request) { outbound in
            if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
        } part: {
            answer.append(contentsOf: $0.readableBytesView)
        }
        return answer
    }

    private func head(of request: Request) -> HTTPRequestHead {
        var headers = HTTPHeaders([("Host", "\(address)"), ("Connection", "close"), ("User-Agent", "tutti")])
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let type = request.type {
            headers.add(name: "Content-Type", value: type)
            headers.add(name: "Content-Length", value: "\(request.length)")
        }
        return HTTPRequestHead(version: .http1_1, method: request.method, uri: request.path, headers: headers)
    }

    private func connect() async throws -> Connection {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(Self.connectTime)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let check { try pipeline.addHandler(check.handler(serverName: address.serverName)) }
                        try pipeline.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw RemoteFailure(
                "cannot reach \(address): \(Self.text(error)); does `tutti serve --http` serve it to other hosts?")
        }
    }

    /// What went wrong with a connection, for people.
    private static func text(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError {
            if let first = error.connectionErrors.first { return text(first.error) }
            return "no host of this name"
        }
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if case ChannelError.connectTimeout? = error as? ChannelError { return "no answer in time" }
        return "\(error)"
    }
}
