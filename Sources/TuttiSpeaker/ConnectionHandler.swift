import NIOCore
import NIOTLS
import TuttiTrust
import TuttiWire

/// Hands the bytes of one TCP connection to the controller.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let controller: SpeakerController
    private let peer: PeerCredential
    private let onReceive: () -> Void
    private var connection: ConnectionID?

    /// - Parameters:
    ///   - peer: who is at the other end, once the connection is secured.
    ///   - onReceive: called after what has come was taken.
    init(controller: SpeakerController, peer: PeerCredential, onReceive: @escaping () -> Void) {
        (self.controller, self.peer, self.onReceive) = (controller, peer, onReceive)
    }

    func channelActive(context: ChannelHandlerContext) {
        connection = controller.opened(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let connection else { return }
        controller.received([UInt8](unwrapInboundIn(data).readableBytesView), on: connection)
        onReceive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, let connection, let credential = peer.credential {
            controller.identified(connection, credential)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let connection { controller.closed(connection) }
        connection = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
