import Dispatch
import Glibc
import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization
import TuttiCore
package import TuttiHost

/// A connection to a speaker for programs that ask one thing and end: calls block, with time limits, and must not be
/// made on an event loop.
package final class SpeakerSocket: Sendable {
    /// Bytes of a segment that every network carries: where large packets get lost, a handshake would too.
    private static let segment: SocketOptionValue = 536

    private let channel: any Channel
    private let inbox: Inbox
    /// The id of the speaker's key; nil where the connection is not secured.
    package let peerID: String?
    /// Who is at the other end: what was connected to. The kernel does not know it any more when the other end has gone,
    /// and a speaker hangs up once it has answered.
    package let peer: TuttiHost.SocketAddress

    /// Connects, and secures the connection for a sender that has a household; in the clear for one that has none.
    package convenience init(
        _ address: TuttiHost.SocketAddress, as membership: Membership?, timeoutNanoseconds: Int64
    ) throws(HostError) {
        try self.init(address, context: membership?.context, timeoutNanoseconds: timeoutNanoseconds)
    }

    /// Connects, and secures the connection with `context`; nil for one in the clear.
    ///
    /// - Throws: `HostError.system`, with `ECONNREFUSED` where nobody listens, `ETIMEDOUT` after the time, and `EPROTO`
    ///   where the other side does not secure the connection.
    package init(
        _ address: TuttiHost.SocketAddress, context: NIOSSLContext?, timeoutNanoseconds: Int64
    ) throws(HostError) {
        let inbox = Inbox()
        do {
            let address = try NIOCore.SocketAddress(ipAddress: address.host, port: Int(address.port))
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.nanoseconds(timeoutNanoseconds))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.tcpOption(.init(rawValue: TCP_MAXSEG)), value: Self.segment)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(InboxHandler(inbox))
                    }
                }
            let connected = bootstrap.connect(to: address).flatMap { channel in
                TLS.secure(channel, context).map { (channel, $0) }
            }
            (channel, peerID) = try connected.wait()
        } catch {
            throw .system(action: "connect to \(address)", code: Self.code(error))
        }
        self.inbox = inbox
        peer = address
    }

    deinit { channel.close(promise: nil) }

    private static func code(_ error: any Error) -> Int32 {
        switch error {
        case let error as IOError: error.errnoCode
        case HandshakeError.tookTooLong: ETIMEDOUT
        case is HandshakeError: EPROTO
        case ChannelError.connectTimeout: ETIMEDOUT
        case let error as NIOConnectionError: error.connectionErrors.last.map { code($0.error) } ?? EHOSTUNREACH
        default: EHOSTUNREACH
        }
    }

    /// Sends everything; false when the other side is gone or takes nothing for two seconds.
    package func send(_ bytes: [UInt8]) -> Bool {
        let written = channel.writeAndFlush(ByteBuffer(bytes: bytes))
        let tooLate = channel.eventLoop.scheduleTask(in: .seconds(2)) { [channel] in channel.close(promise: nil) }
        defer { tooLate.cancel() }
        return (try? written.wait()) != nil
    }

    /// What has come: nil after the timeout, empty when the other side is gone.
    package func receive(timeoutNanoseconds: Int64) -> [UInt8]? { inbox.take(timeoutNanoseconds: timeoutNanoseconds) }

    /// Sends a question, and hands what comes to `read` until that makes an answer of it.
    ///
    /// - Returns: the answer; nil when there was none in time, or the other side went away.
    /// - Throws: what `read` throws.
    package func answer<Answer, Fault: Error>(
        to question: [UInt8], withinNanoseconds patience: Int64, clock: HostClock,
        read: ([UInt8]) throws(Fault) -> Answer?
    ) throws(Fault) -> Answer? {
        guard send(question) else { return nil }
        let deadline = clock.now().advanced(byNanoseconds: patience)
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0, let bytes = receive(timeoutNanoseconds: left), !bytes.isEmpty else { return nil }
            if let answer = try read(bytes) { return answer }
        }
    }
}

/// What has come on a connection and was not taken yet.
private final class Inbox: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
    }

    /// Bytes beyond which nobody would have asked for that much.
    private static let limit = 1 << 20

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    /// - Returns: whether there is room for more.
    func put(_ bytes: [UInt8]) -> Bool {
        defer { news.signal() }
        return state.withLock { state in
            guard state.bytes.count + bytes.count <= Self.limit else {
                state.isOver = true
                return false
            }
            state.bytes += bytes
            return true
        }
    }

    func end() {
        state.withLock { $0.isOver = true }
        news.signal()
    }

    func take(timeoutNanoseconds: Int64) -> [UInt8]? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeoutNanoseconds))
        while true {
            let found: [UInt8]? = state.withLock { state in
                guard !state.bytes.isEmpty || state.isOver else { return nil }
                defer { state.bytes = [] }
                return state.bytes
            }
            if let found { return found }
            if news.wait(timeout: deadline) == .timedOut { return nil }
        }
    }
}

private final class InboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox

    init(_ inbox: Inbox) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !inbox.put([UInt8](unwrapInboundIn(data).readableBytesView)) { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { inbox.end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
