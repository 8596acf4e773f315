import TuttiHost
import TuttiRooms
import TuttiSender

/// The control socket of a player of this program's own.
enum OwnSocket {
    /// The socket for `player`; nil where a service has it, which the commands go to then.
    ///
    /// - Throws: `.alreadyPlaying` where another player has it, `.system`.
    static func listen(for player: Player) async throws(SenderError) -> ControlServer? {
        if HandOver.isPossible { return nil }
        return try await ControlServer(for: player, runtimeDirectory: PlayerSettings.paths.runtimeDirectory)
    }
}
