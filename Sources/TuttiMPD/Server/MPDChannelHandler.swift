import NIOCore

/// Carries bytes between a channel and its connection's core.
final class MPDChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Carries out a job; the future is of the channel's event loop.
    typealias Runner = (MPDJob) -> EventLoopFuture<MPDOutcome>

    /// Unsent bytes from which on nothing more is read of a client.
    private static let muchUnsent = 1 << 20
    /// How often a silent client is looked at; how long whoever has given a wrong password waits; how long a client may
    /// take for its last bytes.
    private static let (look, penalty, farewell) = (
        TimeAmount.seconds(10), TimeAmount.seconds(1), TimeAmount.seconds(5)
    )

    private var connection: MPDConnection
    private let run: Runner
    private var unsent = 0
    private var wantsRead = false
    private var isClosing = false
    private var heard = NIODeadline.now()

    init(_ client: MPDClient, run: @escaping Runner) { (connection, self.run) = (MPDConnection(client), run) }

    func channelActive(context: ChannelHandlerContext) {
        perform(connection.greeting(), context)
        watch(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard = .now()
        perform(connection.received(unwrapInboundIn(data).readableBytesView), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wantsRead = true
        readIfWanted(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let change = event as? MPDChange {
            let effects = connection.changed(change)
            // From now on it is the client's turn.
            if !effects.isEmpty { heard = .now() }
            perform(effects, context)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func readIfWanted(_ context: ChannelHandlerContext) {
        guard wantsRead, connection.isReading, unsent < Self.muchUnsent else { return }
        wantsRead = false
        context.read()
    }

    private func perform(_ effects: [MPDConnection.Effect], _ context: ChannelHandlerContext) {
        for effect in effects where !isClosing {
            switch effect {
            case .send(let bytes): send(bytes, context)
            case .close: close(context)
            case .run(let job): begin(job, context)
            }
        }
    }

    private func begin(_ job: MPDJob, _ context: ChannelHandlerContext) {
        let (handler, bound) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        let before = job.client.wrongPasswords
        run(job).whenComplete { result in
            let (handler, context) = (handler.value, bound.value)
            guard case .success(let outcome) = result else { return context.close(promise: nil) }
            guard outcome.client.wrongPasswords > before || outcome.closes else {
                return handler.finish(outcome, context)
            }
            let (again, place) = (NIOLoopBound(handler, eventLoop: context.eventLoop), context.loopBound)
            context.eventLoop.scheduleTask(in: Self.penalty) { again.value.finish(outcome, place.value) }
        }
    }

    private func finish(_ outcome: MPDOutcome, _ context: ChannelHandlerContext) {
        heard = .now()
        perform(connection.finished(outcome), context)
        readIfWanted(context)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        unsent += bytes.count
        // It asks, and does not listen.
        guard unsent <= 2 * MPDLimits.output else {
            isClosing = true
            return context.close(promise: nil)
        }
        let (handler, bound) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        let count = bytes.count
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
            handler.value.unsent -= count
            handler.value.readIfWanted(bound.value)
        }
    }

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        let bound = context.loopBound
        let end = context.eventLoop.scheduleTask(in: Self.farewell) { bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            end.cancel()
            bound.value.close(promise: nil)
        }
    }

    /// Ends the connection of a client that says nothing though it is its turn.
    private func watch(_ context: ChannelHandlerContext) {
        let (handler, bound) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
        context.eventLoop.scheduleTask(in: Self.look) {
            let (handler, context) = (handler.value, bound.value)
            guard context.channel.isActive else { return }
            let isSilent = NIODeadline.now() - handler.heard > .seconds(Int64(MPDLimits.silence))
            if handler.connection.isAwaited, isSilent { return context.close(promise: nil) }
            handler.watch(context)
        }
    }
}
