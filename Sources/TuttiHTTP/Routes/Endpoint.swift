import TuttiSchema
package import TuttiTrust

/// One method of one path: what the router, the checks and the OpenAPI document know of it.
package struct Endpoint: Sendable {
    /// A method that an endpoint has.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether nothing changes by it.
        package var isSafe: Bool { self == .get }
    }

    /// How it answers.
    package enum Answer: Sendable {
        /// With the JSON of a schema.
        case json(status: Int, Schema)
        /// With nothing.
        case empty
        /// With the OpenAPI document.
        case document
        /// With events, until the listener goes.
        case events
        /// With the lines of the control socket, until they end.
        case lines
        /// With the picture of the file whose path the handler returns.
        case picture
    }

    /// What becomes of a body that is a file.
    package enum FileUse: Sendable, Equatable {
        /// It stays, to be played. The handler is not called.
        case kept
        /// The handler has the service read it, and then it is gone; so many bytes at most.
        case lent(mostBytes: Int)
    }

    package typealias Handler = @Sendable (Call) async throws(Problem) -> [UInt8]

    package let method: Method
    /// Below `/api/v1`, with `{names}` for what varies.
    package let path: String
    /// What it does, for people.
    package let summary: String
    package let answer: Answer
    /// What the body must be; nil without one.
    package var body: Schema?
    /// What becomes of the file that the body is; nil where it is none.
    package var file: FileUse?
    /// Whole numbers that may stand in the query, by name.
    package var query: [String: ClosedRange<Int>] = [:]
    /// Words that may stand in the query, by name, with those that are known.
    package var words: [String: [String]] = [:]
    /// Texts that must stand in the query, by name, with their lengths in Unicode scalars.
    package var texts: [String: ClosedRange<Int>] = [:]
    /// Whether a browser may keep its picture for a while without asking for it again.
    package var keepsPicture = false
    /// The token's scope that it takes, where its method does not tell.
    package var needed: TokenScope?
    /// What is done.
    package let handler: Handler

    /// The token's scope that it takes at least.
    package var scope: TokenScope {
        if let needed { return needed }
        // What is in the body decides.
        if case .lines = answer { return .listen }
        return method.isSafe ? .listen : .control
    }

    /// The names of the path's variables, in order.
    package var variables: [String] {
        path.split(separator: "/").compactMap { $0.hasPrefix("{") ? String($0.dropFirst().dropLast()) : nil }
    }

    /// An endpoint that answers with the JSON of a type.
    ///
    /// - Throws: for a type that no schema can be found of.
    init<Result: Codable & Sendable>(
        _ method: Method, _ path: String, _ summary: String, status: Int = 200, body: Schema? = nil,
        _ handler: @escaping @Sendable (Call) async throws(Problem) -> Result
    ) throws {
        self.init(
            method, path, summary, answer: .json(status: status, try SchemaReader.schema(of: Result.self)),
            body: body
        ) { call async throws(Problem) in JSONLine.encode(try await handler(call)) }
    }

    /// An endpoint that answers otherwise.
    init(
        _ method: Method, _ path: String, _ summary: String, answer: Answer, body: Schema? = nil,
        handler: @escaping Handler = { _ async throws(Problem) in [] }
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.answer = answer
        self.body = body
        self.handler = handler
    }
}
