import Tutti
import TuttiHost

extension QueuePlayer.Configuration {
    /// What all players of this program have in common: they end with their queue, and are the same sender.
    ///
    /// - Throws: `Failure` for a test clock that is none.
    static func ofThisProgram() throws -> QueuePlayer.Configuration {
        var configuration = QueuePlayer.Configuration()
        configuration.staysInRooms = false
        configuration.stateDirectory = Settings.paths.stateDirectory
        do {
            configuration.clock = try HostClock.system(environment: ProcessEnvironment.current)
        } catch {
            throw Failure(error.description)
        }
        return configuration
    }
}
