import ArgumentParser
import Glibc
import Logging
import TuttiCommandLine
import TuttiHome
import TuttiHost
import TuttiLogging
import TuttiRemote

/// `tutti-mqtt`.
@main
struct Mqtt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-mqtt", abstract: "Shows a running `tutti serve` to an MQTT broker and Home Assistant.",
        discussion: """
            `tutti serve` starts this program if tutti.yaml names a broker (mqtt:), and restarts it if it fails. You \
            need not start it yourself. It asks the service at its control socket and plays nothing.

            Home Assistant finds groups and rooms by MQTT discovery. docs/home-assistant.md lists the topics.

            EXIT STATUS
              0 stopped on request   1 failed   2 wrong usage
            """, version: ProgramVersion.current)

    @Option(help: ArgumentHelp("The broker.", valueName: "name"))
    var host: String

    @Option(help: ArgumentHelp("Its port. (default: 1883, with --tls on 8883)", valueName: "number"))
    var port: Int?

    @Option(help: ArgumentHelp("on: encrypted, and the broker must have a certificate.", valueName: "on|off"))
    var tls = "off"

    @Option(
        help: ArgumentHelp(
            "Who may sign the broker's certificate, PEM. (default: as this system has it)", valueName: "file"))
    var caFile: String?

    @Option(help: ArgumentHelp("A certificate for this client, PEM.", valueName: "file"))
    var certFile: String?

    @Option(help: ArgumentHelp("Its private key, PEM.", valueName: "file"))
    var keyFile: String?

    @Option(help: ArgumentHelp("The user at the broker.", valueName: "name"))
    var username: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password in its first line: a path, or the name of a systemd credential.",
            valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("What all topics begin with.", valueName: "topic"))
    var prefix = "tutti"

    @Option(help: ArgumentHelp("Where Home Assistant looks for devices.", valueName: "topic"))
    var discoveryPrefix = "homeassistant"

    @Option(help: ArgumentHelp("What tells this service from others of the broker.", valueName: "id"))
    var node: String

    @Option(help: ArgumentHelp("The service's control socket. (default: where this user's is)", valueName: "path"))
    var socket: String?

    @OptionGroup var log: LogArguments

    @Flag(help: "End when standard input ends, as it does when the service is gone.")
    var child = false

    static func main() async { await runProgram() }

    func run() throws {
        let log = try log.options()
        let settings = try broker()
        signal(SIGPIPE, SIG_IGN)
        log.apply()
        let logger = Logger(label: "tutti-mqtt")
        let environment = ProcessEnvironment.current
        let topics = HomeTopics(prefix: prefix, discoveryPrefix: discoveryPrefix, node: node)
        let path = socket ?? StatePaths(environment: environment).runtimeDirectory + "/control.sock"
        let bridge = HomeBridge(
            HomeModel(topics: topics, host: HostName.own ?? "this host", version: ProgramVersion.current),
            client: ServiceClient(path: path), logger: logger)
        let end: @Sendable () -> Void = {
            bridge.end()
            // The goodbye is on its way by then.
            usleep(200_000)
            Glibc.exit(0)
        }
        let signals = StopSignals(action: end)
        let parent = child ? ParentWatch(action: end) : nil
        do {
            try bridge.start(settings)
        } catch {
            logger.error("cannot speak MQTT: \(error)")
            throw ExitCode(1)
        }
        withExtendedLifetime((signals, parent)) {
            while true { pause() }
        }
    }

    private func broker() throws -> BrokerSettings {
        guard ["on", "off"].contains(tls) else { throw ValidationError("\(tls): --tls is on or off") }
        let isEncrypted = tls == "on"
        let port = port ?? (isEncrypted ? 8_883 : 1_883)
        guard (1...65_535).contains(port) else { throw ValidationError("\(port): --port is a number from 1 to 65535") }
        guard (certFile == nil) == (keyFile == nil) else {
            throw ValidationError("--cert-file and --key-file need each other")
        }
        var settings = BrokerSettings(
            host: host, port: port, clientID: "tutti-\(HomeTopics(node: node).node)")
        if isEncrypted {
            settings.tls = BrokerSettings.TLS(authorities: caFile)
            if let certFile, let keyFile { settings.tls?.certificate = (certFile, keyFile) }
        }
        settings.user = username
        settings.passwordFile = passwordFile.map {
            CredentialFile.path($0, environment: ProcessEnvironment.current)
        }
        return settings
    }
}
