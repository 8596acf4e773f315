import ArgumentParser
import Logging
import TuttiCommandLine
import TuttiHost
import TuttiLogging
import TuttiPipeWire

/// `tutti-pipewire`.
@main
struct PipeWire: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-pipewire",
        abstract: "Puts the groups of a running `tutti serve` among a desktop's sound outputs.",
        discussion: """
            Any program of your session can play in your rooms then. Each group that you have made is an output of \
            PipeWire, "Tutti GROUP", and tutti.GROUP for programs. If there is no group, the output "Tutti" plays in \
            all rooms. The output's volume is the group's. Run it in your session: systemctl --user enable --now \
            tutti-pipewire.

            When a program begins to play there, the service is asked to play it in that group. What played before \
            is interrupted, and resumes when the program has been silent for a while. It waits for the service, and \
            for one that is restarted.

            With --input, it works the other way round too: the service can play what a source such as a microphone \
            captures, or what plays at an output of yours, as the live input pipewire:NAME. Only nodes that you name \
            are offered, and a node is captured only while the service plays it. A node that is not there is waited \
            for. pw-cli ls Node | grep node.name lists the names of nodes.

            EXAMPLES
              pw-play --target tutti.downstairs song.flac
              wpctl set-volume "$(pw-cli info tutti.downstairs | sed -n 's/.*id: //p')" 0.4
              tutti-pipewire --latency 500ms
              tutti-pipewire --input phono=alsa_input.usb-Phono-00.analog-stereo
              tutti play pipewire:phono --group downstairs

            EXIT STATUS
              0 stopped on request   1 no PipeWire, or it is gone   2 wrong usage
              3 another tutti-pipewire runs here
            """, version: ProgramVersion.current)

    @Option(
        help: ArgumentHelp(
            "The service's control socket. (default: the one that `tutti` uses)", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            """
            Where the sockets are from which the service reads sound; it must be able to open them. (default: beside \
            the control socket of your own service, else /run/tutti-sound)
            """, valueName: "dir"))
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "From when a program plays something until you hear it: 50ms to 10s. Video players wait for it.",
            valueName: "time"))
    var latency = "200ms"

    @Option(
        help: ArgumentHelp(
            "Without sound for so long, a group is silent, and what was interrupted resumes: 1s to 1h.",
            valueName: "time"))
    var idle = "10s"

    @Option(
        help: ArgumentHelp(
            """
            A node whose sound the service can have, as pipewire:NAME: a source, or an output, of which it is what \
            plays there. A name that is given has letters, digits, . _ and -. May be given several times.
            """, valueName: "[name=]node"))
    var input: [String] = []

    @OptionGroup var log: LogArguments

    static func main() async { await runProgram() }

    func run() throws {
        guard let latency = ShortTime.seconds(latency), 0.05...10 ~= latency else {
            throw ValidationError("\(latency): --latency takes 50ms to 10s")
        }
        guard let idle = ShortTime.seconds(idle), 1...3600 ~= idle else {
            throw ValidationError("\(idle): --idle takes 1s to 1h")
        }
        let inputs = try input.map { text in
            guard let input = OfferedInput(text) else {
                throw ValidationError(
                    "\(text): --input takes NODE or NAME=NODE; NAME has up to 64 letters, digits, . _ and -")
            }
            return input
        }
        guard inputs.count <= OfferedInput.most, Set(inputs.map(\.name)).count == inputs.count else {
            throw ValidationError("--input: at most \(OfferedInput.most) inputs, each with a name of its own")
        }
        let log = try log.options()
        log.apply()
        let logger = Logger(label: "tutti-pipewire")
        let environment = ProcessEnvironment.current
        let find: @Sendable () -> String = { [socket] in
            socket ?? StatePaths(environment: environment).runtimeDirectory + "/control.sock"
        }
        let folder = folder ?? SocketFolder.usual(besides: find())
        var configuration = PipeWireSession.Configuration(
            socket: find, folder: folder, latency: latency, idle: idle,
            title: HostName.own.map { "Sound of \($0)" } ?? "Sound of a desktop")
        configuration.inputs = inputs
        do {
            // It is held for as long as the program runs.
            try SocketFolder.prepare(folder)
            guard let lock = try FileLock(path: folder + "/pipewire.lock") else {
                logger.error("another tutti-pipewire serves \(folder)")
                throw ExitCode(3)
            }
            defer { withExtendedLifetime(lock) {} }
            let session = try PipeWireSession(configuration, logger: logger)
            let signals = StopSignals(StopSignals.ofTerminal, action: session.end)
            defer { withExtendedLifetime(signals) {} }
            try session.run()
        } catch let code as ExitCode {
            throw code
        } catch {
            logger.error("\(error)")
            throw ExitCode(1)
        }
    }
}
