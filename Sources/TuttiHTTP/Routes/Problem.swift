package import TuttiSchema

/// Why a request was not carried out, as RFC 9457 has it (`application/problem+json`).
package struct Problem: Error, Sendable, Equatable {
    /// What kind of problem it is. Each has one status.
    package enum Kind: String, Sendable, CaseIterable {
        case malformed, unauthorized, forbidden, notFound = "not-found", methodNotAllowed = "method-not-allowed"
        case timeout, nothingPlaying = "nothing-playing", refused, failed, tooLarge = "too-large"
        case mediaType = "media-type", misdirected, invalid, unplayable, tooManyFailures = "too-many-failures"
        case unavailable, noSpace = "no-space"

        /// The HTTP status.
        package var status: Int {
            switch self {
            case .malformed: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .timeout: 408
            case .nothingPlaying, .refused, .failed: 409
            case .tooLarge: 413
            case .mediaType: 415
            case .misdirected: 421
            case .invalid, .unplayable: 422
            case .tooManyFailures: 429
            case .unavailable: 503
            case .noSpace: 507
            }
        }

        /// What people read; the same for all problems of a kind.
        var title: String {
            switch self {
            case .malformed: "The request cannot be read"
            case .unauthorized: "A token is needed"
            case .forbidden: "This is not allowed"
            case .notFound: "There is no such thing"
            case .methodNotAllowed: "The method is not known here"
            case .timeout: "The request came too slowly"
            case .nothingPlaying: "Nothing is playing"
            case .refused: "The service refused"
            case .failed: "The service could not do it"
            case .tooLarge: "The body is too large"
            case .mediaType: "The body is of another type"
            case .misdirected: "This host has another name"
            case .invalid: "A value is wrong"
            case .unplayable: "The file cannot be played"
            case .tooManyFailures: "Too many wrong tokens"
            case .unavailable: "The service does not answer"
            case .noSpace: "There is no room for it"
            }
        }
    }

    package var kind: Kind
    /// What happened, in one line, and what to do.
    package var detail: String
    /// The exit status of a command that asks for the same; nil if nothing was asked of the service.
    package var exitCode: Int32?
    /// The methods that the path knows.
    package var allowed: [String] = []
    /// Seconds after which another attempt makes sense.
    package var retryAfter: Int?

    /// A problem.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// A path that knows other methods only.
    package init(_ path: String, knows methods: [String]) {
        self.init(.methodNotAllowed, "\(path) knows \(methods.joined(separator: ", "))")
        allowed = methods
    }

    /// What the service answered in place of doing it.
    package init(_ response: ControlResponse) {
        let code = response.exitCode ?? 1
        let kind: Kind =
            switch code {
            case 2: .invalid
            case 3: .notFound
            case 4: .refused
            case 5: .nothingPlaying
            default: .failed
            }
        self.init(kind, response.error ?? "the service refused the request")
        exitCode = code
    }

    /// The fields of the document.
    package var document: JSONValue {
        var fields: [String: JSONValue] = [
            "type": .string("urn:tutti:problem:\(kind.rawValue)"), "title": .string(kind.title),
            "status": .number(Double(kind.status)), "detail": .string(detail),
        ]
        if let exitCode { fields["exitCode"] = .number(Double(exitCode)) }
        return .object(fields)
    }

    /// The schema of the document.
    package static var schema: Schema {
        var fields = Schema.Fields()
        fields.known = [
            "type": .string(among: Kind.allCases.map { "urn:tutti:problem:\($0.rawValue)" }), "title": .string(),
            "status": .integer(400...599), "detail": .string(), "exitCode": .integer(1...5),
        ]
        fields.required = ["type", "title", "status", "detail"]
        return .named("Problem", .object(fields))
    }
}
