import CLinux
import Glibc
package import NIOCore
import NIOPosix
import TuttiCore

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
    /// Connects, in segments so short that every network carries them if `inShortSegments`; `sink` is called on `loop`, with `.closed`
    /// once and last.
    func connect(
        host: String, port: UInt16, on loop: any EventLoop, timeout: TimeAmount, inShortSegments: Bool,
        sink: @escaping @Sendable (TransportEvent) -> Void
    ) -> EventLoopFuture<any Channel>
}

/// Plain TCP.
struct TCPTransport: Transport {
    /// Bytes per second at which the kernel sends at most (64 Mbit/s: five minutes of FLAC in about four seconds). As fast
    /// as a link goes, packets queue in front of every switch, and the clock's replies that travel the same way wait with
    /// them while its requests do not: that moves a clock that is only just being learned by tens of microseconds.
    private static let pace: SocketOptionValue = 8_000_000
    /// Bytes per second while a room is to have something else at once: half a minute of FLAC in a fifth of a second.
    private static let haste: SocketOptionValue = 40_000_000
    /// How long that lasts: as short as a few exchanges with a clock that is known are apart.
    private static let hasteTime = TimeAmount.milliseconds(300)
    /// Bytes that may wait in the kernel, and in the channel, to be sent: what is sent when rooms drop what they hold and
    /// have something else at once waits behind them.
    private static let unsent: SocketOptionValue = 64 * 1024
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 64 * 1024, high: 192 * 1024)

    /// Bytes of a segment for networks that lose large packets without a word: what any that carries IP carries.
    private static let shortSegment: SocketOptionValue = 536

    /// Sends as fast as `haste` for a moment.
    static func hasten(_ channel: any Channel) {
        setPace(Int(haste), of: channel)
        channel.eventLoop.scheduleTask(in: hasteTime) { setPace(nil, of: channel) }
    }

    /// Sends so many bytes a second at most; the usual when nil.
    static func setPace(_ bytes: Int?, of channel: any Channel) {
        let pace = bytes.map { SocketOptionValue(clamping: $0) } ?? Self.pace
        // A channel that is closed meanwhile needs none.
        _ = channel.setOption(.socketOption(.init(rawValue: SO_MAX_PACING_RATE)), value: pace)
    }

    /// What the kernel says of a connection; nil where it is none of the kernel's.
    static func look(at channel: any Channel, now: HostTime) -> EventLoopFuture<LinkPace.Look>? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        let told: EventLoopFuture<tutti_tcp_info> = options.unsafeGetSocketOption(
            level: .tcp, name: .init(rawValue: TCP_INFO))
        return told.map { info in
            LinkPace.Look(
                now: now, arrived: info.bytes_acked, underway: Int(info.unacked) * Int(info.snd_mss),
                roundTrip: Int64(info.rtt) * 1_000, leastRoundTrip: Int64(info.min_rtt) * 1_000,
                isCrowded: info.notsent_bytes > 0)
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
            .channelInitializer { $0.pipeline.addHandler(ConnectionHandler(sink: sink)) }
        guard inShortSegments else { return bootstrap.connect(host: host, port: Int(port)) }
        // Set before the connection is made it holds for both directions.
        return bootstrap.channelOption(.tcpOption(.init(rawValue: TCP_MAXSEG)), value: Self.shortSegment)
            .connect(host: host, port: Int(port))
    }
}
