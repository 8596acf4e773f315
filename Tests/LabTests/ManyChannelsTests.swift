import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// One card that plays in several rooms, each on channels of its own.
    @Suite("Rooms of one card", .serialized, .enabled(if: LabSite.card.isMet, LabSite.card.comment))
    struct ManyChannelsTests {
        private static let (rate, port) = (48_000, 7_881 as UInt16)
        private static let addresses = ["kitchen", "bath", "terrace"].enumerated().map { index, name in
            "\(name)@127.0.0.1:\(Int(port) + index)"
        }

        private static func write(_ hertz: Double, seconds: Int, to path: String) throws {
            let tone = ToneTrack.samples(hertz, seconds: seconds, rate: rate)
            try WaveFile(sampleRate: rate, channels: [tone, tone]).write(to: path, bits: 24)
        }

        /// A speaker with three rooms on a card of six channels, of which nobody has the fifth.
        private func speaker(in folder: String) throws -> QualityRoom {
            try QualityRoom(
                "card", in: folder, format: "S24_3LE", rate: Self.rate, port: Self.port, channels: 6,
                flags: ["kitchen=default#1-2", "bath=default#3-4", "terrace=default#6"].flatMap { ["--output", $0] })
        }

        @Test("they play one song in step, and the other channels stay silent", .timeLimit(.minutes(2)))
        func inStep() throws {
            let folder = try LabSite.folder("channels-step")
            try Self.write(1_000, seconds: 12, to: "\(folder)/tone.wav")
            let speaker = try speaker(in: folder)
            defer { speaker.stop() }
            let player = try QualityRoom.play("\(folder)/tone.wav", at: Self.addresses, folder: folder)
            #expect(player.wait(seconds: 40) == .exited(code: 0))
            speaker.stop()

            let card = try CardRecording(path: speaker.log)
            let tracks = try [0, 1, 2, 3, 5].map { try ToneTrack(1_000, in: card, channel: $0) }
            let level = tracks[0].amplitude(at: tracks[0].span.lowerBound + 6)
            let sound = try #require(tracks[0].heard(level))
            #expect(sound.upperBound - sound.lowerBound > 11.9)
            var worst = 0.0
            for instant in stride(from: sound.lowerBound + 0.5, to: sound.upperBound - 0.5, by: 0.1) {
                for track in tracks.dropFirst() {
                    worst = max(worst, abs(track.lateness(against: tracks[0], at: instant)))
                }
            }
            print("rooms of one card are \(worst) µs apart at most")
            #expect(worst < 100)
            let silent = card.recordings.first?.channels[4] ?? []
            #expect(!silent.isEmpty && silent.allSatisfy { $0 == 0 })
        }

        @Test("one of them comes and goes, with music of its own, while another plays", .timeLimit(.minutes(2)))
        func apart() throws {
            let folder = try LabSite.folder("channels-apart")
            try Self.write(1_000, seconds: 14, to: "\(folder)/long.wav")
            try Self.write(2_000, seconds: 4, to: "\(folder)/short.wav")
            let speaker = try speaker(in: folder)
            defer { speaker.stop() }
            let long = try QualityRoom.play("\(folder)/long.wav", at: [Self.addresses[0]], folder: folder)
            usleep(3_000_000)
            // A sender of its own, which is another household: the rooms are claimed one by one.
            let other = try LabSite.folder("channels-apart/other")
            let short = try QualityRoom.play("\(folder)/short.wav", at: [Self.addresses[1]], folder: other)
            #expect(short.wait(seconds: 30) == .exited(code: 0))
            #expect(long.wait(seconds: 30) == .exited(code: 0))
            speaker.stop()

            let card = try CardRecording(path: speaker.log)
            let kitchen = try ToneTrack(1_000, in: card)
            let bath = try ToneTrack(2_000, in: card, channel: 2)
            let level = kitchen.amplitude(at: kitchen.span.lowerBound + 8)
            let sound = try #require(kitchen.heard(level))
            #expect(abs(sound.upperBound - sound.lowerBound - 14) < 0.1)
            for instant in stride(from: sound.lowerBound + 0.2, to: sound.upperBound - 0.2, by: 0.01) {
                #expect(abs(kitchen.amplitude(at: instant) - level) < 0.01 * level)
            }
            let guest = try #require(bath.heard(level))
            #expect(abs(guest.upperBound - guest.lowerBound - 4) < 0.1)
            let mixed = try ToneTrack(2_000, in: card).amplitude(at: guest.lowerBound + 2)
            #expect(mixed < level / 1_000)
        }
    }
}
