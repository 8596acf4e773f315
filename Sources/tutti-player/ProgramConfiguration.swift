import Logging
import Tutti
import TuttiHost
import TuttiSender
import TuttiStore

extension QueuePlayer.Configuration {
    /// What all players of this program have in common: they end with their queue, and are the same sender.
    ///
    /// - Throws: `Failure` for a test clock that is none.
    static func ofThisProgram() throws -> QueuePlayer.Configuration {
        var configuration = QueuePlayer.Configuration()
        configuration.staysInRooms = false
        configuration.stateDirectory = Settings.paths.stateDirectory
        var logger = Logger(label: "tutti.output")
        logger.logLevel = .error
        configuration.logger = logger
        do {
            configuration.clock = try HostClock.system(environment: ProcessEnvironment.current)
            configuration.identity = try Settings.store().identity()
        } catch let error as SenderError {
            throw Failure(error)
        } catch {
            throw Failure("\(error)")
        }
        return configuration
    }
}
