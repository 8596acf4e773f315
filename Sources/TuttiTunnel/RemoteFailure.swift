import TuttiSchema

/// Why something is not done by the service of another host: one line, and the exit status of the command.
package struct RemoteFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    package let exitCode: Int32
    /// The status that a server answered with; nil where none did.
    package let status: Int?

    package init(_ description: String, exitCode: Int32 = 1, status: Int? = nil) {
        self.description = description
        self.exitCode = exitCode
        self.status = status
    }

    /// What a server answered in place of doing it (RFC 9457).
    init(status: Int, body: [UInt8], from address: RemoteAddress) {
        struct Problem: Decodable { var detail: String?, exitCode: Int32? }
        let problem: Problem? = JSONLine.decode(body)
        let code: Int32 =
            switch status {
            case 401, 403, 429: 4
            case 404: 3
            case 415, 422: 2
            default: 1
            }
        let reason =
            status == 401
            ? "no token, or one that is not known there; make one there with `tutti token new NAME`, and keep it here "
                + "with `tutti host add \(address)`" : problem?.detail ?? "it answers with status \(status)"
        self.init("\(address): \(reason)", exitCode: problem?.exitCode ?? code, status: status)
    }

    /// The line with which the service itself would have refused.
    var response: ControlResponse { ControlResponse(error: description, exitCode: exitCode) }
}
