import HTTPTypes
import Hummingbird
import NIOCore
import TuttiMetrics
import TuttiSchema

/// Figures for Prometheus.
extension WebResponder {
    /// Where they are.
    static let metricsPath = "/metrics"

    /// All figures as a text. That the service does not answer is one of them.
    func metrics(_ request: Request) async throws(Problem) -> Response {
        try Self.expectReading(request, of: Self.metricsPath)
        var metrics = MetricsText()
        let groups = try? await Call(parameters: [:], body: [], service: link).allStatuses().groups
        metrics.add("tutti_service_up", .gauge, groups == nil ? 0 : 1, help: "Whether the service answers.")
        metrics.add(groups ?? [])
        metrics.add(
            "tutti_event_listeners", .gauge, Double(feed.listenerCount), help: "Who listens to events over HTTP.")
        if let process = ProcessFigures.own { metrics.add(process) }
        let response = Response(
            status: .ok, headers: [.contentType: MetricsText.mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
        return request.method == .head ? response.createHeadResponse() : response
    }
}
