import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TuttiHost
import TuttiSchema

/// Files that are sent to be played, or to be read once.
extension WebResponder {
    /// Bytes that must come in each `bodyTime`: 26 kbit/s.
    private static let leastBytes = 32 << 10

    /// Takes in the file that is a request's body, and keeps it.
    func keepFile(_ call: Call, _ request: Request) async throws(Problem) -> UploadStore.Kept {
        let name = call.texts["name"] ?? ""
        return try await takeFile(request) { [uploads] length, body in
            try await uploads.take(name, length: length, body)
        }
    }

    /// Has an endpoint do its work with the file that is a request's body, which is gone after that.
    func lendFile(
        to endpoint: Endpoint, _ mostBytes: Int, _ call: Call, _ request: Request
    ) async throws(Problem) -> [UInt8] {
        let name = call.texts["name"] ?? ""
        return try await takeFile(request) { [uploads] length, body in
            try await uploads.lend(name, length: length, mostBytes: mostBytes, body) { path async throws(Problem) in
                var call = call
                call.file = path
                return try await endpoint.handler(call)
            }
        }
    }

    /// Takes in the file that is a request's body, as long as it keeps coming.
    private func takeFile<Value: Sendable>(
        _ request: Request, _ take: @escaping @Sendable (_ length: Int?, CountedBody) async throws -> Value
    ) async throws(Problem) -> Value {
        let media = request.headers[.contentType]?.split(separator: ";").first?.lowercased().filter { $0 != " " } ?? ""
        guard media.hasPrefix("audio/") || ["application/octet-stream", "application/ogg"].contains(media) else {
            throw Problem(.mediaType, "send a file with `Content-Type: application/octet-stream`, or as audio/…")
        }
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let body = CountedBody(body: request.body)
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask { try await take(length, body) }
                group.addTask {
                    try await Self.watch(body.counter)
                    return nil
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() ?? nil else {
                    throw Problem(.timeout, "the file came too slowly")
                }
                return value
            }
        } catch let problem as Problem {
            throw problem
        } catch let error as HostError {
            throw Problem(.failed, "\(error)")
        } catch {
            throw Problem(.malformed, "the body broke off")
        }
    }

    /// Returns once a body comes too slowly.
    private static func watch(_ counter: CountedBody.Counter) async throws {
        var seen = 0
        while true {
            try await Task.sleep(for: bodyTime)
            let (bytes, isWaiting) = counter.state.withLock { ($0.bytes, $0.isWaiting) }
            if isWaiting, bytes - seen < leastBytes { return }
            seen = bytes
        }
    }
}

/// A body that tells how much of it has come, and whether somebody waits for more of it.
private struct CountedBody: AsyncSequence, Sendable {
    final class Counter: Sendable {
        let state = Mutex((bytes: 0, isWaiting: false))
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let counter: Counter

        mutating func next() async throws -> ByteBuffer? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> ByteBuffer? {
            counter.state.withLock { $0.isWaiting = true }
            let part = try await base.next(isolation: actor)
            counter.state.withLock { $0 = ($0.bytes + (part?.readableBytes ?? 0), false) }
            return part
        }
    }

    let body: RequestBody
    let counter = Counter()

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: body.makeAsyncIterator(), counter: counter) }
}
