import NIOCore
import TuttiCore
import TuttiRooms
import TuttiSender

/// One end of a connection, as the programs see it.
final class VirtualChannel: Channel, @unchecked Sendable {
    /// What happens on it.
    enum Event {
        case received([UInt8])
        case writability(Bool)
        case closed
    }

    let eventLoop: any EventLoop
    let closeFuture: EventLoopFuture<Void>
    let localAddress: SocketAddress?
    let remoteAddress: SocketAddress?
    /// The address of the other end, as text.
    let remoteHost: String
    /// Bytes that wait here or are on their way.
    private(set) var pending = 0
    private(set) var isWritable = true
    /// Whether this end is closed, by whomever.
    private(set) var isGone = false
    var sink: (Event) -> Void = { _ in }

    private let connection: VirtualConnection
    private let end: Int
    private let process: VirtualProcess
    private let closed: EventLoopPromise<Void>
    private var written: [UInt8] = []
    private var isReading = true
    private var hasSpoken = false
    private var unread: [VirtualConnection.Parcel] = []

    /// Bytes that have not been sent, as they count on a wire, from which on nothing more should be written, and up to
    /// which something may again.
    private static let waterMark = (low: 64 << 10, high: 192 << 10)

    init(_ connection: VirtualConnection, end: Int, process: VirtualProcess, loop: any EventLoop) {
        self.connection = connection
        self.end = end
        self.process = process
        eventLoop = loop
        closed = loop.makePromise()
        closeFuture = closed.futureResult
        localAddress = try? SocketAddress(ipAddress: connection.address(of: end), port: 7700)
        remoteHost = connection.address(of: 1 - end)
        remoteAddress = try? SocketAddress(ipAddress: remoteHost, port: 7700)
    }

    /// What a kernel would say of the connection.
    func look(pace: Double, now: HostTime) -> LinkPace.Look {
        let trips = connection.trips(of: end)
        return LinkPace.Look(
            now: now, arrived: UInt64(trips.arrived), underway: trips.underway, roundTrip: trips.last,
            leastRoundTrip: trips.least, isCrowded: unsent > 0, pace: pace)
    }

    // MARK: From the network

    /// So many bytes have arrived at the other end.
    func left(_ count: Int) { pending = max(0, pending - count * connection.weight) }

    /// Some of what waited has been sent.
    func departed() {
        guard !isWritable, unsent <= Self.waterMark.low, !isGone else { return }
        isWritable = true
        process.perform { [self] in sink(.writability(true)) }
    }

    private var unsent: Int { pending - connection.trips(of: end).underway }

    func arrive(_ parcel: VirtualConnection.Parcel) {
        guard !isGone else { return }
        process.perform { [self] in take(parcel) }
    }

    private func take(_ parcel: VirtualConnection.Parcel) {
        guard !isGone else { return }
        guard isReading else { return unread.append(parcel) }
        switch parcel {
        case .bytes(let bytes): sink(.received(bytes))
        case .end: finish()
        }
    }

    private func finish() {
        isGone = true
        isWritable = false
        closed.succeed(())
        sink(.closed)
        sink = { _ in }
    }

    /// The process is gone: its kernel says goodbye.
    func abandon() {
        guard !isGone else { return }
        isGone = true
        sink = { _ in }
        connection.send(.end, from: end)
    }

    // MARK: From the program

    func write<T: Sendable>(_ any: T, promise: EventLoopPromise<Void>?) {
        if let buffer = any as? ByteBuffer {
            written.append(contentsOf: buffer.readableBytesView)
            // What is written counts, also before it is flushed: that is where a sender stops.
            pending += buffer.readableBytes * connection.weight
            if unsent > Self.waterMark.high { isWritable = false }
        }
        promise?.succeed(())
    }

    func writeAndFlush<T: Sendable>(_ any: T, promise: EventLoopPromise<Void>?) {
        write(any, promise: promise)
        flush()
    }

    func write<T: Sendable>(_ any: T) -> EventLoopFuture<Void> {
        write(any, promise: nil)
        return eventLoop.makeSucceededVoidFuture()
    }

    func writeAndFlush<T: Sendable>(_ any: T) -> EventLoopFuture<Void> {
        writeAndFlush(any, promise: nil)
        return eventLoop.makeSucceededVoidFuture()
    }

    func flush() {
        guard !written.isEmpty, !isGone else { return }
        // The first word on a connection says whether it is for packets, which are lighter than real ones.
        if !hasSpoken, written.contains("\"role\":\"media\"".utf8) { connection.weight = SymbolicPacket.weight }
        hasSpoken = true
        connection.send(.bytes(written), from: end)
        written = []
    }

    func read() {
        let parcels = unread
        unread = []
        for parcel in parcels { take(parcel) }
    }

    func close(mode: CloseMode, promise: EventLoopPromise<Void>?) {
        promise?.succeed(())
        guard !isGone else { return }
        flush()
        connection.send(.end, from: end)
        isGone = true
        isWritable = false
        process.after(0) { [self] in
            closed.succeed(())
            sink(.closed)
            sink = { _ in }
        }
    }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        if option is ChannelOptions.Types.AutoReadOption, let isOn = value as? Bool { isReading = isOn }
        return eventLoop.makeSucceededVoidFuture()
    }

    /// Sends so many bytes a second at most.
    func setPace(_ bytes: Double) { connection.setPace(bytes, of: end) }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    // MARK: What nobody asks for

    let allocator = ByteBufferAllocator()
    var isActive: Bool { !isGone }
    var parent: (any Channel)? { nil }
    lazy var pipeline = ChannelPipeline(channel: self)
    var _channelCore: any ChannelCore { NoCore(channel: self) }
}
