import ArgumentParser
import Glibc
import Logging
import Synchronization
import Tutti
import TuttiCommandLine
import TuttiHost
import TuttiLogging
import TuttiScreen
import TuttiSpeaker

/// `tutti-screen`.
@main
struct ScreenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tutti-screen",
        abstract: "Shows the pictures of what a Tutti sender plays, in step with the sound in the rooms.",
        discussion: """
            Run it on the host with the display. The screen is one more room: it announces itself by mDNS, belongs to \
            the household that plays on it first, and follows the group's clock. A film shows its video, music its \
            cover. Its sound is silent unless --device names a card, such as the one of the display.

            If the picture comes late, because the display takes its time, tell the sender with `tutti delay NAME MS`: \
            the screen then shows everything so much earlier.

            EXAMPLES
              tutti-screen --name tv --fullscreen
              tutti-screen --name projector --fullscreen --display 2 --device hdmi:CARD=PCH,DEV=0
              tutti play film.mkv --group downstairs --screen tv

            EXIT STATUS
              0 stopped on request, or the window was closed   1 failed   2 wrong usage

            FILES
              $XDG_STATE_HOME/tutti-screen (root: /var/lib/tutti-screen)
                  the screen's key, the household that it belongs to, its delay
            """, version: ProgramVersion.current)

    // Not `runProgram`, which may go on with another thread than the one that a window needs.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            Terminal.writeError(fullMessage(for: error) + "\n")
            exit(withError: ExitCode(2))
        }
    }

    @OptionGroup var options: ScreenOptions
    @OptionGroup var log: LogArguments

    func run() throws {
        let log = try log.options()
        log.apply()
        let logger = Logger(label: "tutti-screen")
        signal(SIGPIPE, SIG_IGN)
        let isOver = Flag()
        do {
            let pictures = try ScreenPictures()
            let clock = try HostClock.system(environment: ProcessEnvironment.current)
            let window = try ScreenWindow(options.window, pictures: pictures, clock: clock)
            let captions = ScreenCaptions(pictures, clock: clock)
            try captions.run()
            defer { captions.stop() }
            let stream = try StreamPictures(sink: pictures, captions: captions)
            let screen = try ScreenService(options.speaker(showing: stream), clock: clock, logger: logger)
            let signals = StopSignals(StopSignals.ofTerminal) { isOver.raise() }
            defer { withExtendedLifetime(signals) {} }
            let outcome = try window.run { isOver.isRaised }
            screen.stop()
            let performance = stream.renderer.performance
            logger.info(
                "\(outcome == .closed ? "the window was closed" : "stopped")",
                metadata: [
                    "shown": "\(performance.shownFrames)",
                    "dropped": "\(performance.droppedFrames + pictures.status.droppedFrames)",
                    "damaged": "\(performance.damagedFrames)",
                ])
        } catch {
            logger.error("\(error)")
            throw ExitCode.failure
        }
    }
}

/// Whether the program is to end.
private final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .relaxed) }

    var isRaised: Bool { value.load(ordering: .relaxed) }
}
