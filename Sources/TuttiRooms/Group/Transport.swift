import CLinux
import Glibc
package import NIOCore
import NIOPosix
package import TuttiCore

/// What happens on one connection to a speaker.
package enum TransportEvent: Sendable {
    /// Bytes have come.
    case received([UInt8])
    /// There is room to write again, or none.
    case writability(Bool)
    /// The connection is over.
    case closed(reason: String)
}

/// How connections to speakers are made: the seam where a secured transport takes the place of plain TCP.
package protocol Transport: Sendable {
    /// Connects, in segments so short that every network carries them if `inShortSegments`; `sink` is called on `loop`,
    /// with `.closed` once and last.
    func connect(
        host: String, port: UInt16, on loop: any EventLoop, timeout: TimeAmount, inShortSegments: Bool,
        sink: @escaping @Sendable (TransportEvent) -> Void
    ) -> EventLoopFuture<any Channel>

    /// Has a connection that was made by this transport send so many bytes a second at most.
    func setPace(_ bytes: Double, of channel: any Channel)

    /// Has the network carry what is said on a connection before what can wait, where it honours that.
    func prefer(_ channel: any Channel)

    /// What is known of a connection that was made by this transport; nil where nothing is.
    ///
    /// - Parameter pace: bytes a second that it may send at most.
    func look(at channel: any Channel, pace: Double, now: HostTime) -> EventLoopFuture<LinkPace.Look>?
}

/// Plain TCP.
struct TCPTransport: Transport {
    /// Bytes per second at which the kernel sends at most before anything else is said.
    private static let pace = SocketOptionValue(LinkPace.usualMost)
    /// Bytes that may wait in the kernel, and in the channel, to be sent: what is sent when rooms drop what they hold
    /// and have something else at once waits behind them.
    private static let unsent: SocketOptionValue = 64 * 1024
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 64 * 1024, high: 192 * 1024)

    /// Bytes of a segment for networks that lose large packets without a word: what any that carries IP carries.
    private static let shortSegment: SocketOptionValue = 536

    /// The class of a connection's packets: signalling, CS5 (RFC 4594), which access points with WMM send before music
    /// and downloads.
    private static let signalling: SocketOptionValue = 0xA0

    func prefer(_ channel: any Channel) {
        // A network that does not know classes needs none, and a channel that is closed meanwhile neither.
        let isIPv6 = channel.remoteAddress?.protocol == .inet6
        let level: NIOBSDSocket.OptionLevel = isIPv6 ? .ipv6 : .ip
        let name = NIOBSDSocket.Option(rawValue: isIPv6 ? IPV6_TCLASS : IP_TOS)
        _ = channel.setOption(ChannelOptions.Types.SocketOption(level: level, name: name), value: Self.signalling)
        _ = channel.setOption(.socketOption(.init(rawValue: SO_PRIORITY)), value: Self.priority)
    }

    /// The same for this host's own queues; the highest that needs no privilege is 6, which is the clock's.
    private static let priority: SocketOptionValue = 5

    func setPace(_ bytes: Double, of channel: any Channel) {
        // A channel that is closed meanwhile needs none.
        _ = channel.setOption(
            .socketOption(.init(rawValue: SO_MAX_PACING_RATE)), value: SocketOptionValue(clamping: Int(bytes)))
    }

    func look(at channel: any Channel, pace: Double, now: HostTime) -> EventLoopFuture<LinkPace.Look>? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        let told: EventLoopFuture<tutti_tcp_info> = options.unsafeGetSocketOption(
            level: .tcp, name: .init(rawValue: TCP_INFO))
        return told.map { info in
            LinkPace.Look(
                now: now, arrived: info.bytes_acked, underway: Int(info.unacked) * Int(info.snd_mss),
                roundTrip: Int64(info.rtt) * 1_000, leastRoundTrip: Int64(info.min_rtt) * 1_000,
                isCrowded: info.notsent_bytes > 0, pace: pace)
        }
    }

    /// What is waiting to be sent is not sent any more when the connection closes.
    static func abandon(_ channel: any Channel) {
        guard let options = channel as? any SocketOptionProvider else { return }
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    func connect(
        host: String, port: UInt16, on loop: any EventLoop, timeout: TimeAmount, inShortSegments: Bool,
        sink: @escaping @Sendable (TransportEvent) -> Void
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.init(rawValue: SO_MAX_PACING_RATE)), value: Self.pace)
            .channelOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsent)
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .channelInitializer { $0.pipeline.addHandler(TransportHandler(sink: sink)) }
        guard inShortSegments else { return bootstrap.connect(host: host, port: Int(port)) }
        // Set before the connection is made it holds for both directions.
        return bootstrap.channelOption(.tcpOption(.init(rawValue: TCP_MAXSEG)), value: Self.shortSegment)
            .connect(host: host, port: Int(port))
    }
}
