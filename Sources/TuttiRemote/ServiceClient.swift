import TuttiPOSIX
package import TuttiSchema

/// Asks a service at its control socket and waits for the answer, each time over a connection of its own.
package struct ServiceClient: Sendable {
    /// Why there is no answer that says what was done.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// No service listens there, or it does not answer in time.
        case unavailable
        /// It does not do it; its own words, and the exit status of a program that asks for nothing else.
        case refused(String, exitCode: Int32)

        /// In one line, for people.
        package var description: String {
            switch self {
            case .unavailable: "the service does not answer; see whether `tutti serve` runs"
            case .refused(let words, _): words
            }
        }
    }

    /// Where the socket is.
    package let path: String

    /// The longest line of an answer: a queue may be long.
    static let longestLine = 64 << 20

    /// A client of the service behind a socket.
    package init(path: String) { self.path = path }

    /// Asks for something, and waits for the answer, which blocks this thread.
    package func ask(_ request: ControlRequest) throws(Failure) -> ControlResponse {
        let response = try answer(to: request)
        guard response.ok else {
            throw .refused(response.error ?? "the service refused the command", exitCode: response.exitCode ?? 1)
        }
        return response
    }

    /// What it answers, whether it does it or not.
    package func answer(to request: ControlRequest) throws(Failure) -> ControlResponse {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: request.patience),
            socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.longestLine),
            let response: ControlResponse = JSONLine.decode(line)
        else { throw .unavailable }
        return response
    }
}
