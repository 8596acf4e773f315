import Foundation
import Testing
import TuttiLab

/// A case of the bench in which something goes away.
struct Outage {
    let result: BenchResult
    let report: ComparisonReport
    /// What the senders printed.
    let words: String

    /// Runs it.
    ///
    /// - Parameter seed: what the rooms' cards are drawn by.
    init(_ bench: BenchCase, cards seed: UInt64) throws {
        let bench = bench.withCards(from: seed)
        let folder = try LabSite.folder(bench.name)
        let result = BenchRunner(programs: LabSite.programs, directory: folder).runTutti(bench)
        print(BenchResult.table([result]))
        let logs = bench.servedAfter != nil ? ["s/serve", "s/serve-again", "s2/serve-again"] : ["s/tutti"]
        let words = logs.map { log in
            let path = "\(folder)/\(bench.name)-tutti-1/\(log).log"
            return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        }.joined()
        #expect(result.failure == nil, "\(words)")
        self.result = result
        report = try #require(result.comparison, "\(words)")
        self.words = words
    }

    /// What a failure shows.
    var said: String { "\(report.table)\n\(words)" }

    /// The last status of a room while the sender played.
    func lastStatus(of room: String) throws -> [String: Any] {
        let file = try #require(result.statusFile)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let rooms = try lines.compactMap { line in
            let status = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (status?["rooms"] as? [[String: Any]])?.first { $0["name"] as? String == room }
        }
        return try #require(rooms.last)
    }

    /// All rooms play on, in step, and without a click.
    func expectAllPlayOn() {
        for room in report.rooms {
            expectMusic(in: room)
            #expect(room.clicks.isEmpty, "\(room.name): \(room.clicks)\n\(said)")
        }
        #expect(report.all.p99 < 200, "\(said)")
    }

    func expectMusic(in room: ComparisonReport.Room) {
        #expect(room.gaps.isEmpty && room.jumps == 0, "\(room.name): \(room.gaps)\n\(said)")
        #expect(room.underruns == 0 && room.resumptions.isEmpty, "\(room.name)\n\(said)")
    }
}
