package import NIOCore
package import NIOSSL
import NIOTLS

/// Why a connection could not be secured.
package enum HandshakeError: Error, Sendable, Equatable {
    /// The other side hung up, or said what is no TLS.
    case failed(String)
    /// The other side has not finished in time.
    case tookTooLong
}

extension HandshakeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let reason): reason
        case .tookTooLong: "the handshake took too long"
        }
    }
}

extension TLS {
    /// What a handshake may take: a sender that begins with hundreds of rooms has hundreds at once.
    private static let timeout = TimeAmount.seconds(8)

    /// Secures a connection that has just been made, before anything is said on it; leaves it in the clear without a
    /// context.
    ///
    /// - Returns: the id of the node at the other end; nil in the clear. Fails with `HandshakeError`, or what NIO says;
    ///   the channel is closed then.
    package static func secure(_ channel: any Channel, _ context: NIOSSLContext?) -> EventLoopFuture<String?> {
        guard let context else { return channel.eventLoop.makeSucceededFuture(nil) }
        let peer = PeerCredential()
        let done = channel.eventLoop.makePromise(of: String.self)
        do {
            let handler = try TLS.clientHandler(context, peer: peer)
            try channel.pipeline.syncOperations.addHandlers(
                [handler, HandshakeWatch(peer: peer, done: done)], position: .first)
        } catch {
            done.fail(error)
        }
        let tooLate = channel.eventLoop.scheduleTask(in: timeout) { done.fail(HandshakeError.tookTooLong) }
        done.futureResult.whenComplete { result in
            tooLate.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        return done.futureResult.map(Optional.some)
    }
}

/// Waits for the end of a handshake.
private final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let peer: PeerCredential
    private var done: EventLoopPromise<String>?

    init(peer: PeerCredential, done: EventLoopPromise<String>) { (self.peer, self.done) = (peer, done) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, let id = peer.credential?.nodeID { settle(.success(id)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        settle(.failure(.failed("its answer is not that of a speaker with a secured connection")))
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        settle(.failure(.failed("it hung up instead of securing the connection")))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { settle(.failure(.failed("the connection was closed"))) }

    private func settle(_ result: Result<String, HandshakeError>) {
        done?.completeWith(result.mapError { $0 })
        done = nil
    }
}
