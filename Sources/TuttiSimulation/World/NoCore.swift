import NIOCore

/// A channel without a pipeline does everything itself.
final class NoCore: ChannelCore {
    private let channel: VirtualChannel

    init(channel: VirtualChannel) { self.channel = channel }

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { refuse(promise) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { refuse(promise) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { refuse(promise) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { refuse(promise) }
    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) { refuse(promise) }
    func flush0() { channel.flush() }
    func read0() { channel.read() }
    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        channel.close(mode: mode, promise: promise)
    }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { refuse(promise) }
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}

    private func refuse(_ promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
}
