import ArgumentParser
import Dispatch
import Glibc
import Logging
import TuttiHost
import TuttiHouse
import TuttiStore

/// `tutti serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the service that plays music for the other commands, in several groups at once.",
        discussion: """
            While it runs, `tutti play` and all other commands hand it their work and may go: what is heard goes on without them. It \
            plays in any number of groups at once, each with its own queue; a room is in one of them, the one that was asked for last. The \
            commands find it by its socket; where several groups play they take --group NAME, or TUTTI_GROUP.

            It remembers what it plays, its groups of rooms and its schedules in tutti.sqlite of the state directory, and everything that a command \
            did is there when that command ends. At SIGTERM or SIGINT, for an update say, it ends within a second and leaves the rooms \
            playing from what they hold, which is minutes; started again, it goes on feeding them without a gap. So it does when it was \
            killed. `tutti stop` is what stops the music.

            It stays in the foreground and logs on standard error. Under systemd (Type=notify) it says when it is ready, how many groups \
            play and that it is alive (WatchdogSec).

            EXAMPLES
              tutti serve &
              tutti play ~/Music/Bach --group downstairs --detach
              tutti play radio.m3u --room attic --detach
              tutti volume --group downstairs -5; tutti at mon-fri 07:00 play radio.m3u --room bedroom --fade 1m

            EXIT STATUS
              0 ended on request   1 failed, or another one runs   2 wrong usage
            """)

    @Option(
        help: ArgumentHelp(
            "Where everything is kept. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)", valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp(
            "system: take group clocks from system clocks that PTP or NTP disciplines. (default: own)",
            valueName: "own|system"))
    var clock: String?

    @Option(
        help: ArgumentHelp(
            "Stamps that the network interface makes: use them where they are on, switch them on, or neither. (default: auto)",
            valueName: "auto|on|off"))
    var hardwareStamps: String?

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
    var logLevel: String?

    func run() async throws {
        let settings = try Settings.load()
        let level = try settings.value(SenderSetting.logLevel, flag: logLevel) ?? .info
        let clock = try settings.clock(source: clock, stamps: hardwareStamps)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        let paths = StatePaths(environment: ProcessEnvironment.current, stateDirectory: stateDir)
        try await Service(paths: paths, clock: clock, logger: Logger(label: "tutti")).run()
    }
}
