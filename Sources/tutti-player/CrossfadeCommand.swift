import ArgumentParser
import TuttiCommandLine
import TuttiCore
import TuttiSchema
import TuttiSender

/// `tutti crossfade`.
struct CrossfadeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crossfade", abstract: "Shows or sets how long a track and the next overlap.",
        discussion: """
            The ending of a piece becomes softer while the next one already begins and becomes louder, for so many seconds: at most half \
            of either piece. 0 lets them follow each other without a gap. It holds from the next join on that is not heard yet. \
            `tutti next` and `tutti jump` begin at once, without one; so do live streams, standard input and what follows those, and \
            a piece behind one whose length its file does not tell.
            """)

    @Argument(parsing: .allUnrecognized, help: "0 to 12.")
    var seconds: [String] = []

    @OptionGroup var target: GroupOption

    func run() throws {
        guard seconds.count <= 1 else { throw Failure("give one crossfade, from 0 to 12 s", exitCode: 2) }
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
