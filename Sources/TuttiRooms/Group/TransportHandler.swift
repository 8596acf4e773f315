import NIOCore

/// Hands a connection's events to a closure.
final class TransportHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let sink: @Sendable (TransportEvent) -> Void

    init(sink: @escaping @Sendable (TransportEvent) -> Void) { self.sink = sink }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        sink(.received(buffer.readBytes(length: buffer.readableBytes) ?? []))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        sink(.writability(context.channel.isWritable))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        sink(.closed(reason: "the connection was closed"))
    }
}
