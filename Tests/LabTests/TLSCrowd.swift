import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TuttiLab
import TuttiTrust
import TuttiWire

/// Connections to one speaker that speak TLS and have no business there: so many at a time, and each that is closed is
/// opened again.
struct TLSCrowd: Sendable {
    /// What a connection shows.
    enum Kind: CaseIterable, Sendable {
        /// No certificate.
        case nameless
        /// The certificate of another household, and then what its sender says first.
        case stranger
    }

    /// What came of it.
    struct Figures: Sendable {
        /// Connections that were made, and those of them that the speaker closed.
        var (opened, closed) = (0, 0)
    }

    /// Connections at a time, as many of each kind.
    let count: Int
    /// A sender of another household.
    let membership: Membership

    private static let pause = TimeAmount.milliseconds(500)

    /// Begins on a host of a lab, against a speaker on another.
    func begin(
        on host: String, of hosts: LabHosts, against target: String, port: UInt16, seconds: Double
    ) throws -> HostErrand<Figures> {
        let address = try hosts.address(of: target)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["tutti/2"]
        configuration.certificateVerification = .none
        let nameless = try NIOSSLContext(configuration: configuration)
        return HostErrand(in: hosts.namespace(of: host)) { () throws(LabError) -> Figures in
            // Its thread is on that host, as the one that makes it.
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let run = Run(to: address, port: port, group.next(), crowd: self, nameless: nameless)
            run.begin()
            Thread.sleep(forTimeInterval: seconds)
            run.isOver.withLock { $0 = true }
            try? group.syncShutdownGracefully()
            return run.figures.withLock { $0 }
        }
    }

    private final class Run: Sendable {
        let figures = Mutex(Figures())
        let isOver = Mutex(false)
        private let (address, port): (String, UInt16)
        private let loop: any EventLoop
        private let crowd: TLSCrowd
        private let nameless: NIOSSLContext

        init(to address: String, port: UInt16, _ loop: any EventLoop, crowd: TLSCrowd, nameless: NIOSSLContext) {
            (self.address, self.port, self.loop) = (address, port, loop)
            (self.crowd, self.nameless) = (crowd, nameless)
        }

        func begin() {
            for number in 0..<crowd.count { open(Kind.allCases[number % Kind.allCases.count]) }
        }

        private func open(_ kind: Kind) {
            guard !isOver.withLock({ $0 }) else { return }
            let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(3)).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers = channel.pipeline.syncOperations
                    switch kind {
                    case .nameless:
                        try handlers.addHandler(NIOSSLClientHandler(context: self.nameless, serverHostname: nil))
                    case .stranger:
                        let peer = PeerCredential()
                        try handlers.addHandler(TLS.clientHandler(self.crowd.membership.context, peer: peer))
                    }
                    try handlers.addHandler(Greeting())
                }
            }
            bootstrap.connect(host: address, port: Int(port)).whenComplete { result in
                guard case .success(let channel) = result else { return self.again(kind) }
                self.figures.withLock { $0.opened += 1 }
                channel.closeFuture.whenComplete { _ in
                    self.figures.withLock { $0.closed += 1 }
                    self.again(kind)
                }
            }
        }

        private func again(_ kind: Kind) {
            guard !isOver.withLock({ $0 }) else { return }
            loop.scheduleTask(in: TLSCrowd.pause) { self.open(kind) }
        }
    }

    /// Says hello as a sender does, once the connection is secured, and hears no answer out.
    private final class Greeting: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            let hello = Hello(
                role: .control, version: WireLimits.securedVersion, senderID: "stranger", senderName: "stranger",
                stream: 1)
            let bytes = ByteBuffer(bytes: ControlMessage.hello(hello).encodedFrame())
            context.channel.writeAndFlush(bytes, promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
