import ArgumentParser
import Logging
import TuttiCommandLine
import TuttiControl
import TuttiDesktop
import TuttiHost
import TuttiLogging

/// `tutti-desktop`.
@main
struct Desktop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-desktop", abstract: "Puts the groups of a running `tutti serve` among a desktop's players.",
        discussion: """
            Media keys, the desktop's own controls and playerctl control your rooms then. Each group that has a queue \
            is a player on the session bus, org.mpris.MediaPlayer2.tutti.GROUP, as MPRIS 2 describes it. Run it in \
            your session: systemctl --user enable --now tutti-desktop.

            It waits for the service, and for one that is restarted. If no service runs, it shows what a `tutti play` \
            of yours plays.

            EXAMPLES
              playerctl --player tutti.downstairs play-pause
              playerctl --player tutti.downstairs volume 0.4

            EXIT STATUS
              0 stopped on request   1 no session bus, or it is gone   2 wrong usage
              3 another tutti-desktop runs in this session
            """, version: ProgramVersion.current)

    @Option(
        help: ArgumentHelp(
            "The service's control socket. (default: the one that `tutti` uses)", valueName: "path"))
    var socket: String?

    @Flag(help: "Show no pictures of what plays.")
    var noArtwork = false

    @OptionGroup var log: LogArguments

    static func main() async { await runProgram() }

    func run() throws {
        let log = try log.options()
        log.apply()
        let logger = Logger(label: "tutti-desktop")
        let environment = ProcessEnvironment.current
        let find: @Sendable () -> String = { [socket] in
            socket ?? StatePaths(environment: environment).runtimeDirectory + "/control.sock"
        }
        let login = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let configuration = DesktopSession.Configuration(
            socket: find, player: SiblingProgram.player.path,
            artworkDirectory: noArtwork ? nil : login.map { $0 + "/tutti-desktop" })
        do {
            let session = try DesktopSession(configuration, environment: environment, logger: logger)
            let signals = StopSignals(StopSignals.ofTerminal, action: session.end)
            defer { withExtendedLifetime(signals) {} }
            try session.run()
        } catch BusError.nameTaken(DesktopSession.name) {
            logger.error("another tutti-desktop runs in this session")
            throw ExitCode(3)
        } catch {
            logger.error("\(error)")
            throw ExitCode(1)
        }
    }
}
