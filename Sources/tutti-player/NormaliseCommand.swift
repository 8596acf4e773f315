public import ArgumentParser
import TuttiCommandLine
public import TuttiCore
import TuttiSchema
import TuttiSender

extension LoudnessNormalization: ExpressibleByArgument {}

/// `tutti normalise`.
struct NormaliseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "normalise", abstract: "Makes tracks or albums equally loud, or plays them as they are.",
        discussion: """
            `track` plays every track at -18 LUFS. `album` does so with whole albums, and leaves quiet tracks of a \
            loud album quiet. `off` plays all as it is, bit for bit. Without a mode, the command shows the mode.

            How loud a track is comes from `tutti loudness`, or else from its ReplayGain or R128 tags. A track of \
            unknown loudness counts as -14 LUFS. Nothing is raised so far that a peak exceeds -1 dBTP.

            A change is heard within a second or two. A live stream keeps its loudness until it is started again.
            """, aliases: ["normalize"])

    @Argument(help: "off, track or album.")
    var mode: LoudnessNormalization?

    @OptionGroup var target: GroupOption

    func run() throws {
        if let mode { return _ = try target.steer(ControlRequest(.normalise(mode))) }
        let status = try target.steer(ControlRequest(.status))
        Terminal.write("\((status.queue.normalise ?? .off).rawValue)\n")
    }
}
