import Foundation

/// What one case gave with one system and one seed.
package struct BenchResult: Sendable, Codable {
    /// The case's name.
    package var name: String
    /// "tutti", or Snapcast with its version.
    package var system: String
    package var seed: UInt64
    /// How the sender ended; nil when it was stopped on purpose.
    package var exitCode: Int32?
    /// The rooms against each other and the source; nil when the case does not play to the end.
    package var comparison: ComparisonReport?
    /// What the tables show of it.
    package var figures: BenchFigures?
    /// How the rooms obeyed, when commands were given.
    package var steering: SteeringFigures?
    /// Of each time that a service was started again: seconds from the start of its process until it is known that a
    /// room held more than before, by room.
    package var feedings: [[String: Double]]?
    /// What the speakers thought.
    package var selfReport: SelfReport?
    /// What was done to the rooms while they played.
    package var events: [BenchEvent.Record] = []
    /// From the command to the first sound of the last room, ms.
    package var commandToSoundMilliseconds: Double?
    /// From the command until every room held the whole song, ms.
    package var loadedMilliseconds: Double?
    /// The processes while the song plays and nothing is loaded any more.
    package var loads: [ProcessLoad] = []
    /// The rooms that are not measured, where there are many.
    package var crowd: Crowd.Figures?
    /// What `tutti status --json` said, once a line, in this file.
    package var statusFile: String?
    package var network: SwitchStatistics?
    /// For how long the machine stood still at most while the song played, ms.
    package var stallMilliseconds: Double?
    /// How often it was run until the machine did not stand still.
    package var attempts = 1
    /// Why there is no result.
    package var failure: String?

    package init(name: String, system: String, seed: UInt64) {
        self.name = name
        self.system = system
        self.seed = seed
    }

    /// Whether it is Tutti that was measured.
    package var isTutti: Bool { system == "tutti" }

    /// Takes over what the comparison found.
    mutating func take(_ report: ComparisonReport, of bench: BenchCase) {
        commandToSoundMilliseconds = report.rooms.compactMap(\.commandToSoundMilliseconds).max()
        let figures = BenchFigures(
            report, unobservable: bench.unobservable, events: events, wiredRooms: bench.wiredRooms)
        self.figures = figures
        comparison = report
        guard let statusFile, let data = FileManager.default.contents(atPath: statusFile) else { return }
        selfReport = SelfReport(
            status: data.split(separator: UInt8(ascii: "\n")).map { Data($0) }, truth: figures.lastMinute?.p99)
    }
}
