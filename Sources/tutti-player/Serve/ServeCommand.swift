import ArgumentParser
import Dispatch
import Glibc
import Logging
import TuttiHost
import TuttiHouse
import TuttiLogging
import TuttiStore

/// `tutti serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the service that plays music for the other commands, in several groups at once.",
        discussion: """
            While the service runs, `tutti play` and the other commands pass their work to it and return. It plays in \
            any number of groups at once, each with its own queue. A room plays in one group at a time: the one that \
            asked for it last. The commands find the service by its socket. If several groups play, give the commands \
            --group NAME or TUTTI_GROUP.

            The service stores what it plays, its groups of rooms and its schedules in tutti.sqlite, in the state \
            directory. When a command ends, everything it did is on the disk. At SIGTERM or SIGINT, the service stops \
            within a second, and the rooms keep playing from their buffers, for minutes. When you restart it, it \
            continues from there, without a gap. The same happens if it is killed. To stop the music, use `tutti \
            stop`.

            It stays in the foreground and logs to standard error. Under systemd (Type=notify), it reports when it is \
            ready and how many groups play, and it serves the watchdog (WatchdogSec).

            It runs commands of yours when something happens, which stand in tutti.yaml (hooks:); docs/operations.md \
            describes them.

            It also serves a page for browsers and an HTTP interface at http://127.0.0.1:7780, through the program \
            tutti-web. docs/http.md describes it.

            If tutti.yaml names an MQTT broker (mqtt:), it shows groups and rooms there through the program \
            tutti-mqtt, so that Home Assistant finds them. docs/home-assistant.md describes it.

            With --mpd, or mpd: in tutti.yaml, clients of MPD control it through the program tutti-mpd. docs/mpd.md \
            describes it.

            Live inputs under inputs: in tutti.yaml begin when something sounds, and say what they play. docs/live.md \
            describes them.

            Folders under library: in tutti.yaml are added to the music library, and looked at while it runs. \
            docs/library-of-music.md describes it.

            EXAMPLES
              tutti serve &
              tutti serve --http 0.0.0.0:7780
              tutti play ~/Music/Bach --group downstairs --detach
              tutti play radio.m3u --room attic --detach
              tutti volume --group downstairs -5
              tutti at mon-fri 07:00 play radio.m3u --room bedroom --fade 1m

            EXIT STATUS
              0 stopped on request   1 failed, or another service runs   2 wrong usage
            """)

    @Option(
        help: ArgumentHelp(
            "The folder for all state. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)", valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp(
            "own: Tutti measures the group's clock itself; system: it comes from the system clocks. (default: own)",
            valueName: "own|system"))
    var clock: String?

    @Option(
        help: ArgumentHelp(
            "Network hardware stamps: use them if they are on, switch them on, or ignore them. (default: auto)",
            valueName: "auto|on|off"))
    var hardwareStamps: String?

    @Flag(
        help: """
            Speak to speakers in the clear, without a household, while you update from a version that knew none. \
            Speakers of this version need --open too then.
            """)
    var open = false

    @Option(
        help: ArgumentHelp(
            """
            Where to serve the page and the HTTP interface. On an address other than this host's own, HTTPS and \
            tokens of `tutti token new` protect it. (default: 127.0.0.1:7780)
            """, valueName: "address:port"))
    var http: String?

    @Flag(help: "Serve no HTTP.")
    var noHttp = false

    @Option(
        help: ArgumentHelp(
            "A certificate chain for HTTPS, PEM. (default: that of this sender in its household)", valueName: "file"))
    var httpCertificate: String?

    @Option(help: ArgumentHelp("The private key of that certificate, PEM.", valueName: "file"))
    var httpKey: String?

    @Option(
        help: ArgumentHelp(
            """
            Where to serve clients of MPD; on for 127.0.0.1:6600. On an address other than this host's own, \
            mpd.password-file in tutti.yaml must name a password. (default: off)
            """, valueName: "address:port"))
    var mpd: String?

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("text, or json: one JSON object a line. (default: text)", valueName: "format"))
    var logFormat: String?

    func run() async throws {
        if open { PlayerSettings.speakInTheClear() }
        let settings = try PlayerSettings.load()
        let log = LogOptions(
            level: try settings.value(SenderSetting.logLevel, flag: logLevel) ?? .info,
            format: try settings.value(SenderSetting.logFormat, flag: logFormat) ?? .text)
        let clock = try settings.clock(source: clock, stamps: hardwareStamps)
        log.apply()
        let paths = StatePaths(environment: ProcessEnvironment.current, stateDirectory: stateDir)
        let web = try WebOptions(
            address: settings.value(SenderSetting.http, flag: noHttp ? "off" : http) ?? WebOptions.usualAddress,
            certificate: settings.value(SenderSetting.httpCertificate, flag: httpCertificate),
            key: settings.value(SenderSetting.httpKey, flag: httpKey), log: log)
        let service = Service(
            paths: paths, clock: clock, web: web, mqtt: try MQTTOptions(settings, log: log),
            mpd: try MPDOptions(settings, flag: mpd, log: log), hooks: try HookOptions(settings),
            inputs: try settings.liveInputs(),
            music: try settings.value(SenderSetting.library) ?? [],
            logger: Logger(label: "tutti"))
        try await service.run()
    }
}
