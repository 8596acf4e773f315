import TuttiControl

/// A connection to the player that runs for this user, over which it tells what happens.
package struct ControlWatch: ~Copyable {
    /// How the player stood when the watch began.
    package let status: PlayerStatus
    private let socket: UnixSocket

    /// Longer than the second between two events.
    private static let timeoutSeconds = 10
    /// The longest line: many rooms take some space.
    private static let lineLimit = 4 << 20

    /// Begins to watch.
    ///
    /// - Throws: `.nothingPlaying` when no player listens.
    package init(runtimeDirectory: String) throws(SenderError) {
        let path = ControlServer.path(in: runtimeDirectory)
        guard let socket = UnixSocket.connected(to: path, timeoutSeconds: Self.timeoutSeconds) else {
            throw .nothingPlaying
        }
        guard socket.send(JSONLine.encode(ControlRequest(.watch)) + [UInt8(ascii: "\n")]),
            let line = socket.line(limit: Self.lineLimit), let response: ControlResponse = JSONLine.decode(line),
            let status = response.status
        else { throw .system("the player does not answer") }
        self.status = status
        self.socket = socket
    }

    /// Waits for the next event.
    ///
    /// - Returns: its line of JSON without the end; nil when the player is gone or silent.
    package func next() -> [UInt8]? { socket.line(limit: Self.lineLimit) }
}
