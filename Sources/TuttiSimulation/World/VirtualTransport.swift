import NIOCore
import TuttiCore
import TuttiRooms
import TuttiSender

/// How a simulated sender connects.
final class VirtualTransport: Transport, @unchecked Sendable {
    private let network: VirtualNetwork
    private let host: Int
    private let process: VirtualProcess
    /// The ends that this process has.
    private(set) var channels: [VirtualChannel] = []

    init(_ network: VirtualNetwork, host: Int, process: VirtualProcess) {
        self.network = network
        self.host = host
        self.process = process
    }

    func connect(
        host address: String, port: UInt16, on loop: any EventLoop, timeout: TimeAmount, inShortSegments: Bool,
        sink: @escaping @Sendable (TransportEvent) -> Void
    ) -> EventLoopFuture<any Channel> {
        let promise = loop.makePromise(of: (any Channel).self)
        let segments = VirtualNetwork.segments
        let attempt = Attempt(
            address: address, loop: loop, deadline: network.agenda.now + timeout.nanoseconds, timeout: timeout,
            segment: inShortSegments ? segments.short : segments.full, sink: sink, promise: promise)
        knock(attempt, again: 1_000_000_000)
        return promise.futureResult
    }

    func setPace(_ bytes: Double, of channel: any Channel) { (channel as? VirtualChannel)?.setPace(bytes) }

    /// The simulated network knows no classes.
    func prefer(_ channel: any Channel) {}

    func look(at channel: any Channel, pace: Double, now: HostTime) -> EventLoopFuture<LinkPace.Look>? {
        guard let channel = channel as? VirtualChannel else { return nil }
        return channel.eventLoop.makeSucceededFuture(channel.look(pace: pace, now: now))
    }

    private struct Attempt {
        let address: String
        let loop: any EventLoop
        let deadline: Int64
        let timeout: TimeAmount
        let segment: Int
        let sink: @Sendable (TransportEvent) -> Void
        let promise: EventLoopPromise<any Channel>
    }

    /// Asks for the connection; and again, where nobody answers.
    private func knock(_ attempt: Attempt, again pause: Int64) {
        let agenda = network.agenda
        guard let place = network.place(of: attempt.address),
            let there = network.transmit(bytes: 0, from: host, to: place, after: agenda.now)
        else {
            let isOver = agenda.now + pause > attempt.deadline
            agenda.at(isOver ? attempt.deadline : agenda.now + pause) { [self] in
                guard isOver else { return knock(attempt, again: 2 * pause) }
                process.perform { attempt.promise.fail(ChannelError.connectTimeout(attempt.timeout)) }
            }
            return
        }
        agenda.at(there) { [self] in
            let back = network.transmit(bytes: 0, from: place, to: host, after: agenda.now) ?? attempt.deadline
            agenda.at(back) { [self] in process.perform { [self] in answer(attempt, place) } }
        }
    }

    private func answer(_ attempt: Attempt, _ place: Int) {
        guard let listener = network.ports[place].listener, let theirs = listener.listeningProcess else {
            return attempt.promise.fail(IOError(errnoCode: 111, reason: "connect"))
        }
        let connection = VirtualConnection(network, hosts: [host, place], segment: attempt.segment)
        let near = VirtualChannel(connection, end: 0, process: process, loop: attempt.loop)
        let far = VirtualChannel(connection, end: 1, process: theirs, loop: VirtualEventLoop(theirs))
        connection.attach(near, at: 0)
        connection.attach(far, at: 1)
        let sink = attempt.sink
        near.sink = { event in
            switch event {
            case .received(let bytes): sink(.received(bytes))
            case .writability(let isWritable): sink(.writability(isWritable))
            case .closed: sink(.closed(reason: "the connection was closed"))
            }
        }
        channels = channels.filter { !$0.isGone } + [near]
        theirs.perform { listener.accept(far) }
        attempt.promise.succeed(near)
    }

    /// Bytes that wait to be sent or are on their way, by the address that they go to.
    var waiting: [String: Int] {
        Dictionary(channels.map { ($0.remoteHost, $0.pending) }, uniquingKeysWith: +)
    }

    /// The process is gone.
    func abandon() {
        for channel in channels { channel.abandon() }
        channels = []
    }
}
