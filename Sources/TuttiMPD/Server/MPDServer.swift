import Dispatch
package import Logging
import NIOCore
import NIOPosix
import Synchronization
import TuttiHost

/// Listens for clients of MPD's protocol.
package final class MPDServer: Sendable {
    /// Commands that are carried out at a time: one that waits for a room holds up its own client only. Those that
    /// only look at what is known never wait for such ones, nor for those with long answers, whose clients may be slow.
    private static let (runners, readers, listers) = (8, 2, 4)

    private let commander: MPDCommander
    private let logger: Logger
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let pool = NIOThreadPool(numberOfThreads: MPDServer.runners)
    private let quickPool = NIOThreadPool(numberOfThreads: MPDServer.readers)
    private let slowPool = NIOThreadPool(numberOfThreads: MPDServer.listers)
    private let clients = Mutex<(next: UInt64, channels: [UInt64: any Channel])>((1, [:]))

    package init(_ commander: MPDCommander, logger: Logger) { (self.commander, self.logger) = (commander, logger) }

    /// Begins to listen.
    ///
    /// - Parameter port: 0 for one that is free.
    /// - Returns: the port.
    /// - Throws: that the address is in use, or no address of this host.
    @discardableResult
    package func start(address: String, port: Int) async throws -> Int {
        pool.start()
        quickPool.start()
        slowPool.start()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in self.take(channel) }
        let channel = try await bootstrap.bind(host: address, port: port).get()
        let place = channel.localAddress.map { "\($0.ipAddress ?? ""):\($0.port ?? 0)" } ?? ""
        logger.info("serving MPD's protocol", metadata: ["at": "\(place)"])
        return channel.localAddress?.port ?? port
    }

    /// Tells all clients whom it concerns of changes.
    package func tell(_ changes: [MPDChange]) {
        for channel in clients.withLock({ Array($0.channels.values) }) {
            channel.eventLoop.execute {
                for change in changes { channel.pipeline.fireUserInboundEventTriggered(change) }
            }
        }
    }

    private func take(_ channel: any Channel) -> EventLoopFuture<Void> {
        let number: UInt64? = clients.withLock { clients in
            guard clients.channels.count < MPDLimits.clients else { return nil }
            defer { clients.next += 1 }
            clients.channels[clients.next] = channel
            return clients.next
        }
        guard let number else { return channel.close() }
        channel.closeFuture.whenComplete { _ in
            self.clients.withLock { _ = $0.channels.removeValue(forKey: number) }
            self.commander.hub.leave(number)
        }
        let client = MPDClient(number: number, permissions: commander.passwords.withoutPassword)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(MPDChannelHandler(client) { job in self.run(job, channel) })
        }
    }

    /// Carries out a job away from the event loop.
    private func run(_ job: MPDJob, _ channel: any Channel) -> EventLoopFuture<MPDOutcome> {
        let pool = job.isQuick ? quickPool : job.onlyLooks ? slowPool : pool
        return pool.runIfActive(eventLoop: channel.eventLoop) { [commander] in
            commander.run(job) { piece in Self.send(piece, channel) }
        }.map { outcome in
            self.tell(outcome.changes)
            return outcome
        }
    }

    /// Sends a piece of a long answer, and waits until the client has taken it.
    ///
    /// - Returns: false when it does not.
    private static func send(_ piece: [UInt8], _ channel: any Channel) -> Bool {
        let sent = Sent()
        channel.writeAndFlush(ByteBuffer(bytes: piece)).whenComplete { sent.finish($0) }
        if sent.wait(seconds: MPDLimits.slowness) { return true }
        channel.close(promise: nil)
        return false
    }
}

/// Whether something was sent, for a thread that waits for it.
private final class Sent: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let isDone = Mutex(false)

    func finish(_ result: Result<Void, any Error>) {
        if case .success = result { isDone.withLock { $0 = true } }
        isOver.signal()
    }

    func wait(seconds: Int) -> Bool {
        guard isOver.wait(timeout: .now() + .seconds(seconds)) == .success else { return false }
        return isDone.withLock { $0 }
    }
}
