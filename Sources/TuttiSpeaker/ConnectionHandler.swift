import NIOCore
import TuttiWire

/// Hands the bytes of one TCP connection to the controller.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let controller: SpeakerController
    private var connection: ConnectionID?

    init(controller: SpeakerController) { self.controller = controller }

    func channelActive(context: ChannelHandlerContext) {
        connection = controller.opened(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let connection else { return }
        controller.received([UInt8](unwrapInboundIn(data).readableBytesView), on: connection)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let connection { controller.closed(connection) }
        connection = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
