import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import TuttiHost
import TuttiRooms
import TuttiSpeaker
import TuttiTrust
import TuttiWire

/// Somebody between a sender and a speaker, and what is of use to him of what he sees.
@Suite(.serialized) struct HandshakeTests {
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shake-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func membership(_ name: String, in folder: String) throws -> Membership {
        try MembershipFolder(stateDirectory: "\(folder)/\(name)").load(name: name)
    }

    private static func look(at port: UInt16, as trust: Membership) async -> Result<RoomLook, SenderError> {
        let address = RoomAddress(name: "kitchen", host: "127.0.0.1", port: port)
        return await Task.detached { () -> Result<RoomLook, SenderError> in
            Result { () throws(SenderError) in try RoomLook(at: address, as: trust, clock: HostClock()) }
        }.value
    }

    /// Somebody with a key of his own who answers as a speaker of this id, to whoever comes.
    private static func impostor(_ node: NodeKey, id: String) async throws -> any Channel {
        let context = try TLS.server(node)
        let welcome = Welcome(
            id: id, name: "kitchen", version: WireLimits.securedVersion, bufferSeconds: 9, bufferBytes: 1,
            codecs: ["flac"], device: "", deviceFormat: "")
        let words =
            ControlMessage.welcome(welcome).encodedFrame()
            + ControlMessage.status(SpeakerStatus(state: .idle, position: nil)).encodedFrame()
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        TLS.serverHandler(context, peer: PeerCredential()), Answer(words),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    @Test func aManInTheMiddleWithACertificateOfHisOwnIsNotBelieved() async throws {
        try await Self.withFolder { folder in
            let desk = try Self.membership("desk", in: folder)
            try await withSpeaker({ $0.claim = .first }) { service, _ in
                let met = try await Self.look(at: service.port, as: desk).get()
                desk.setPin(met.welcome.id, of: "kitchen")
                let own = NodeKey()
                for (id, words) in [(met.welcome.id, "than its key shows"), (own.id, "another speaker answers")] {
                    let impostor = try await Self.impostor(own, id: id)
                    let port = UInt16(clamping: impostor.localAddress?.port ?? 0)
                    guard case .failure(.roomRefused(_, let reason)) = await Self.look(at: port, as: desk) else {
                        Issue.record("an impostor is believed")
                        continue
                    }
                    #expect(reason.contains(words), "\(reason)")
                    try await impostor.close()
                }
            }
        }
    }

    @Test func aFirstMeetingIsSafeWithTheRoomsToken() async throws {
        try await Self.withFolder { folder in
            let desk = try Self.membership("desk", in: folder)
            try desk.setToken(ClaimToken(), of: "kitchen")
            let own = NodeKey()
            let impostor = try await Self.impostor(own, id: own.id)
            let port = UInt16(clamping: impostor.localAddress?.port ?? 0)
            guard case .failure(.roomRefused(_, let reason)) = await Self.look(at: port, as: desk) else {
                Issue.record("an impostor is believed")
                return
            }
            #expect(reason.contains("does not know the token"), "\(reason)")
            try await impostor.close()
        }
    }

    @Test func aCopiedCertificateIsOfNoUseWithoutItsKey() async throws {
        try await Self.withFolder { folder in
            let desk = try Self.membership("desk", in: folder)
            try await withSpeaker({ $0.claim = .first }) { service, configuration in
                func visit(_ context: NIOSSLContext) async -> [UInt8] {
                    let port = service.port
                    return await Task.detached { () -> [UInt8] in
                        guard let address = TuttiHost.SocketAddress(host: "127.0.0.1", port: port),
                            let socket = try? SpeakerSocket(
                                address, context: context, timeoutNanoseconds: 3_000_000_000)
                        else { return [] }
                        let hello = Hello(
                            role: .control, version: WireLimits.securedVersion, senderID: "x", senderName: "x",
                            stream: 1)
                        guard socket.send(ControlMessage.hello(hello).encodedFrame()) else { return [] }
                        return socket.receive(timeoutNanoseconds: 2_000_000_000) ?? []
                    }.value
                }
                let copied = try Self.context(desk.chain, signing: StrangeKey())
                #expect(await visit(copied).isEmpty)
                #expect(try SpeakerClaimFile(directory: configuration.stateDirectory).load() == nil)
                // The same with the right key is let in: so it was the key.
                #expect(await !visit(try TLS.client(desk.node, chain: desk.chain)).isEmpty)
                #expect(try SpeakerClaimFile(directory: configuration.stateDirectory).load() != nil)
            }
        }
    }

    private static func context(_ chain: [[UInt8]], signing key: StrangeKey) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
        configuration.privateKey = .privateKey(NIOSSLPrivateKey(customPrivateKey: key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["tutti/2"]
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([])
        return try NIOSSLContext(configuration: configuration)
    }

    @Test func aHandshakeThatWasRecordedClaimsNothing() async throws {
        try await Self.withFolder { folder in
            let desk = try Self.membership("desk", in: folder)
            try await withSpeaker({ $0.claim = .first }) { service, configuration in
                let proxy = try #require(TestProxy(to: service.port))
                let address = RoomAddress(name: "kitchen", host: "127.0.0.1", port: proxy.port)
                let identity = SenderIdentity(id: "desk", name: "desk", trust: desk)
                try await Task.detached {
                    try RoomVisit(address, identity: identity, clock: HostClock()).leave()
                }.value
                proxy.stop()
                let file = SpeakerClaimFile(directory: configuration.stateDirectory)
                #expect(try file.load()?.household == desk.household)
                try file.remove()
                try await Task.sleep(for: .milliseconds(1_500))
                // All that was said, on each connection, once more.
                let said = proxy.said
                #expect(said.count >= 2 && said.allSatisfy { $0.count > 500 && $0[0] == 0x16 })
                for bytes in said {
                    let port = service.port
                    let isSilent = await Task.detached { () -> Bool in
                        guard let connection = TestConnection(port: port) else { return false }
                        connection.send(bytes)
                        // What answers is TLS, and then the connection is closed: no message of the protocol.
                        return connection.receive() == nil
                    }.value
                    #expect(isSilent)
                }
                #expect(try file.load() == nil)
            }
        }
    }
}

/// Says the same to whoever says anything.
private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let words: [UInt8]

    init(_ words: [UInt8]) { self.words = words }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.channel.writeAndFlush(ByteBuffer(bytes: words), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// A key that signs for a certificate that is not its own.
private struct StrangeKey: NIOSSLCustomPrivateKey, Hashable {
    private let key = P256.Signing.PrivateKey()

    let signatureAlgorithms: [SignatureAlgorithm] = [.ecdsaSecp256R1Sha256]
    let derBytes: [UInt8] = []

    func sign(channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeCompletedFuture {
            ByteBuffer(bytes: try key.signature(for: Data(data.readableBytesView)).derRepresentation)
        }
    }

    func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    static func == (left: StrangeKey, right: StrangeKey) -> Bool {
        left.key.rawRepresentation == right.key.rawRepresentation
    }

    func hash(into hasher: inout Hasher) { hasher.combine(key.rawRepresentation) }
}
