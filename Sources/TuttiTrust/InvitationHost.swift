import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TuttiHost

/// Waits for the sender that was invited.
package final class InvitationHost: Sendable {
    /// What the other sender is to be told.
    package let invitation: Invitation
    private let channel: any Channel
    private let outcome: EventLoopPromise<String>

    /// Waits on a port of its own.
    ///
    /// - Parameter host: the address of this host that the invitation is to name.
    /// - Throws: `TrustError.noSigningKey`, `.refused` when no port can be had.
    package init(_ membership: Membership, host: String) throws(TrustError) {
        guard membership.canSign else { throw .noSigningKey }
        let context = try TLS.server(membership.node)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (outcome, sessions) = (loop.makePromise(of: String.self), Sessions())
        do {
            channel = try ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 4)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard sessions.begin(channel) else { throw TrustError.refused("too many connections") }
                        let peer = PeerCredential()
                        try channel.pipeline.syncOperations.addHandlers([
                            TLS.serverHandler(context, peer: peer),
                            JoinHandler(membership, sessions: sessions, peer: peer, outcome: outcome),
                        ])
                    }
                }
                .bind(host: "::", port: 0).wait()
        } catch {
            outcome.fail(error)
            throw .refused("cannot wait for the other sender: \(error)")
        }
        let invitation = Invitation(host: host, port: UInt16(clamping: channel.localAddress?.port ?? 0))
        sessions.invitation.withLock { $0 = invitation }
        self.invitation = invitation
        self.outcome = outcome
        loop.scheduleTask(in: .seconds(Int64(Invitation.lifetime))) {
            outcome.fail(TrustError.refused("nobody came; the invitation is over"))
        }
    }

    /// The name of the sender that has joined.
    ///
    /// - Throws: `TrustError.refused` when nobody came in time, or the code was wrong too often.
    package func wait() async throws(TrustError) -> String {
        defer { channel.close(promise: nil) }
        do {
            return try await outcome.futureResult.get()
        } catch let error as TrustError {
            throw error
        } catch {
            throw .refused(String(describing: error))
        }
    }

    /// What all connections have in common.
    final class Sessions: Sendable {
        let invitation = Mutex<Invitation?>(nil)
        private let wrong = Mutex(0)
        private let open = Mutex(0)

        /// Whether one more connection may be open; it has ten seconds then.
        func begin(_ channel: any Channel) -> Bool {
            let isFree = open.withLock { count in
                guard count < Invitation.connections else { return false }
                count += 1
                return true
            }
            guard isFree else { return false }
            let tooLate = channel.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in
                tooLate.cancel()
                self.open.withLock { $0 -= 1 }
            }
            return true
        }

        /// One more was wrong; whether that was the last one.
        func noteWrong() -> Bool {
            wrong.withLock { count in
                count += 1
                return count >= Invitation.attempts
            }
        }
    }
}

/// One connection of somebody who wants to join.
private final class JoinHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let membership: Membership
    private let sessions: InvitationHost.Sessions
    private let peer: PeerCredential
    private let outcome: EventLoopPromise<String>
    private var bytes: [UInt8] = []

    init(
        _ membership: Membership, sessions: InvitationHost.Sessions, peer: PeerCredential,
        outcome: EventLoopPromise<String>
    ) {
        (self.membership, self.sessions, self.peer, self.outcome) = (membership, sessions, peer, outcome)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytesView
        guard let id = peer.credential?.nodeID, let invitation = sessions.invitation.withLock({ $0 }) else {
            return context.close(promise: nil)
        }
        do throws(TrustError) {
            guard let request = try JoinLines.decode(bytes, as: JoinRequest.self) else { return }
            bytes = []
            let answer = membership.answer(request, from: id, to: invitation)
            let written = context.channel.writeAndFlush(ByteBuffer(bytes: JoinLines.encode(answer)))
            let (channel, outcome) = (context.channel, outcome)
            if let refusal = answer.refusal {
                if sessions.noteWrong() {
                    sessions.invitation.withLock { $0 = nil }
                    outcome.fail(TrustError.refused("\(refusal) three times; invite again"))
                }
                written.whenComplete { _ in channel.close(promise: nil) }
            } else {
                // Once is enough: nobody else may use it.
                sessions.invitation.withLock { $0 = nil }
                let name = request.shownName
                written.whenComplete { _ in
                    channel.close(promise: nil)
                    outcome.succeed(name)
                }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension MembershipFolder {
    /// Joins the household that has invited; what this sender had before is left.
    ///
    /// - Parameter name: what this sender is called.
    /// - Throws: `TrustError.refused` when nobody answers, or not as who has invited; nothing is changed then.
    package func join(_ invitation: Invitation, name: String) throws(TrustError) -> Membership {
        let node = try NodeKey.load(from: path)
        let socket = try connect(to: invitation, as: node)
        guard let inviter = socket.peerID else { throw .refused("the connection is not secured") }
        let request = JoinRequest(
            key: Array(node.privateKey.publicKey.derRepresentation), name: name,
            proof: invitation.secret.proof(by: .sender, speaker: inviter, sender: node.id, household: "join"))
        guard let answer = try ask(request, on: socket) else {
            throw .refused("no answer from \(invitation.host); is `tutti household invite` still waiting there?")
        }
        if let refusal = answer.refusal { throw .refused(refusal) }
        let proof = invitation.secret.proof(by: .speaker, speaker: inviter, sender: node.id, household: "join")
        guard answer.proof == proof, Credential(chain: answer.chain)?.nodeID == node.id else {
            throw .refused("who answers at \(invitation.host) is not who has invited")
        }
        var content = Membership.Content()
        let household = Credential(chain: answer.chain)?.householdKey ?? []
        content.take(answer.timeKeys.keys, answer.revocations, householdKey: household)
        return try found(nil, chain: answer.chain, node: node, content: content)
    }

    private func connect(to invitation: Invitation, as node: NodeKey) throws(TrustError) -> SpeakerSocket {
        let unreachable = TrustError.refused("nobody waits at \(invitation.host); is the code older than ten minutes?")
        let addresses = (try? TuttiHost.SocketAddress.resolve(host: invitation.host, port: invitation.port)) ?? []
        let context = try TLS.client(node)
        for address in addresses {
            if let socket = try? SpeakerSocket(address, context: context, timeoutNanoseconds: 3_000_000_000) {
                return socket
            }
        }
        throw unreachable
    }

    private func ask(_ request: JoinRequest, on socket: SpeakerSocket) throws(TrustError) -> JoinAnswer? {
        guard socket.send(JoinLines.encode(request)) else { return nil }
        var bytes: [UInt8] = []
        while let more = socket.receive(timeoutNanoseconds: 5_000_000_000), !more.isEmpty {
            bytes += more
            if let answer = try JoinLines.decode(bytes, as: JoinAnswer.self) { return answer }
        }
        return nil
    }
}
