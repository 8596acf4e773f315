import NIOCore
import NIOHTTP1
import TuttiMetrics

/// The connections of a `MetricsServer`, and what they are answered.
///
/// Not `Sendable`: confined to the server's event loop.
final class MetricsDoor {
    /// How long an answer is good for.
    private static let freshness = TimeAmount.seconds(1)

    private let eventLoop: any EventLoop
    private let figures: @Sendable () -> EventLoopFuture<MetricsText>
    /// The open connections, the oldest first.
    private var channels: [any Channel] = []
    private var latest: (text: EventLoopFuture<String>, asked: NIODeadline)?

    init(_ eventLoop: any EventLoop, _ figures: @escaping @Sendable () -> EventLoopFuture<MetricsText>) {
        (self.eventLoop, self.figures) = (eventLoop, figures)
    }

    /// Takes in a connection.
    func open(_ channel: any Channel) throws {
        if channels.count >= MetricsServer.mostConnections { channels.removeFirst().close(promise: nil) }
        channels.append(channel)
        let tooLate = eventLoop.scheduleTask(in: MetricsServer.deadline) { channel.close(promise: nil) }
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        channel.closeFuture.whenComplete { _ in
            tooLate.cancel()
            box.value.channels.removeAll { $0 === channel }
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(RequestSizeLimit())
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
        try pipeline.addHandler(MetricsHandler(self))
    }

    /// The figures as text, not older than a second; fails where the speaker does not answer.
    var text: EventLoopFuture<String> {
        let now = NIODeadline.now()
        if let latest, now - latest.asked < Self.freshness { return latest.text }
        let text = figures().hop(to: eventLoop).map { figures in
            var figures = figures
            if let process = ProcessFigures.own { figures.add(process) }
            return figures.text
        }
        latest = (text, now)
        return text
    }
}
