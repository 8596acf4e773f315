import NIOCore

/// Closes a connection on which more comes than a small request.
final class RequestSizeLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var bytes = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        guard bytes <= MetricsServer.mostBytes else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
