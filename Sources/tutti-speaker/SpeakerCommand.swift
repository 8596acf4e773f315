import ArgumentParser
import Glibc
import Logging
import TuttiHost
import TuttiLogging
import TuttiSpeaker

/// The program: `tutti-speaker` alone runs a speaker.
@main
struct SpeakerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-speaker",
        abstract: "Plays audio from a Tutti sender, in sync with the other rooms.",
        discussion: """
            Without a subcommand, this runs a speaker in the foreground until it gets SIGINT or SIGTERM.

            Flags override the environment (TUTTI_NAME, TUTTI_DEVICE, …), which overrides the file given with \
            --config. Without --config, the file is speaker.yaml in $XDG_CONFIG_HOME/tutti or /etc/tutti.

            EXAMPLES
              tutti-speaker --name kitchen
              tutti-speaker --name bath --device hw:1,0 --output-delay 35
              tutti-speaker --output kitchen=hw:0 --output bath=hw:1
              tutti-speaker --name test --device file:/tmp/test.wav --no-mdns

            EXIT STATUS
              0 stopped on request   1 failed   2 wrong usage or configuration

            FILES
              $XDG_CONFIG_HOME/tutti/speaker.yaml, /etc/tutti/speaker.yaml
                  settings; the installed file explains each of them
              $XDG_STATE_HOME/tutti/speaker.json (root: /var/lib/tutti)
                  the speaker's volume, output delay and measured clock rates
              node-key.pem, claim.json, claim-token beside it
                  the speaker's key, the household that it belongs to, the token to claim it
            """,
        version: ProgramVersion.current,
        subcommands: [CheckCommand.self, DevicesCommand.self, ResetCommand.self, TokenCommand.self])

    @OptionGroup var options: SpeakerOptions

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // A wrong command line is exit status 2 in all of this project's programs.
            let code = exitCode(for: error)
            if code == .validationFailure {
                FileOutput.standardError(fullMessage(for: error) + "\n")
                exit(withError: ExitCode(2))
            }
            exit(withError: error)
        }
    }

    func run() async throws {
        let settings = try SpeakerSettings.told(by: options)
        settings.log.apply()
        let logger = Logger(label: "tutti-speaker")
        signal(SIGPIPE, SIG_IGN)
        // systemd's watchdog ends with it who gives no sign of life; Swift would print where it stands and live on.
        signal(SIGABRT, SIG_DFL)
        let signals = StopSignals()
        do {
            var clock = try HostClock.system(environment: ProcessEnvironment.current)
            (clock.hardwareStamps, clock.usesSystemClock) = (settings.hardwareStamps, settings.usesSystemClock)
            let services = try await Self.start(settings.speakers, clock: clock, logger: logger)
            if let delay = options.outputDelay {
                logger.info("output delay", metadata: ["effect": "\(Self.effect(of: delay))"])
            }
            let notifier = ServiceNotifier(environment: ProcessEnvironment.current)
            notifier.tell("READY=1")
            let reporting = Task { await notifier.report { await Self.state(of: services) } }
            await signals.first()
            notifier.tell("STOPPING=1")
            reporting.cancel()
            await Self.stop(services)
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }

    /// Starts all speakers, or none.
    private static func start(
        _ configurations: [SpeakerConfiguration], clock: HostClock, logger: Logger
    ) async throws(SpeakerError) -> [SpeakerService] {
        var services: [SpeakerService] = []
        do throws(SpeakerError) {
            for configuration in configurations {
                var logger = logger
                if configurations.count > 1 { logger[metadataKey: "room"] = "\(configuration.name)" }
                services.append(try await SpeakerService(configuration: configuration, clock: clock, logger: logger))
            }
        } catch {
            await stop(services)
            throw error
        }
        return services
    }

    private static func stop(_ services: [SpeakerService]) async {
        await withTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { await service.shutdown() } }
        }
    }

    /// What they do, in the order of their rooms: no answer comes from one that is stuck.
    private static func state(of services: [SpeakerService]) async -> String {
        var states: [String] = []
        for service in services { states.append(await service.state()) }
        return states.joined(separator: ", ")
    }

    private static func effect(of delay: Double) -> String {
        delay == 0
            ? "no correction"
            : "plays \(abs(delay)) ms \(delay > 0 ? "earlier" : "later")"
    }
}
