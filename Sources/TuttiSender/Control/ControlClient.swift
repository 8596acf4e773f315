import TuttiPOSIX
package import TuttiRooms
package import TuttiSchema

/// Asks the player, or the service, that runs for this user.
package struct ControlClient: Sendable {
    private let path: String

    /// A client of the socket in `runtimeDirectory`.
    package init(runtimeDirectory: String) { path = ControlServer.path(in: runtimeDirectory) }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `.nothingPlaying` when no player listens; `.refused` with the player's words when it says no.
    package func send(_ request: ControlRequest) throws(SenderError) -> PlayerStatus {
        let response = try ask(request)
        if let status = response.status { return status }
        guard let playing = response.playing else { throw .system(Self.foreign) }
        throw .severalPlaying(playing.compactMap(\.group))
    }

    /// Asks for the whole queue.
    ///
    /// - Parameter group: which of those that play is meant.
    /// - Throws: as `send`.
    package func queue(of group: String? = nil) throws(SenderError) -> QueueListing {
        guard let queue = try ask(ControlRequest(.queue, group: group)).queue else { throw .system(Self.foreign) }
        return queue
    }

    /// How all that plays stands.
    ///
    /// - Throws: as `send`.
    package func statuses(of group: String? = nil) throws(SenderError) -> [PlayerStatus] {
        let response = try ask(ControlRequest(.status, group: group))
        return response.playing ?? response.status.map { [$0] } ?? []
    }

    /// Whether a service listens, which plays for others; nil if no player listens.
    package var isService: Bool? {
        guard let response = try? answer(to: ControlRequest(.schedules), within: 5) else { return nil }
        return response.service == true
    }

    /// Sends a request and waits for its answer, at most so many seconds.
    ///
    /// - Throws: as `send`.
    package func ask(_ request: ControlRequest, within seconds: Int = 15) throws(SenderError) -> ControlResponse {
        let response = try answer(to: request, within: seconds)
        guard response.ok else {
            throw .refused(response.error ?? "the player refused the command", exitCode: response.exitCode ?? 1)
        }
        return response
    }

    private func answer(to request: ControlRequest, within seconds: Int) throws(SenderError) -> ControlResponse {
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: seconds) else { throw .nothingPlaying }
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.responseLimit)
        else { throw .system("no answer from the player") }
        guard let response: ControlResponse = JSONLine.decode(line) else {
            throw .system(Self.foreign)
        }
        return response
    }

    private static let foreign = "the player's answer cannot be read; is it another version?"
    /// The longest answer: a queue may be long.
    private static let responseLimit = 256 << 20
}
