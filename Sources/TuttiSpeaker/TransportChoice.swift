package import NIOCore
package import NIOSSL
import TuttiTrust

extension SpeakerController {
    /// Serves a connection that was accepted, in the clear or secured with `context`.
    ///
    /// - Parameter onReceive: called after what has come was taken.
    package func serve(
        _ channel: any Channel, _ context: NIOSSLContext, onReceive: @escaping () -> Void = {}
    ) throws {
        let peer = PeerCredential()
        let choice = TransportChoice(context, peer: peer) { self.allowsHandshake(on: channel) }
        try channel.pipeline.syncOperations.addHandlers(
            [choice, ConnectionHandler(controller: self, peer: peer, onReceive: onReceive)])
    }
}

/// The first handler of a connection: secures it where the other side begins with a handshake, and lets what is said in
/// the clear through otherwise, which the speaker answers as it admits.
final class TransportChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The type of a TLS record that holds a handshake (RFC 8446, §5.1). No frame of this protocol begins with it:
    /// frames are too short for such a length.
    private static let handshake: UInt8 = 0x16

    private let context: NIOSSLContext
    private let peer: PeerCredential
    private let allows: () -> Bool

    /// - Parameter allows: asked before a handshake begins.
    init(_ context: NIOSSLContext, peer: PeerCredential, allows: @escaping () -> Bool) {
        self.context = context
        self.peer = peer
        self.allows = allows
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        if first == Self.handshake {
            guard allows() else { return context.close(promise: nil) }
            let handler = TLS.serverHandler(self.context, peer: peer)
            do {
                try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
            } catch {
                return context.close(promise: nil)
            }
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
