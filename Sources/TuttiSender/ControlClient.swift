import TuttiControl

/// Asks the player that runs for this user.
package struct ControlClient: Sendable {
    private let path: String

    /// A client of the socket in `runtimeDirectory`.
    package init(runtimeDirectory: String) { path = ControlServer.path(in: runtimeDirectory) }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `.nothingPlaying` when no player listens; `.refused` with the player's words when it says no.
    package func send(_ request: ControlRequest) throws(SenderError) -> PlayerStatus {
        guard let status = try ask(request).status else { throw .system(Self.foreign) }
        return status
    }

    /// Asks for the whole queue.
    ///
    /// - Throws: as `send`.
    package func queue() throws(SenderError) -> QueueListing {
        guard let queue = try ask(ControlRequest(.queue)).queue else { throw .system(Self.foreign) }
        return queue
    }

    private func ask(_ request: ControlRequest) throws(SenderError) -> ControlResponse {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: 5) else { throw .nothingPlaying }
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.responseLimit)
        else { throw .system("the player does not answer") }
        guard let response: ControlResponse = JSONLine.decode(line) else {
            throw .system(Self.foreign)
        }
        guard response.ok else {
            throw .refused(response.error ?? "the player refuses", exitCode: response.exitCode ?? 1)
        }
        return response
    }

    private static let foreign = "the player's answer cannot be understood; is it of another version?"
    /// The longest answer: a queue may be long.
    private static let responseLimit = 256 << 20
}
