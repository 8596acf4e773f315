import Foundation
import Glibc
import Testing
import TuttiLab

extension BehaviourTests {
    /// What arrives is what was sent: by codec, and by the ways in. Programmes that do not touch each other run side by
    /// side.
    @Suite("Codecs and inputs", .serialized, .enabled(if: LabSite.flac.isMet, LabSite.flac.comment))
    struct CodecTests {
        private let house: Household

        init() throws { house = try Household("codecs") }

        /// A programme in a room of its own.
        private struct Programme {
            var name: String
            var song: WaveFile
            /// What the recording must reach, dB.
            var least: Double
            var arguments: [String]
            var input: String?
        }

        /// Plays all programmes at once and judges their recordings.
        private func check(_ programmes: [Programme]) throws {
            var players: [(ChildProcess, String)] = []
            for programme in programmes {
                let speaker = try house.startSpeaker(programme.name, ppm: 40)
                let input = programme.input.map { open($0, O_RDONLY | O_CLOEXEC) }
                defer { if let input { close(input) } }
                players.append(
                    try house.start(
                        ["play", "--room", speaker.room] + programme.arguments, user: "run-\(programme.name)",
                        input: input))
            }
            let outcomes = players.map { house.finish($0) }
            house.endSpeakers()
            for (programme, outcome) in zip(programmes, outcomes) {
                #expect(outcome.code == 0, outcome.comment)
                let report = try house.compare(programme.song, [house.path(programme.name + ".wav")])
                let said = "\(programme.name)\n\(report.table)\n\(outcome.text)"
                #expect(report.rooms[0].completeness >= 99 && report.rooms[0].gaps.isEmpty, "\(said)")
                #expect(try #require(report.rooms[0].contentDecibels) >= programme.least, "\(said)")
            }
        }

        @Test("flac and pcm of 16 and 24 bits are lossless, opus is the song")
        func codecs() throws {
            let plain = try house.writeSong("plain", seconds: 4)
            let fine = try house.writeSong("fine", seconds: 4, bits: 24)
            let (plainFile, fineFile) = (house.path("plain.flac"), house.path("fine.flac"))
            try check([
                Programme(name: "pcm16", song: plain, least: 60, arguments: ["--codec", "pcm", plainFile]),
                Programme(name: "pcm24", song: fine, least: 60, arguments: ["--codec", "pcm", fineFile]),
                Programme(name: "flac24", song: fine, least: 60, arguments: ["--codec", "flac", fineFile]),
                Programme(name: "opus", song: plain, least: 20, arguments: ["--codec", "opus", plainFile]),
            ])
        }

        @Test("an address, standard input as WAV and raw, a playlist and a folder play the songs in their order")
        func inputs() throws {
            let song = try house.writeSong("plain", seconds: 4)
            let wave = try Data(contentsOf: URL(fileURLWithPath: house.path("plain.wav")))
            // The samples begin after the 44 bytes of the header that the lab writes.
            try wave.dropFirst(44).write(to: URL(fileURLWithPath: house.path("plain.raw")))
            let album = house.path("album")
            try FileManager.default.createDirectory(atPath: album, withIntermediateDirectories: true)
            // Natural order: 10 comes after 2.
            let halves = [
                try house.writeSong("album/2", seconds: 2), try house.writeSong("album/10", from: 2, seconds: 2),
            ]
            let both = halves[0].followed(by: halves[1])
            for name in ["2", "10"] { try FileManager.default.removeItem(atPath: "\(album)/\(name).wav") }
            try "#EXTM3U\n# two halves\nalbum/2.flac\nalbum/10.flac\n".write(
                toFile: house.path("list.m3u"), atomically: true, encoding: .utf8)
            let server = try FileServer(file: Data(contentsOf: URL(fileURLWithPath: house.path("plain.flac"))))
            try check([
                Programme(
                    name: "web", song: song, least: 60, arguments: ["http://127.0.0.1:\(server.port)/plain.flac"]),
                Programme(name: "wav", song: song, least: 60, arguments: ["-"], input: house.path("plain.wav")),
                Programme(
                    name: "raw", song: song, least: 60, arguments: ["--format", "48000:16:2", "-"],
                    input: house.path("plain.raw")),
                Programme(name: "list", song: both, least: 60, arguments: [house.path("list.m3u")]),
                Programme(name: "folder", song: both, least: 60, arguments: [album]),
            ])
            withExtendedLifetime(server) {}
        }
    }
}
