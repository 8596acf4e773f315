import ArgumentParser
import Glibc
import Logging
import TuttiCommandLine
import TuttiControl
import TuttiHost
import TuttiLogging
import TuttiMPD
import TuttiRemote

/// `tutti-mpd`.
@main
struct Mpd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-mpd", abstract: "Serves a running `tutti serve` to clients of MPD.",
        discussion: """
            `tutti serve` starts this program if it is told to (--mpd, or mpd: in tutti.yaml), and restarts it if it \
            fails. You need not start it yourself. It asks the service at its control socket and plays nothing.

            Groups are partitions, and rooms are outputs. docs/mpd.md lists the commands.

            The protocol is not encrypted. On an address other than this host's own, it asks for a password.

            EXIT STATUS
              0 stopped on request   1 failed   2 wrong usage
            """, version: ProgramVersion.current)

    @Option(help: ArgumentHelp("Where to listen.", valueName: "address:port"))
    var listen = "127.0.0.1:6600"

    @Option(
        help: ArgumentHelp(
            """
            A file with a password a line, each with what it permits after an @ (read,add,control,admin; by default \
            all of it): a path, or the name of a systemd credential.
            """, valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("The group that clients begin in. (default: the one that plays)", valueName: "name"))
    var group: String?

    @Option(help: ArgumentHelp("The service's control socket. (default: where this user's is)", valueName: "path"))
    var socket: String?

    @OptionGroup var log: LogArguments

    @Flag(help: "End when standard input ends, as it does when the service is gone.")
    var child = false

    static func main() async { await runProgram() }

    func run() async throws {
        guard let (address, port) = ListenAddress.parse(listen) else {
            throw ValidationError("\(listen): --listen takes ADDRESS:PORT, such as 127.0.0.1:6600")
        }
        guard passwordFile != nil || ListenAddress.isLocal(address) else {
            throw ValidationError("\(listen): other hosts can reach this address, so it needs --password-file")
        }
        let log = try log.options()
        signal(SIGPIPE, SIG_IGN)
        log.apply()
        let logger = Logger(label: "tutti-mpd")
        let environment = ProcessEnvironment.current
        let signals = StopSignals { Glibc.exit(0) }
        let parent = child ? ParentWatch { Glibc.exit(0) } : nil
        defer { withExtendedLifetime((signals, parent)) {} }
        let path = socket ?? StatePaths(environment: environment).runtimeDirectory + "/control.sock"
        do {
            let client = ServiceClient(path: path)
            let service = MPDService(
                client, usualGroup: group, player: SiblingProgram.player.path, logger: logger)
            let library = ServiceMPDLibrary(client, logger: logger)
            let commander = MPDCommander(service, library: library, passwords: try passwords(environment))
            let server = MPDServer(commander, logger: logger)
            service.onChange { library.changed($0) }
            try service.start { server.tell($0) }
            try library.start { server.tell($0) }
            try await server.start(address: address, port: port)
            while true { try await Task.sleep(for: .seconds(3_600)) }
        } catch {
            logger.error("cannot serve MPD's protocol at \(listen): \(error)")
            throw ExitCode(1)
        }
    }

    private func passwords(_ environment: [String: String]) throws -> MPDPasswords {
        guard let passwordFile else { return MPDPasswords() }
        let path = CredentialFile.path(passwordFile, environment: environment)
        guard let bytes = try AtomicFile.read(path) else { throw Failure("there is no password file \(path)") }
        let passwords = MPDPasswords(text: String(decoding: bytes, as: UTF8.self))
        guard !passwords.isEmpty else { throw Failure("there is no password in \(path)") }
        return passwords
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
