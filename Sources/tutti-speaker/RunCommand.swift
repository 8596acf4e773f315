import ArgumentParser
import Dispatch
import Glibc
import Logging
import TuttiHost
import TuttiSpeaker

/// `tutti-speaker [run]`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs a speaker in the foreground (the default).")

    @Option(help: ArgumentHelp("The room's name. (default: this host's name)", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where the sound goes: an ALSA PCM, file:PATH.wav or null. (default: default)", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("TCP port to listen on; 0 takes a free one. (default: 7700)", valueName: "port"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "Where identity and settings are kept. (default: $XDG_STATE_HOME/tutti, /var/lib/tutti for root)",
            valueName: "dir"))
    var stateDir: String?

    @Option(
        help: ArgumentHelp("How much audio is held ahead, as in 30s, 5m, 1h. (default: 5m)", valueName: "duration"))
    var buffer: String?

    @Option(
        help: ArgumentHelp(
            """
            How late this output is heard, in milliseconds to a tenth: for an amplifier that adds 100 ms give 100, and the \
            speaker sends its sound 100 ms earlier. (default: as stored, at first 0)
            """, valueName: "ms"))
    var outputDelay: Double?

    @Option(
        help: ArgumentHelp(
            "on: follow the group's clock; off: play at the card's own rate, bit for bit, and drift. (default: on)",
            valueName: "on|off"))
    var correction: String?

    @Option(help: ArgumentHelp("A YAML file with settings.", valueName: "file"))
    var config: String?

    @Flag(help: "Do not announce the speaker by mDNS; senders name it as NAME@HOST:PORT.")
    var noMdns = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error. (default: info)", valueName: "level"))
    var logLevel: String?

    func run() async throws {
        let settings = try await Settings(flags: self)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = settings.logLevel
            return handler
        }
        let logger = Logger(label: "tutti-speaker")
        signal(SIGPIPE, SIG_IGN)
        let interrupts = Self.interrupts()
        do {
            let clock = try HostClock.system(environment: Settings.environment)
            let service = try await SpeakerService(configuration: settings.speaker, clock: clock, logger: logger)
            if let delay = outputDelay {
                logger.info("output delay", metadata: ["effect": "\(Self.effect(of: delay))"])
            }
            for await _ in interrupts.signals { break }
            await service.shutdown()
            withExtendedLifetime(interrupts.sources) {}
        } catch {
            FileOutput.standardError("tutti-speaker: \(error)\n")
            throw ExitCode.failure
        }
    }

    private static func effect(of delay: Double) -> String {
        delay == 0
            ? "sound goes out on time"
            : "sound goes out \(abs(delay)) ms \(delay > 0 ? "earlier, because the output is late" : "later")"
    }

    /// SIGINT and SIGTERM as they come; a second one ends the process at once. The sources work while they are held.
    private static func interrupts() -> (sources: [any DispatchSourceSignal], signals: AsyncStream<Int32>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield(number)
            }
            source.resume()
            return source
        }
        return (sources, stream)
    }
}
