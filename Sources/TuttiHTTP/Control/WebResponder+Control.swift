import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TuttiSchema
import TuttiTrust

/// Requests as the control socket takes them, for the command line on other hosts.
extension WebResponder {
    /// How long one who does not read is waited for.
    private static let patience = TimeAmount.seconds(10)

    /// Answers a request with the lines of the socket, until they end.
    func control(_ call: Call, _ context: WebContext) throws(Problem) -> Response {
        let request: ControlRequest
        do {
            request = try ControlRequest(line: call.body)
        } catch {
            throw Problem(.invalid, error.description)
        }
        guard call.permit.scope >= request.scope else {
            throw Problem(
                .forbidden,
                "this token may only \(call.permit.scope.rawValue); make one with --scope \(request.scope.rawValue)")
        }
        if case .effectsFile = request.command {
            // Who is elsewhere sends a file, and reads none of this host's by what is said to be wrong with it.
            throw Problem(.forbidden, "send the file itself: PUT /rooms/{room}/effects/file")
        }
        guard streams.isFree else {
            var problem = Problem(.unavailable, "\(ControlStreams.most) requests are under way; try again later")
            problem.retryAfter = 5
            throw problem
        }
        let body = ResponseBody { [link, streams, channel = context.channel] writer in
            guard streams.enter() else { return try await writer.finish(nil) }
            defer { streams.leave() }
            let (parts, task) = ControlCopy(link: link, request: request).start()
            defer { task.cancel() }
            for await bytes in parts {
                let stuck = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
                defer { stuck.cancel() }
                try await writer.write(bytes)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: body)
    }
}

/// How many requests are carried to the socket at a time.
final class ControlStreams: Sendable {
    static let most = 64

    private let count = Mutex(0)

    var isFree: Bool { count.withLock { $0 < Self.most } }

    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
