import NIOCore
import NIOHTTP1
import TuttiMetrics

/// Answers the first request of a connection.
final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let door: MetricsDoor
    private var isAnswered = false

    init(_ door: MetricsDoor) { self.door = door }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data), !isAnswered else { return }
        isAnswered = true
        guard request.uri.prefix(while: { $0 != "?" }) == MetricsServer.path else {
            return answer(.notFound, "The figures are at \(MetricsServer.path).\n", to: request, context)
        }
        guard request.method == .GET || request.method == .HEAD else {
            return answer(.methodNotAllowed, "GET reads the figures.\n", to: request, context)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        door.text.whenComplete { result in
            let (handler, context) = bound.value
            switch result {
            case .success(let text): handler.answer(.ok, text, to: request, context, as: MetricsText.mediaType)
            case .failure: handler.answer(.serviceUnavailable, "The speaker is being stopped.\n", to: request, context)
            }
        }
    }

    private func answer(
        _ status: HTTPResponseStatus, _ text: String, to request: HTTPRequestHead, _ context: ChannelHandlerContext,
        as type: String = "text/plain; charset=utf-8"
    ) {
        var headers = HTTPHeaders([
            ("content-type", type), ("content-length", "\(text.utf8.count)"), ("cache-control", "no-store"),
            ("connection", "close"),
        ])
        if status == .methodNotAllowed { headers.add(name: "allow", value: "GET, HEAD") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD {
            let body = context.channel.allocator.buffer(string: text)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
