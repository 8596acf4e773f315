import NIOCore
import TuttiSchema

/// Carries one request to the socket and its lines back: its answer, and the events that follow it.
struct ControlCopy: Sendable {
    /// Lines that wait for one who reads slowly.
    private static let mostWaiting = 1_024
    /// How often an empty line shows that the connection lives.
    private static let beat = Duration.seconds(15)
    private static let emptyLine = ByteBuffer(string: "\n")

    let link: ServiceLink
    let request: ControlRequest

    /// Begins.
    ///
    /// - Returns: what is to be written, until the lines end or are not read fast enough; and the task to be cancelled
    ///   when nobody reads any more.
    func start() -> (parts: AsyncStream<ByteBuffer>, task: Task<Void, Never>) {
        let (parts, continuation) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    while (try? await Task.sleep(for: Self.beat)) != nil { continuation.yield(Self.emptyLine) }
                }
                // A service that ends has said what it had to say.
                let isAnswered = try? await read(into: continuation)
                if isAnswered == false { continuation.yield(ServiceLink.line(link.noAnswer)) }
                continuation.finish()
                group.cancelAll()
            }
        }
        return (parts, task)
    }

    /// - Returns: whether there was an answer.
    private func read(into continuation: AsyncStream<ByteBuffer>.Continuation) async throws -> Bool {
        guard let connection = try? await link.connect() else { return false }
        let limit = connection.channel.eventLoop.scheduleTask(in: TimeAmount.seconds(Int64(request.patience))) {
            [channel = connection.channel] in channel.close(promise: nil)
        }
        defer { limit.cancel() }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ServiceLink.line(request))
            var lines = LineSplitter(limit: ServiceLink.longestLine)
            var (isAnswered, isFollowed) = (false, request.isFollowed)
            for try await buffer in inbound {
                for line in try lines.split(buffer.readableBytesView) {
                    limit.cancel()
                    let bytes = ByteBuffer(bytes: line + [UInt8(ascii: "\n")])
                    guard case .enqueued = continuation.yield(bytes) else { return true }
                    if !isAnswered, let response: ControlResponse = JSONLine.decode(line) {
                        isFollowed = isFollowed && response.ok
                    }
                    isAnswered = true
                    if !isFollowed || request.target != .all && isEnd(line) { return true }
                }
            }
            return isAnswered
        }
    }

    /// Whether a line is the last event of one group.
    private func isEnd(_ line: [UInt8]) -> Bool {
        let event: ControlEvent? = JSONLine.decode(line)
        if case .finished? = event?.kind { return true }
        return false
    }
}
