/// The line that answers a `ControlRequest`.
package struct ControlResponse: Sendable, Equatable, Codable {
    /// Whether it was done.
    package var ok: Bool
    /// Why not.
    package var error: String?
    /// The exit code of a program that asked for nothing else.
    package var exitCode: Int32?
    /// How the player stands after it.
    package var status: PlayerStatus?
    /// The whole queue, for those who asked.
    package var queue: QueueListing?

    /// It was done.
    package init(status: PlayerStatus) {
        ok = true
        self.status = status
    }

    /// It was not done.
    package init(_ error: SenderError) {
        ok = false
        self.error = error.description
        exitCode = error.exitCode
    }
}
