/// Asks the player that runs for this user.
package struct ControlClient: Sendable {
    private let path: String

    /// A client of the socket in `runtimeDirectory`.
    package init(runtimeDirectory: String) { path = ControlServer.path(in: runtimeDirectory) }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `.nothingPlaying` when no player listens; `.refused` with the player's words when it says no.
    package func send(_ request: ControlRequest) throws(SenderError) -> PlayerStatus {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 5) else { throw .nothingPlaying }
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.responseLimit)
        else { throw .system("the player does not answer") }
        guard let response: ControlResponse = JSONLine.decode(line) else {
            throw .system("the player's answer cannot be understood; is it of another version?")
        }
        guard response.ok, let status = response.status else {
            throw .refused(response.error ?? "the player refuses", exitCode: response.exitCode ?? 1)
        }
        return status
    }

    /// The longest answer: many rooms take some space.
    private static let responseLimit = 4 << 20
}
