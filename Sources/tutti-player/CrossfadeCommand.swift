import ArgumentParser
import TuttiCommandLine
import TuttiCore
import TuttiSchema
import TuttiSender

/// `tutti crossfade`.
struct CrossfadeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crossfade", abstract: "Shows or sets how long a track overlaps with the next one.",
        discussion: """
            The end of a track fades out while the next one fades in. A crossfade takes at most half of either track. \
            With 0, tracks follow each other without a gap. A change applies to all transitions that have not begun.

            There is no crossfade after `tutti next` and `tutti jump`, with live streams or standard input, or after \
            a track of unknown length.
            """)

    @Argument(parsing: .allUnrecognized, help: "Seconds, 0 to 12.")
    var seconds: [String] = []

    @OptionGroup var target: GroupOption

    func run() throws {
        guard seconds.count <= 1 else { throw Failure("usage: tutti crossfade [0-12]", exitCode: 2) }
        guard let seconds = seconds.first else {
            let status = try target.steer(ControlRequest(.status))
            return Terminal.write(StatusText.seconds(status.queue.crossfade ?? 0) + "\n")
        }
        try target.steer(ControlRequest(.crossfade(try Self.parse(seconds).seconds)))
    }

    /// - Throws: `ProgramFailure` with exit status 2 for what is no crossfade's length.
    static func parse(_ text: String) throws -> MediaTime {
        do {
            return try MediaTime(crossfade: Double(text) ?? .nan)
        } catch {
            throw Failure("\(text): \(error)", exitCode: 2)
        }
    }
}
