import ArgumentParser
import Glibc
import Logging
import TuttiCommandLine
import TuttiControl
import TuttiHTTP
import TuttiHost
import TuttiLogging

/// `tutti-web`.
@main
struct Web: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-web", abstract: "Serves the page and the HTTP interface of a running `tutti serve`.",
        discussion: """
            `tutti serve` starts this program and restarts it if it fails; see its options --http and --no-http. You \
            need not start it yourself. It asks the service at its control socket and plays nothing.

            On an address of this host alone, such as 127.0.0.1, it needs no tokens. On any other address it serves \
            HTTPS only, with the certificate of this host's sender or the one that you name, and asks for a token of \
            `tutti token new`.

            EXIT STATUS
              0 stopped on request   1 failed   2 wrong usage
            """, version: ProgramVersion.current)

    @Option(help: ArgumentHelp("Where to listen.", valueName: "address:port"))
    var listen = "127.0.0.1:7780"

    @Option(
        help: ArgumentHelp("The service's control socket. (default: where this user's is)", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The folder for all state of the service. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)",
            valueName: "dir"))
    var stateDir: String?

    @Option(help: ArgumentHelp("A certificate chain for HTTPS, PEM.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var key: String?

    @OptionGroup var log: LogArguments

    @Flag(help: "End when standard input ends, as it does when the service is gone.")
    var child = false

    func run() async throws {
        guard let (address, port) = ListenAddress.parse(listen) else {
            throw ValidationError("\(listen): --listen takes ADDRESS:PORT, such as 127.0.0.1:7780")
        }
        let log = try log.options()
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key need each other")
        }
        signal(SIGPIPE, SIG_IGN)
        log.apply()
        let logger = Logger(label: "tutti-web")
        let paths = StatePaths(environment: ProcessEnvironment.current, stateDirectory: stateDir)
        var configuration = WebServer.Configuration(
            address: address, port: port, socket: socket ?? paths.runtimeDirectory + "/control.sock",
            player: SiblingProgram.player.path, stateDirectory: paths.stateDirectory)
        if let certificate, let key { configuration.certificate = (certificate, key) }
        do {
            try await serve(try WebServer(configuration, logger: logger))
        } catch {
            logger.error("cannot serve HTTP at \(listen): \(error)")
            throw ExitCode(1)
        }
    }

    private func serve(_ server: WebServer) async throws {
        let signals = StopSignals {
            server.end()
            // Listeners get the end of their events; whatever else is under way is cut off.
            usleep(100_000)
            Glibc.exit(0)
        }
        defer { withExtendedLifetime(signals) {} }
        let parent = child ? ParentWatch { Glibc.exit(0) } : nil
        defer { withExtendedLifetime(parent) {} }
        try await server.run()
    }
}
