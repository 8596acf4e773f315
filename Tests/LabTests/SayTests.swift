import Foundation
import Glibc
import Testing
import TuttiLab

extension BehaviourTests {
    /// `tutti say` over `tutti play`, judged by what the rooms recorded: the music is a tone, the announcement another.
    @Suite("Announcements", .serialized)
    struct SayTests {
        private static let music = 1_000.0
        private static let words = 3_000.0
        private static let level = 0.4
        /// A new speaker's volume is 60 %.
        private static let heardLevel = level * pow(0.6, 1.5)

        private let house: Household

        init() throws {
            house = try Household("say")
            try write("music.wav", Self.music, seconds: 8)
            try write("words.wav", Self.words, seconds: 1.5)
            try write("sermon.wav", Self.words, seconds: 20)
            try house.startSpeaker("kitchen", ppm: 60)
            try house.startSpeaker("bath", ppm: -40)
        }

        private func write(_ name: String, _ frequency: Double, seconds: Double) throws {
            let samples = (0..<Int(seconds * 48_000)).map {
                Float(Self.level * sin(2 * .pi * frequency * Double($0) / 48_000))
            }
            let file = WaveFile(sampleRate: 48_000, channels: [samples, samples])
            try file.write(to: house.path(name))
        }

        private func play() throws -> (ChildProcess, String) {
            let player = try house.start(["play", house.path("music.wav"), "--json"] + house.rooms)
            let isHeard = try house.eventually(within: 5) {
                try String(contentsOfFile: player.1, encoding: .utf8).contains(#""state":"playing""#)
            }
            #expect(isHeard)
            usleep(700_000)
            return player
        }

        private func track(_ frequency: Double, _ speaker: Household.Speaker) throws -> ToneTrack {
            try ToneTrack(frequency, in: CardRecording(path: speaker.recording))
        }

        /// The music is there from begin to end, on one line in time, lower where `said` is and nowhere else.
        private func checkMusic(_ speaker: Household.Speaker, said: ClosedRange<Double>) throws {
            let track = try track(Self.music, speaker)
            let heard = try #require(track.heard(0.1 * Self.heardLevel))
            #expect(abs(heard.upperBound - heard.lowerBound - 8) < 0.03, "the music lasts as long as it is")
            for instant in stride(from: heard.lowerBound + 0.03, to: heard.upperBound - 0.03, by: 0.02) {
                let decibels = 20 * log10(track.amplitude(at: instant) / Self.heardLevel)
                if instant > said.lowerBound + 0.07, instant < said.upperBound - 0.02 {
                    #expect(abs(decibels + 14) < 0.2, "\(decibels) dB under the words")
                } else if instant < said.lowerBound - 0.02 || instant > said.upperBound + 0.07 {
                    #expect(abs(decibels) < 0.2, "\(decibels) dB without words")
                }
            }
            let before = track.tone(at: said.lowerBound - 0.2).phase
            let after = track.tone(at: said.upperBound + 0.2).phase
            let turns = (after - before) / (2 * .pi)
            #expect(abs(turns - turns.rounded()) / Self.music < 30e-6, "the music is where it would have been")
        }

        @Test("an announcement is heard at once in all rooms, over music that goes on", .timeLimit(.minutes(2)))
        func announcement() throws {
            let player = try play()
            let said = house.finish(try house.start(["say", house.path("words.wav")] + house.rooms), within: 10)
            #expect(said.code == 0 && said.text.isEmpty, said.comment)
            #expect(said.seconds > 1.5 && said.seconds < 4, "it waits until all has been heard")
            let played = house.finish(player)
            #expect(played.code == 0, played.comment)
            house.endSpeakers()

            let words = try house.speakers.map { try track(Self.words, $0) }
            let spans = try words.map { try #require($0.heard(Self.heardLevel)) }
            for (speaker, span) in zip(house.speakers, spans) {
                #expect(abs(span.upperBound - span.lowerBound - 1.5) < 0.005)
                try checkMusic(speaker, said: span)
            }
            #expect(abs(spans[0].lowerBound - spans[1].lowerBound) < 0.0025)
            let middle = (spans[0].lowerBound + spans[0].upperBound) / 2
            let apart = words[0].lateness(against: words[1], at: middle)
            print("the rooms' announcements were \(apart.text(1)) µs apart")
            #expect(abs(apart) < 100, "µs")
        }

        @Test("music comes back when an announcement is killed, and the next one is heard", .timeLimit(.minutes(2)))
        func killed() throws {
            let player = try play()
            let sermon = try house.start(["say", house.path("sermon.wav"), "--gain", "-6"] + house.rooms)
            usleep(1_500_000)
            sermon.0.send(SIGKILL)
            #expect(sermon.0.wait(seconds: 2) == .killed(signal: SIGKILL))
            usleep(500_000)
            let status = try house.tutti("status", "--json", within: 3)
            #expect(status.text.contains(#""announcing":false"#) && !status.text.contains(#""announcing":true"#))
            let played = house.finish(player)
            #expect(played.code == 0, played.comment)
            // Into rooms where nothing plays any more, from a pipe.
            let file = open(house.path("words.wav"), O_RDONLY)
            let next = house.finish(try house.start(["say", "-"] + house.rooms, input: file), within: 10)
            close(file)
            #expect(next.code == 0, next.comment)
            house.endSpeakers()

            for speaker in house.speakers {
                let words = try track(Self.words, speaker)
                let soft = Self.heardLevel * pow(10, -6.0 / 20)
                let first = try #require(words.heard(soft)).lowerBound
                let end = try #require(
                    stride(from: first + 0.1, to: first + 3, by: 0.001).first { words.amplitude(at: $0) < soft / 2 })
                #expect(end - first > 0.3 && end - first < 2, "\(end - first) s were heard")
                #expect(abs(words.amplitude(at: first + 0.2) - soft) < 0.02 * soft)
                try checkMusic(speaker, said: first...end)
            }
        }
    }
}
