import ArgumentParser
import Foundation
import TuttiLab

/// `tutti-lab compare`: recordings with truth against each other and against the source.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measures how far apart rooms played, and whether they played the song.",
        discussion: """
            Name each card by its truth log (h1.log, h1.wav.timing.json) or its recording (h1.wav). Offsets are in \
            microseconds of true time, from the first audible sample on.
            """)

    @Option(help: "The song that was played: a WAV file.")
    var source: String

    @Option(help: "The truth log or recording of a card; repeat for each room.")
    var card: [String]

    @Option(name: .customLong("command-raw-ns"), help: "The instant of the play command (CLOCK_MONOTONIC_RAW, ns).")
    var commandTime: Int64?

    @Flag(help: "Print the whole report as JSON.")
    var json = false

    @Option(help: "Write a plot of the offsets over time to this SVG file.")
    var plot: String?

    func validate() throws {
        guard !card.isEmpty else { throw ValidationError("name at least one --card") }
    }

    func run() throws {
        let song = try WaveFile(path: source)
        let cards = try card.map { path in try CardRecording(path: path) }
        let report = Comparison(source: song, cards: cards, commandTime: commandTime).report()
        print(try json ? report.prettyJSON : report.table)
        if let plot {
            do {
                try Data(report.plot.utf8).write(to: URL(fileURLWithPath: plot))
            } catch {
                throw AnalysisError.unwritable(path: plot)
            }
        }
    }
}
