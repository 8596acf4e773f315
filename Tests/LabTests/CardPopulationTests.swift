import Foundation
import Testing
import TuttiCards
import TuttiLab

extension MeasurementTests {
    /// Rooms on cards as they are: drawn from the population, each with peculiarities of its own.
    @Suite("Card population", .enabled(if: LabSite.cards.isMet, LabSite.cards.comment))
    struct CardPopulationTests {
        /// Cards that are all different; each set is one house beside a card without peculiarities.
        static let houses: [[UInt64]] = [[1, 2, 3], [4, 5, 6]]

        @Test(
            "half a second after an underrun any card is within 20 µs of one that never had any, and says itself how far it is",
            arguments: houses)
        func underruns(seeds: [UInt64]) throws {
            let house = try Household("population-\(seeds[0])")
            let song = try house.writeMonoSong("song", seconds: 14)
            let cards =
                [LabCard(name: "plain", directory: house.folder, ppm: 20)]
                + seeds.map { LabCard(name: "card\($0)", directory: house.folder, seed: $0, xruns: [6, 10]) }
            let (report, own) = try Self.play(song, on: cards, in: house, lookingAfter: 13)
            let began = try #require(report.rooms.compactMap(\.firstSoundRawNanoseconds).min())
            for card in cards.dropFirst() {
                let runs = try CardRecording(path: card.logPath).truth.runs
                #expect(runs.count >= 3, "\(card.name) ran \(runs.count) times: \(card.traits)")
                let restarts = runs.dropFirst().map { Double($0.start - began) / 1e9 }
                let offsets = try #require(report.pairs.first { $0.first == "plain" && $0.second == card.name }).offsets
                // Half a second, and the half of a window; not while the pointer stands, which moves nothing that is
                // heard.
                let settled = offsets.filter { offset in
                    restarts.contains { (0.6..<3).contains(offset.seconds - $0) }
                        && !restarts.contains { (-0.2..<0.6).contains(offset.seconds - $0) }
                }.map { abs($0.microseconds) }
                #expect(settled.count > 10, "\(card.name): \(settled.count) windows, \(card.traits)")
                let worst = settled.max() ?? .infinity
                print("population \(card.name): worst \(worst), says \(own[card.name] ?? -1), \(card.traits)")
                #expect(worst <= 20, "\(card.name): \(worst) µs, \(card.traits)")
            }
        }

        @Test(
            "a pointer in steps of 256 frames is as good as one of single frames, to 30 µs in 99 of 100 windows"
        )
        func coarsePointers() throws {
            let house = try Household("coarse")
            let song = try house.writeMonoSong("song", seconds: 14)
            let steps = [256, 1_024]
            let cards =
                [LabCard(name: "plain", directory: house.folder, ppm: 20)]
                + steps.map { step in
                    var traits = CardTraits()
                    traits.step = step
                    return LabCard(name: "step\(step)", directory: house.folder, ppm: -50, traits: traits)
                }
            let (report, _) = try Self.play(song, on: cards, in: house)
            for step in steps {
                let pair = try #require(report.pairs.first { $0.first == "plain" && $0.second == "step\(step)" })
                print("coarse \(step): median \(pair.whole.median), p99 \(pair.whole.p99), max \(pair.whole.max)")
                #expect(pair.whole.p99 <= 30, "\(step): \(pair.whole)")
            }
        }

        /// Plays a song in rooms with these cards; what left them, and what the rooms said of themselves after so many
        /// seconds.
        static func play(
            _ song: WaveFile, on cards: [LabCard], in house: Household, lookingAfter seconds: Double? = nil
        ) throws -> (report: ComparisonReport, own: [String: Double]) {
            let speakers = try cards.map { try house.startSpeaker(on: $0) }
            let player = try house.start(["play", house.path("song.flac")] + speakers.flatMap { ["--room", $0.room] })
            var own: [String: Double] = [:]
            if let seconds {
                usleep(UInt32(seconds * 1e6))
                let said = try house.tutti("status", "--json", within: 3)
                own = SelfReport(status: [Data(said.text.utf8)], truth: nil).p99Microseconds
            }
            let outcome = house.finish(player, within: 30)
            house.endSpeakers()
            #expect(outcome.code == 0, outcome.comment)
            return (try house.compare(song, speakers.map(\.recording)), own)
        }
    }
}
