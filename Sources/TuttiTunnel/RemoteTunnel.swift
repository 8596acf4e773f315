import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import TuttiSchema

/// A control socket of this process's own, whose requests another host's service answers: commands that talk to a
/// service here work there.
package struct RemoteTunnel: Sendable {
    private typealias Local = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private typealias Listener = NIOAsyncChannel<any Channel, Never>

    private let host: RemoteHost
    private let listener: Listener

    /// Listens.
    ///
    /// - Parameter path: where the socket is to be: in a folder that is this user's alone.
    /// - Throws: `RemoteFailure`.
    package init(to host: RemoteHost, path: String) async throws {
        self.host = host
        do {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // As the service's own socket does: an asynchronous channel that is let go unused ends the process.
                .childChannelOption(.autoRead, value: false)
                .bind(unixDomainSocketPath: path) { $0.eventLoop.makeSucceededFuture($0) }
        } catch {
            throw RemoteFailure("cannot make a socket at \(path): \(error)")
        }
    }

    /// Carries requests until the task is cancelled.
    package func run() async {
        try? await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections { group.addTask { await serve(connection) } }
            }
        }
    }

    private func serve(_ channel: any Channel) async {
        do {
            let connection = try await channel.eventLoop.submit { try Local(wrappingChannelSynchronously: channel) }
                .get()
            try await serve(connection)
        } catch {
            channel.close(promise: nil)
        }
    }

    private func serve(_ connection: Local) async throws {
        try await connection.executeThenClose { inbound, outbound in
            try await connection.channel.setOption(.autoRead, value: true).get()
            var pending: [UInt8] = []
            for try await buffer in inbound {
                pending.append(contentsOf: buffer.readableBytesView)
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(pending[..<end])
                    pending.removeFirst(end + 1)
                    guard try await carry(line, to: outbound) else { return }
                }
                guard pending.count <= ControlRequest.limit else { return }
            }
        }
    }

    /// - Returns: whether the connection is to be kept.
    private func carry(_ line: [UInt8], to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Bool {
        var lines = 0
        var isAtStart = true
        do {
            let request = RemoteHost.Request(
                method: .POST, path: "/api/v1/control", type: "application/json", length: line.count)
            try await host.exchange(request) { sink in
                try await sink.write(.body(.byteBuffer(ByteBuffer(bytes: line))))
            } part: { part in
                // Empty lines show that the connection lives.
                var kept = ByteBuffer()
                for byte in part.readableBytesView {
                    let isEnd = byte == UInt8(ascii: "\n")
                    if isEnd, isAtStart { continue }
                    kept.writeInteger(byte)
                    isAtStart = isEnd
                    if isEnd { lines += 1 }
                }
                if kept.readableBytes > 0 { try await outbound.write(kept) }
            }
        } catch {
            guard lines == 0 else { return false }
            let failure =
                error as? RemoteFailure ?? RemoteFailure("\(host.address): the connection broke off: \(error)")
            try await outbound.write(ByteBuffer(bytes: JSONLine.encode(failure.response) + [UInt8(ascii: "\n")]))
            return true
        }
        // After events it is over.
        return lines == 1
    }
}
