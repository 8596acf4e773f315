package import NIOCore
import NIOPosix
package import TuttiMetrics

/// Serves figures over HTTP to whoever asks.
///
/// It has a thread of its own, and asks for the figures once a second at most, however many want them: what strangers do
/// here costs the music nothing. A connection gets one answer to one small request, and is closed then, or after five
/// seconds. Of too many connections the oldest goes.
package final class MetricsServer: Sendable {
    /// Connections at a time.
    static let mostConnections = 8
    /// Bytes of a request.
    static let mostBytes = 8 << 10
    /// How long a connection may last.
    static let deadline = TimeAmount.seconds(5)
    /// Where the figures are.
    static let path = "/metrics"

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    /// Where it listens.
    package let port: Int

    /// Listens.
    ///
    /// - Parameters:
    ///   - address: a numeric address or a name.
    ///   - figures: asks for the figures; they may come on any event loop, or never.
    /// - Throws: when the address is in use, or none of this host.
    package init(
        address: String, port: Int, figures: @escaping @Sendable () -> EventLoopFuture<MetricsText>
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            let door = try await loop.submit { NIOLoopBound(MetricsDoor(loop, figures), eventLoop: loop) }.get()
            channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.backlog, value: 16)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try door.value.open(channel) }
                }
                .bind(host: address, port: port).get()
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        self.group = group
        self.port = channel.localAddress?.port ?? port
    }

    /// Closes everything.
    package func stop() async {
        try? await channel.close()
        try? await group.shutdownGracefully()
    }
}
