import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import TuttiSchema

/// What a connection has to be done with in time: its TLS handshake, and the head of each request from its first byte
/// on. Whoever sends a byte now and then holds no place for longer.
enum ConnectionDeadlines {
    static let patience = TimeAmount.seconds(10)

    fileprivate static func close(_ channel: any Channel) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
}

/// A server's connections, whose TLS handshakes have a deadline.
struct HandshakeDeadline<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let value = base.setup(channel: channel, logger: logger)
        do {
            let operations = channel.pipeline.syncOperations
            let tls = try operations.handler(type: NIOSSLServerHandler.self)
            try operations.addHandler(HandshakeWatch(), position: .after(tls))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return value
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

private final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private var deadline: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) { deadline = ConnectionDeadlines.close(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { deadline?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Puts the watch of request heads around the HTTP/1 decoder of a connection; streams of HTTP/2 have none.
final class HeadWatchInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let operations = context.pipeline.syncOperations
        guard let decoder = try? operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        let parts = HeadWatch()
        try? operations.addHandler(parts, position: .after(decoder))
        try? operations.addHandler(HeadBytes(parts), position: .before(decoder))
    }
}

/// Sees the bytes before they are decoded.
private final class HeadBytes: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let watch: HeadWatch

    init(_ watch: HeadWatch) { self.watch = watch }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        watch.bytesCame(on: context.channel)
        context.fireChannelRead(data)
    }
}

/// Sees what they are decoded to. It also gives the answer to what is no HTTP a body that says so.
private final class HeadWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let problem = JSONLine.encode(
        Problem(.malformed, "this is no HTTP, or has more header fields than are read here").document)

    private var deadline: Scheduled<Void>?
    /// Whether a head has come whose request has not ended.
    private var isInRequest = false

    func bytesCame(on channel: any Channel) {
        if !isInRequest, deadline == nil { deadline = ConnectionDeadlines.close(channel) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isInRequest = true
            deadline?.cancel()
            deadline = nil
        case .body: break
        case .end: isInRequest = false
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            !head.headers.contains(name: "content-type")
        else { return context.write(data, promise: promise) }
        head.headers.replaceOrAdd(name: "content-length", value: "\(Self.problem.count)")
        head.headers.add(name: "content-type", value: "application/problem+json")
        head.headers.add(name: "x-content-type-options", value: "nosniff")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: Self.problem)))), promise: nil)
    }
}
