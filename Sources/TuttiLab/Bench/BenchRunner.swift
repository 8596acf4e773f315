import Foundation

/// Runs cases of the bench: a lab for each, the programs in it, the comparison after it.
package struct BenchRunner: Sendable {
    package var programs: LabPrograms
    /// Everything goes here, a folder for each case, system and seed.
    package var directory: String
    /// Whether recordings stay when they have been compared.
    package var keepsRecordings = true

    /// Seconds to wait beyond the song's length.
    static let patience = 30.0
    /// The song must have played for this long before processor time is counted: everything is loaded then.
    static let settling = 15.0

    package init(programs: LabPrograms, directory: String) {
        self.programs = programs
        self.directory = directory
    }

    /// Runs a case with Tutti; a failure is part of the result.
    package func runTutti(_ bench: BenchCase) -> BenchResult {
        run(bench, system: "tutti") { bench, session, song, result throws(LabError) in
            if let missing = programs.missing { throw missing }
            try TuttiRun(bench: bench, session: session, song: song, programs: programs).run(&result)
        }
    }

    /// Runs a case with Snapcast; a failure is part of the result.
    package func runSnapcast(_ bench: BenchCase) -> BenchResult {
        run(bench, system: SnapcastRun.version) { bench, session, song, result throws(LabError) in
            try SnapcastRun(bench: bench, session: session, song: song).run(&result)
        }
    }

    /// Seeds between two houses whose links and cards are drawn.
    private static let drawnHouse: UInt64 = 1_000

    private typealias Body = (BenchCase, LabSession, BenchSong, inout BenchResult) throws(LabError) -> Void

    private func run(_ named: BenchCase, system: String, _ body: Body) -> BenchResult {
        let bench = named.isDrawn ? named.withLinks(from: Self.drawnHouse * named.seed) : named
        var result = BenchResult(name: bench.name, system: system, seed: bench.seed)
        do {
            if let missing = programs.missingCard { throw missing }
            let song = try BenchSong(
                seconds: bench.seconds, rate: bench.rates.song, pieces: bench.pieces, directory: directory)
            let name = ResultStore.name(case: bench.name, system: system, seed: bench.seed)
            let session = try LabSession(
                rooms: bench.rooms, senderLink: bench.senderLink, seed: bench.seed, directory: "\(directory)/\(name)",
                cardPlugin: programs.cardPlugin, cardRate: bench.rates.cards,
                hasSpare: bench.events.contains { $0.action == .startService(host: LabSession.spare) })
            defer {
                session.close()
                if !keepsRecordings { session.removeRecordings() }
            }
            try body(bench, session, song, &result)
            result.network = session.hosts.network.statistics
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    /// Compares what the cards of a run played after the command with its song.
    static func compare(_ session: LabSession, _ song: BenchSong, command: Int64) throws(LabError) -> ComparisonReport {
        try LabError.failing {
            Comparison(
                source: try WaveFile(path: song.wave),
                cards: try session.cardLogs.map { path in try CardRecording(path: path).cropped(from: command) },
                commandTime: command
            ).report()
        }
    }

    /// Finds out how the rooms obeyed commands.
    static func judge(
        _ session: LabSession, _ song: BenchSong, _ commands: [SteeringStep.Record], since start: Int64
    ) throws(LabError) -> SteeringFigures {
        try LabError.failing {
            SteeringAnalysis(
                source: try WaveFile(path: song.wave),
                cards: try session.cardLogs.map { path in try CardRecording(path: path).cropped(from: start) }
            ).figures(of: commands)
        }
    }
}
