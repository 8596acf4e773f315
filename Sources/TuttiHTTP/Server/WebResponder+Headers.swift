import HTTPTypes
import Hummingbird
import NIOCore
import TuttiSchema

extension WebResponder {
    /// The answer of a request that was not carried out.
    static func response(to problem: Problem) -> Response {
        var response = json(
            HTTPResponse.Status(code: problem.kind.status), ByteBuffer(bytes: JSONLine.encode(problem.document)))
        response.headers[.contentType] = "application/problem+json"
        if problem.kind == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer realm=\"tutti\"" }
        if !problem.allowed.isEmpty { response.headers[.allow] = problem.allowed.joined(separator: ", ") }
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    static func json(_ status: HTTPResponse.Status, _ bytes: ByteBuffer) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: bytes))
    }

    /// Headers that every answer has: a browser runs nothing but the page's own files, and shows it in no frame.
    static func secure(_ response: inout Response) {
        for (name, value) in securityHeaders { response.headers[name] = value }
    }

    private static let securityHeaders = [
        (
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; object-src 'none'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
