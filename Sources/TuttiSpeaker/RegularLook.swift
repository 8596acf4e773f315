import NIOCore
import TuttiHost

/// Has the controller look at what there is to do: as often as it asks for that, and soon when it or the bell calls.
///
/// Not `Sendable`: confined to the controller's event loop.
final class RegularLook: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let controller: SpeakerController
    private let bell: Bell
    private var next: (due: NIODeadline, task: Scheduled<Void>)?

    init(controller: SpeakerController, bell: Bell) {
        self.controller = controller
        self.bell = bell
        controller.onEvent = { [weak self] in self?.look(in: SpeakerController.pauses.awaited) }
    }

    /// Looks now, and from then on.
    func begin() { look() }

    private func look() {
        next?.task.cancel()
        next = nil
        bell.answer()
        look(in: controller.tick())
    }

    /// Looks so soon, unless it will sooner.
    private func look(in delay: TimeAmount) {
        let due = NIODeadline.now() + delay
        if let next, next.due <= due { return }
        next?.task.cancel()
        let box = NIOLoopBound(self, eventLoop: controller.eventLoop)
        next = (due, controller.eventLoop.scheduleTask(deadline: due) { box.value.look() })
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { look() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
