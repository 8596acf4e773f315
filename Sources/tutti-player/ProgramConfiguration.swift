import Logging
import Tutti
import TuttiHost
import TuttiStore

extension QueuePlayer.Configuration {
    /// What all players of this program have in common: they end with their queue, and are the same sender.
    ///
    /// - Throws: `ProgramFailure` for settings that are none.
    static func ofThisProgram() throws -> QueuePlayer.Configuration {
        var configuration = QueuePlayer.Configuration()
        configuration.staysInRooms = false
        configuration.stateDirectory = PlayerSettings.paths.stateDirectory
        var logger = Logger(label: "tutti.output")
        logger.logLevel = .error
        configuration.logger = logger
        configuration.clock = try PlayerSettings.load().clock()
        configuration.identity = try PlayerSettings.store().identity()
        return configuration
    }
}
