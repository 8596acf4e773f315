import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import TuttiSchema
import TuttiTrust

/// What a request comes with besides itself.
struct WebContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
}

/// Answers requests: it asks the gate, finds the endpoint, checks the body, and has the endpoint do it.
struct WebResponder: Sendable {
    /// Bytes of a body at most: some ten thousand tracks.
    static let mostBytes = 4 << 20
    /// How long a listener is believed to have its token still.
    static let tokenCheck = TimeAmount.seconds(15)
    /// How long a body may take.
    static let bodyTime = Duration.seconds(10)

    let table: RouteTable
    let document: ByteBuffer
    let page: PageFiles
    let link: ServiceLink
    let feed: EventFeed
    let artwork: ArtworkCache
    let uploads: UploadStore
    let trust: TrustDesk
    let streams = ControlStreams()
    let gate: SharedGate
    let logger: Logger

    func respond(to request: Request, _ context: WebContext) async -> Response {
        var response: Response
        do throws(Problem) {
            response = try await answer(request, context)
        } catch {
            response = Self.response(to: error)
            if Self.leavesBody(of: request, unread: error.kind) { closeSoon(context.channel) }
            if error.kind == .unavailable { logger.debug("\(error.detail)") }
        }
        Self.secure(&response)
        return response
    }

    private func answer(_ request: Request, _ context: WebContext) async throws(Problem) -> Response {
        let target = request.head.path ?? "/"
        let path = String(target.prefix { $0 != "?" })
        let method = request.method.rawValue
        let match = table.match(method, path)
        let isPage = page.file(at: path) != nil
        var scope: TokenScope? = isPage ? nil : .listen
        if case .endpoint(let endpoint, _) = match { scope = endpoint.scope }
        let visitor = Gate.Visitor(
            method: method, host: request.head.authority, origin: request.headers[.origin],
            authorization: request.headers[.authorization], address: context.channel.remoteAddress?.ipAddress ?? "")
        let permit = try gate.admit(visitor, needing: scope)
        switch match {
        case .endpoint(let endpoint, let parameters):
            if case .events = endpoint.answer { return try listen(request, context, visitor, permit) }
            return try await carryOut(endpoint, parameters, request, context, permit)
        case .otherMethods(let methods): throw Problem(path, knows: methods)
        case .nothing where path == Self.metricsPath:
            try GuestRule.expectNone(permit)
            return try await metrics(request)
        case .nothing: return try file(path, target, request)
        }
    }

    private func carryOut(
        _ endpoint: Endpoint, _ parameters: [String: String], _ request: Request, _ context: WebContext,
        _ permit: Permit
    ) async throws(Problem) -> Response {
        switch endpoint.answer {
        case .document: return Self.json(.ok, document)
        case .json, .empty, .picture, .events, .lines: break
        }
        let body = endpoint.method.isSafe || endpoint.file != nil ? [] : try await bytes(of: request)
        if let schema = endpoint.body { try Self.check(body, schema, request.headers[.contentType]) }
        var call = Call(parameters: parameters, body: body, service: link, permit: permit, trust: trust)
        try await GuestRule(uploads: uploads.path).check(endpoint, call)
        if case .lines = endpoint.answer { return try control(call, context) }
        let query = (request.head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let words = query.count > 1 ? query[1] : ""
        try call.take(query: words, of: endpoint)
        let bytes =
            switch endpoint.file {
            case nil: try await endpoint.handler(call)
            case .kept: JSONLine.encode(try await keepFile(call, request))
            case .lent(let mostBytes): try await lendFile(to: endpoint, mostBytes, call, request)
            }
        if case .picture = endpoint.answer {
            return try await picture(
                ofFile: String(decoding: bytes, as: UTF8.self), isKept: endpoint.keepsPicture, call, request)
        }
        guard case .json(let status, _) = endpoint.answer else { return Response(status: .noContent) }
        return Self.json(HTTPResponse.Status(code: status), ByteBuffer(bytes: bytes))
    }

    // MARK: Bodies

    private static func check(_ body: [UInt8], _ schema: Schema, _ type: String?) throws(Problem) {
        let media = type?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        guard media == "application/json" else {
            throw Problem(.mediaType, "send the body with `Content-Type: application/json`")
        }
        guard let value = JSONValue(body) else { throw Problem(.malformed, "the body is no JSON") }
        if let fault = schema.fault(in: value) { throw Problem(.invalid, fault) }
    }

    /// The whole body, if it is not too long and comes in time.
    private func bytes(of request: Request) async throws(Problem) -> [UInt8] {
        let tooLarge = Problem(.tooLarge, "a body has \(Self.mostBytes >> 20) MiB at most")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.mostBytes {
            throw tooLarge
        }
        let body = request.body
        do {
            return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                group.addTask {
                    var bytes: [UInt8] = []
                    for try await part in body {
                        bytes.append(contentsOf: part.readableBytesView)
                        if bytes.count > Self.mostBytes { throw tooLarge }
                    }
                    return bytes
                }
                group.addTask {
                    try await Task.sleep(for: Self.bodyTime)
                    return nil
                }
                defer { group.cancelAll() }
                guard let bytes = try await group.next() ?? nil else {
                    throw Problem(.timeout, "the body did not come within \(Self.bodyTime)")
                }
                return bytes
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.malformed, "the body broke off")
        }
    }

    /// Whether a body comes, or may come, that nobody has read.
    private static func leavesBody(of request: Request, unread kind: Problem.Kind) -> Bool {
        if [.tooLarge, .timeout, .noSpace].contains(kind) { return true }
        guard kind != .unplayable, let length = request.headers[.contentLength] else {
            return request.headers[.transferEncoding] != nil
        }
        return Int(length).map { $0 > mostBytes } ?? true
    }

    /// Ends a connection whose rest nobody wants to read, when the answer has had time to go.
    private func closeSoon(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    // MARK: Events

    private func listen(
        _ request: Request, _ context: WebContext, _ visitor: Gate.Visitor, _ permit: Permit
    ) throws(Problem) -> Response {
        let start = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap(EventRing.Cursor.init)
        guard let number = feed.enter(on: context.channel, group: permit.group) else {
            var problem = Problem(.unavailable, "there are \(EventFeed.mostListeners) listeners; try again later")
            problem.retryAfter = 10
            throw problem
        }
        let body = ResponseBody { [feed, gate] writer in
            defer { feed.leave(number) }
            var (cursor, checked) = (start, NIODeadline.now())
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            while true {
                // A token may be revoked, and its time may be over.
                if NIODeadline.now() - checked > Self.tokenCheck {
                    guard gate.stillAdmits(visitor) else { return try await writer.finish(nil) }
                    checked = .now()
                }
                let bytes: ByteBuffer
                switch await feed.step(of: number, after: cursor) {
                case .send(let events, let next): (bytes, cursor) = (events, next)
                case .keepAlive: bytes = ByteBuffer(string: ":\n\n")
                case .end: return try await writer.finish(nil)
                }
                guard bytes.readableBytes > 0 else { continue }
                feed.note(number, isWriting: true)
                try await writer.write(bytes)
                feed.note(number, isWriting: false)
            }
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    // MARK: The page

    /// - Throws: `.methodNotAllowed` for what is no GET and no HEAD.
    static func expectReading(_ request: Request, of path: String) throws(Problem) {
        guard request.method == .get || request.method == .head else { throw Problem(path, knows: ["GET", "HEAD"]) }
    }

    private func file(_ path: String, _ target: String, _ request: Request) throws(Problem) -> Response {
        guard let file = page.file(at: path) else {
            throw Problem(.notFound, "there is nothing here; \(RouteTable.prefix)/openapi.json lists what there is")
        }
        try Self.expectReading(request, of: path)
        let isForEver = target.hasSuffix("?v=\(file.tag)")
        let response = Self.tagged(
            file.bytes, tag: file.tag, type: file.type,
            keeping: isForEver ? "public, max-age=31536000, immutable" : "no-cache", request)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Bytes that a browser may have already.
    static func tagged(
        _ bytes: [UInt8], tag: String, type: String, keeping: String, _ request: Request
    ) -> Response {
        let headers: HTTPFields = [.eTag: "\"\(tag)\"", .contentType: type, .cacheControl: keeping]
        if request.headers[.ifNoneMatch]?.contains("\"\(tag)\"") == true {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// A gate for all connections.
final class SharedGate: Sendable {
    private let gate: Mutex<Gate>

    init(_ gate: Gate) { self.gate = Mutex(gate) }

    /// - Returns: what a visitor may do.
    /// - Throws: why a visitor gets no further.
    func admit(_ visitor: Gate.Visitor, needing scope: TokenScope?) throws(Problem) -> Permit {
        let now = Double(NIODeadline.now().uptimeNanoseconds) / 1e9
        return try gate.withLock { gate in
            Result { () throws(Problem) in try gate.admit(visitor, needing: scope, at: now) }
        }.get()
    }

    /// Whether a visitor would be let in again.
    func stillAdmits(_ visitor: Gate.Visitor) -> Bool { gate.withLock { $0 }.stillAdmits(visitor) }
}
