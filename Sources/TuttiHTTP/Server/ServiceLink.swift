import NIOCore
import NIOPosix
package import TuttiSchema

/// Asks the service at its control socket, each time over a connection of its own.
package struct ServiceLink: ServiceAnswering {
    /// Where the socket is.
    package let path: String

    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The longest line of an answer: a queue may be long.
    static let longestLine = 64 << 20

    /// The service behind a socket.
    package init(path: String) { self.path = path }

    package func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse {
        let line: [UInt8]?
        do {
            line = try await firstLine(for: request)
        } catch {
            throw unavailable
        }
        guard let line, let response: ControlResponse = JSONLine.decode(line) else { throw unavailable }
        return response
    }

    private func firstLine(for request: ControlRequest) async throws -> [UInt8]? {
        let connection = try await connect()
        let limit = TimeAmount.seconds(Int64(request.patience))
        let timeout = connection.channel.eventLoop.scheduleTask(in: limit) { [channel = connection.channel] in
            channel.close(promise: nil)
        }
        defer { timeout.cancel() }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(Self.line(request))
            var pending: [UInt8] = []
            for try await buffer in inbound {
                let view = buffer.readableBytesView
                if let end = view.firstIndex(of: UInt8(ascii: "\n")) { return pending + view[..<end] }
                pending.append(contentsOf: view)
                guard pending.count < Self.longestLine else { return nil }
            }
            return nil
        }
    }

    /// A connection to the service.
    func connect() async throws -> Connection {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(5))
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
    }

    /// A line of the socket.
    static func line(_ value: some Encodable) -> ByteBuffer {
        ByteBuffer(bytes: JSONLine.encode(value) + [UInt8(ascii: "\n")])
    }

    /// What is answered in place of a service that is not there.
    var noAnswer: ControlResponse { ControlResponse(error: unavailable.detail, exitCode: 1) }

    private var unavailable: Problem {
        var problem = Problem(.unavailable, "the service does not answer; see whether `tutti serve` runs")
        problem.retryAfter = 1
        return problem
    }
}
