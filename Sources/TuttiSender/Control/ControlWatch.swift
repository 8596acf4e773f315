import TuttiPOSIX
package import TuttiRooms
package import TuttiSchema

/// A connection over which the player of this user reports its events.
package struct ControlWatch: ~Copyable {
    /// How the player stood when the watch began.
    package let status: PlayerStatus
    /// What a person should know besides, a line each.
    package let notices: [String]
    private let socket: UnixSocket

    /// Longer than the second between two events.
    private static let timeoutSeconds = 10
    /// Rooms and inputs are checked before anything new is answered.
    private static let checkSeconds = 30
    /// The longest line: many rooms take some space.
    private static let lineLimit = 4 << 20

    /// Begins to watch.
    ///
    /// - Parameter request: what is asked for, which is answered by events: `watch`, `play` or `say`.
    /// - Throws: `.nothingPlaying` when no player listens; `.refused` with the player's words when it says no.
    package init(
        runtimeDirectory: String, request: ControlRequest = ControlRequest(.watch)
    ) throws(SenderError) {
        let path = ControlServer.path(in: runtimeDirectory)
        let isNew = request.word == .play || request.word == .say
        guard
            let socket = UnixSocket.connected(to: path, timeoutSeconds: isNew ? Self.checkSeconds : Self.timeoutSeconds)
        else {
            throw .nothingPlaying
        }
        guard socket.send(JSONLine.encode(request) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.lineLimit), let response: ControlResponse = JSONLine.decode(line)
        else { throw .system("no answer from the player") }
        guard response.ok, let status = response.status else {
            throw .refused(response.error ?? "the player refused the command", exitCode: response.exitCode ?? 1)
        }
        self.status = status
        notices = response.notices ?? []
        self.socket = socket
    }

    /// Waits for the next event.
    ///
    /// - Returns: its line of JSON without the end; nil when the player is gone or silent.
    package func next() -> [UInt8]? { socket.line(limit: Self.lineLimit) }
}
