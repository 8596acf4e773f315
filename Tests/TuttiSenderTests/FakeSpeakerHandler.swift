import NIOCore
import Synchronization
import TuttiWire

/// Lets handlers find the speaker, which is made after the listener and not kept by it.
final class FakeSpeakerRelay: Sendable {
    private struct Reference {
        weak var speaker: FakeSpeaker?
    }

    private let reference = Mutex(Reference())

    var speaker: FakeSpeaker? {
        get { reference.withLock { $0.speaker } }
        set { reference.withLock { $0.speaker = newValue } }
    }
}

final class FakeSpeakerHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let relay: FakeSpeakerRelay
    private let id = Mutex<ConnectionID?>(nil)

    init(relay: FakeSpeakerRelay) { self.relay = relay }

    private var speaker: FakeSpeaker? { relay.speaker }

    func channelActive(context: ChannelHandlerContext) {
        let opened = speaker?.opened(context.channel)
        id.withLock { $0 = opened }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        guard let id = id.withLock({ $0 }) else { return }
        speaker?.received(buffer.readBytes(length: buffer.readableBytes) ?? [], on: id)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let id = id.withLock({ $0 }) { speaker?.closed(id) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
