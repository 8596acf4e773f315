import ArgumentParser
import TuttiAssets
import TuttiCommandLine

/// `tutti probe`: for the program that takes in files, which opens none of them itself.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Says whether a file can be played, as a line of JSON.", shouldDisplay: false)

    /// Frames that must be there.
    private static let frames = 1_024

    @Argument(help: ArgumentHelp("A file.", valueName: "file"))
    var file: String

    private struct Report: Encodable { var problem: String? }

    func run() throws {
        var report = Report()
        do throws(AssetError) {
            let asset = try Asset.open(AssetInput(uri: file))
            if try asset.read(maximumFrames: Self.frames) == nil { report.problem = "\(file): contains no audio" }
        } catch {
            report.problem = error.description
        }
        Terminal.write(json: report)
    }
}
