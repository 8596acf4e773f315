import Foundation
import TestSupport
import Testing
import TuttiLab

extension BehaviourTests {
    /// Output delays, found in recordings that a microphone might have made.
    @Suite("Calibration", .serialized)
    struct CalibrationTests {
        private let house: Household

        init() throws {
            house = try Household("calibration")
            try house.startSpeaker("kitchen", ppm: 40)
            try house.startSpeaker("bath", ppm: -30)
        }

        private var rooms: [String] { [house.speakers[0].room, "--against", house.speakers[1].room] }

        private func calibrate(_ arguments: String..., within seconds: Double = 40) throws -> Household.Outcome {
            house.finish(try house.start(["calibrate"] + rooms + arguments), within: seconds)
        }

        /// What is heard where the kitchen's amplifier takes `late` ns and both rooms echo, in noise of −34 dB.
        private func record(late: Int64) throws -> String {
            let cards = try house.speakers.map { try CardRecording(path: $0.recording) }
            let origin = try #require(cards.flatMap(\.truth.runs).map(\.start).min())
            let tracks = zip(cards, [late, 0]).map { RoomTrack($0, origin: origin - $1).samples }
            let echoes = [[(0, 0.5), (149, -0.35), (720, 0.25)], [(0, 0.9), (86, 0.5), (1_584, -0.4)]]
            var mix = [Float](repeating: 0, count: (tracks.map(\.count).max() ?? 0) + 24_000)
            for (track, paths) in zip(tracks, echoes) {
                for (frames, gain) in paths {
                    for (index, sample) in track.enumerated() where sample != 0 {
                        mix[index + frames] += Float(gain) * sample
                    }
                }
            }
            for index in mix.indices { mix[index] += Float.random(in: -0.035...0.035) }
            let path = house.path("microphone.wav")
            try WaveFile(sampleRate: 48_000, channels: [mix]).write(to: path)
            return path
        }

        @Test("a room that is 23.4 ms late is found to be so, and set right", .repeatedWhenDisturbed)
        func byRecording() throws {
            let played = try calibrate("--play-only")
            #expect(played.code == 0, played.comment)
            let recording = try record(late: 23_400_000)
            let outcome = try calibrate("--recording", recording, "--yes", "--json")
            #expect(outcome.code == 0, outcome.comment)
            let report = try JSONDecoder().decode(Report.self, from: Data(outcome.text.utf8))
            let kitchen = try #require(report.rooms.first { $0.name == "kitchen" })
            #expect(abs(kitchen.lateMs - 23.4) < 0.1 && kitchen.confidence == "good", outcome.comment)
            #expect(kitchen.stored && abs((kitchen.outputDelayMs ?? 0) - 23.4) < 0.11, outcome.comment)
            #expect(report.reference == "bath" && report.rooms.first { $0.name == "bath" }?.stored == false)
            let shown = try house.tutti("delay", house.speakers[0].room)
            #expect(shown.text.contains("output delay 23.") && shown.text.contains("earlier"), shown.comment)
        }

        @Test("a sweep through a room and its card comes back level, and needs no correction", .repeatedWhenDisturbed)
        func response() throws {
            let kitchen = house.speakers[0].room
            let played = house.finish(
                try house.start(["calibrate", "--response", kitchen, "--play-only"]), within: 40)
            #expect(played.code == 0, played.comment)
            let card = try CardRecording(path: house.speakers[0].recording)
            let origin = try #require(card.truth.runs.map(\.start).min())
            let recording = house.path("sweep.wav")
            let samples = RoomTrack(card, origin: origin).samples.map { $0 + Float.random(in: -0.0005...0.0005) }
            try WaveFile(sampleRate: 48_000, channels: [samples]).write(to: recording)
            let (chain, picture) = (house.path("kitchen.yaml"), house.path("kitchen.svg"))
            let outcome = try house.tutti(
                "calibrate", "--response", kitchen, "--recording", recording, "--target", "flat", "--json", "-o", chain,
                "--picture", picture)
            #expect(outcome.code == 0, outcome.comment)
            let report = try JSONDecoder().decode(Response.self, from: Data(outcome.text.utf8))
            #expect(report.room == "kitchen" && report.snrDb > 40 && report.bands.isEmpty, outcome.comment)
            let audible = report.curve.filter { (30...15_000).contains($0.hz) }
            #expect(audible.count > 100 && audible.allSatisfy { abs($0.measuredDb) < 0.2 }, outcome.comment)
            #expect(try String(contentsOfFile: chain, encoding: .utf8).contains("chain: []"))
            #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("<polyline"))
        }

        @Test("by ear: lines change the delay, ok keeps it, quit puts it back")
        func byEar() throws {
            let file = house.path("keys.txt")
            for (lines, delay) in [("+10\n-0.1\nlouder\nok\n", "9.9 ms"), ("+5\nquit\n", "9.9 ms"), ("-7\n", "9.9 ms")]
            {
                try lines.write(toFile: file, atomically: true, encoding: .utf8)
                let input = open(file, O_RDONLY)
                defer { close(input) }
                let outcome = house.finish(try house.start(["calibrate"] + rooms + ["--by-ear"], input: input))
                #expect(outcome.code == 0, outcome.comment)
                let shown = try house.tutti("delay", house.speakers[0].room)
                #expect(shown.text.contains("output delay \(delay) "), "\(shown.text)\n\(outcome.text)")
            }
        }

        @Test("what cannot be done is told in one line with its exit status")
        func errors() throws {
            let cases: [([String], Int32)] = [
                (["--microphone", "no-such-microphone"], 3), (["--recording", "/nonexistent.wav"], 3),
                (["--recording", "x", "--by-ear"], 2), (["--distance", "attic=2"], 2), (["--by-ear", "attic"], 2),
            ]
            for (arguments, code) in cases {
                let outcome = house.finish(try house.start(["calibrate"] + rooms + arguments))
                #expect(outcome.code == code, outcome.comment)
            }
            #expect(try house.tutti("calibrate", "kitchen").code == 2)
            #expect(try house.tutti("delay", "kitchen@127.0.0.1:1", "5").code == 3)
            #expect(try house.tutti("delay", house.speakers[0].room, "5001").code == 2)
        }

        private struct Response: Decodable {
            struct Band: Decodable { var hz: Double }

            struct Point: Decodable {
                var hz: Double
                var measuredDb: Double
            }

            var room: String
            var snrDb: Double
            var bands: [Band]
            var curve: [Point]
        }

        private struct Report: Decodable {
            struct Room: Decodable {
                var name: String
                var lateMs: Double
                var confidence: String
                var outputDelayMs: Double?
                var stored: Bool
            }

            var reference: String
            var rooms: [Room]
        }
    }
}
