import Foundation
import TestSupport
import Testing
import TuttiLab

extension BehaviourTests {
    /// `tutti measure` beside the laboratory: the same rooms, by what a stereo recorder would have of them.
    @Suite("Measuring", .serialized)
    struct MeasureTests {
        private let house: Household

        init() throws {
            house = try Household("measure")
            try house.startSpeaker("kitchen", ppm: 40)
            try house.startSpeaker("bath", ppm: -30)
        }

        private var rooms: [String] { house.speakers.map(\.room) }

        /// What the rooms' lines would give a stereo recorder, the second room late by so many ns.
        private func line(_ name: String, late: Int64 = 0, swapped: Bool = false) throws -> String {
            let cards = try house.speakers.map { try CardRecording(path: $0.recording) }
            let origin = try #require(cards.flatMap(\.truth.runs).map(\.start).min())
            var sides = zip(cards, [0, late]).map { RoomTrack($0, origin: origin - $1).samples }
            let count = sides.map(\.count).min() ?? 0
            sides = sides.map { $0.prefix(count).map { 0.5 * $0 } }
            if swapped { sides.reverse() }
            let path = house.path(name)
            try WaveFile(sampleRate: 48_000, channels: sides).write(to: path)
            return path
        }

        private func measure(_ arguments: String...) throws -> Household.Outcome { try measure(arguments) }

        private func measure(_ arguments: [String]) throws -> Household.Outcome {
            house.finish(try house.start(["measure"] + rooms + arguments), within: 300)
        }

        private func report(_ outcome: Household.Outcome) throws -> Report {
            try #require(outcome.code == 0, outcome.comment)
            let line = try #require(outcome.text.split(separator: "\n").last)
            return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        }

        @Test("a recording of two rooms says what the laboratory says", .repeatedWhenDisturbed)
        func agreement() throws {
            let song = try house.writeSong("song", seconds: 15)
            let played = house.finish(try house.start(["play", house.path("song.flac")] + house.rooms), within: 60)
            #expect(played.code == 0, played.comment)
            let line = try line("line.wav")
            let picture = house.path("offset.svg")
            let found = try report(try measure("--recording", line, "--json", "--picture", picture))
            house.endSpeakers()
            let offsets = try #require(try house.compare(song).pairs.first).offsets.map(\.microseconds).sorted()
            let lab = ComparisonReport.Spread(offsets)
            let median = offsets[offsets.count / 2]
            let comment: Comment =
                "\(found.offsetUs) ± \(found.offsetUncertaintyUs) µs, the laboratory \(median) µs; p99 \(found.absolute.p99Us) and \(lab.p99)"
            print("measured \(comment)")
            #expect(abs(found.offsetUs - median) < 0.5 + 3 * found.offsetUncertaintyUs, comment)
            #expect(abs(found.absolute.p99Us - lab.p99) < 1 + 0.25 * lab.p99, comment)
            #expect(found.count > 100 && found.sampleRate == 48_000 && found.signal == "music")
            #expect(found.rooms.map(\.name) == ["kitchen", "bath"] && found.rooms.allSatisfy { $0.format != nil })
            #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("<polyline"))

            // The same with the second room late, and with the recorder's inputs apart.
            let late = try report(try measure("--recording", try self.line("late.wav", late: 70_000), "--json"))
            #expect(abs(late.offsetUs - found.offsetUs - 70) < 0.2)
            let crossed = try self.line("crossed.wav", late: 70_000, swapped: true)
            let both = try report(
                try measure("--recording", house.path("late.wav"), "--swapped", crossed, "--json"))
            let skew = try #require(both.inputSkewUs)
            #expect(abs(both.offsetUs - late.offsetUs) < 0.2 && abs(skew) < 0.2)
        }

        @Test("noise is played in the two rooms, and is the same in both", .repeatedWhenDisturbed)
        func noise() throws {
            let played = try measure("--signal", "noise", "--play-only", "--for", "5s")
            #expect(played.code == 0, played.comment)
            let found = try report(try measure("--recording", try line("noise.wav"), "--json"))
            #expect(abs(found.offsetUs) < 100 && found.count > 30)
        }

        @Test("chirps, as a microphone would have them, give the offset with its error", .repeatedWhenDisturbed)
        func chirps() throws {
            let played = try measure("--signal", "chirps", "--play-only", "--for", "20s")
            #expect(played.code == 0, played.comment)
            let cards = try house.speakers.map { try CardRecording(path: $0.recording) }
            let origin = try #require(cards.flatMap(\.truth.runs).map(\.start).min())
            // The bath's loudspeaker is 12.3 ms late, and both rooms are heard in noise.
            let tracks = zip(cards, [0, 12_300_000]).map { RoomTrack($0, origin: origin - $1).samples }
            var mix = [Float](repeating: 0, count: tracks.map(\.count).max() ?? 0)
            for track in tracks { for (index, sample) in track.enumerated() { mix[index] += 0.5 * sample } }
            for index in mix.indices { mix[index] += Float.random(in: -0.02...0.02) }
            let path = house.path("microphone.wav")
            try WaveFile(sampleRate: 48_000, channels: [mix]).write(to: path)
            let arguments = ["--recording", path, "--signal", "chirps", "--for", "20s", "--json"]
            let found = try report(measure(arguments))
            print("by chirps \(found.offsetUs) ± \(found.offsetUncertaintyUs) µs of 12300")
            #expect(abs(found.offsetUs - 12_300) < 60 && found.offsetUncertaintyUs < 30 && found.count >= 12)
            // The bath's loudspeaker 4 m further away explains 11.7 ms of it.
            let near = try report(measure(arguments + ["--distance", "bath=5", "--distance", "kitchen=1"]))
            #expect(abs(found.offsetUs - near.offsetUs - 4 / 343.0 * 1e6) < 1)
        }

        private struct Report: Decodable {
            struct Magnitude: Decodable {
                var p99Us: Double
            }

            struct Room: Decodable {
                var name: String
                var format: String?
            }

            var offsetUs: Double
            var offsetUncertaintyUs: Double
            var absolute: Magnitude
            var count: Int
            var sampleRate: Int?
            var signal: String
            var inputSkewUs: Double?
            var rooms: [Room]
        }
    }
}
