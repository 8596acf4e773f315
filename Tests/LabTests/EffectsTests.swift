import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// What a room's sound goes through, judged by what left its card.
    @Suite("Effects of rooms", .serialized, .enabled(if: LabSite.card.isMet, LabSite.card.comment))
    struct EffectsTests {
        private static let rate = 48_000

        private static func noise(seconds: Int, bits: Int) -> [[Float]] {
            var random = UInt64(88_172_645_463_325_252)
            return (0..<2).map { _ in
                (0..<rate * seconds).map { _ -> Float in
                    random ^= random << 13
                    random ^= random >> 7
                    random ^= random << 17
                    return Float(Int64(bitPattern: random) >> (64 - bits)) / Float(1 << (bits + 1))
                }
            }
        }

        /// A filter of 4 096 taps that is the same before and after its middle, and 6 dB louder around 1 kHz.
        private static func writeLinearPhase(to path: String) throws {
            var taps = [Float](repeating: 0, count: 4_096)
            for index in 1..<4_096 {
                let offset = Double(index - 2_048)
                let window = 0.5 + 0.5 * cos(.pi * offset / 2_048)
                taps[index] = Float(0.004 * window * window * cos(2 * .pi * 1_000 / Double(rate) * offset))
            }
            taps[2_048] += 0.5
            try WaveFile(sampleRate: rate, channels: [taps, taps]).write(to: path, bits: 24)
        }

        private func room(_ room: QualityRoom, _ words: String..., code: Int32 = 0) throws -> String {
            let (ending, text) = try QualityRoom.command(["room", room.address] + words, folder: folder(of: room))
            #expect(ending == .exited(code: code), "\(words): \(text)")
            return text
        }

        private func folder(of room: QualityRoom) -> String {
            URL(fileURLWithPath: room.folder).deletingLastPathComponent().path
        }

        @Test("an equaliser is heard at once, without a click, and is gone again", .timeLimit(.minutes(2)))
        func heardAtOnce() throws {
            let folder = try LabSite.folder("effects-heard")
            let song = "\(folder)/tone.wav"
            let tone = ToneTrack.samples(1_000, seconds: 14, rate: Self.rate)
            try WaveFile(sampleRate: Self.rate, channels: [tone, tone]).write(to: song, bits: 24)
            let room = try QualityRoom(
                "kitchen", in: try LabSite.folder("effects-heard/kitchen"), format: "S24_3LE", rate: Self.rate,
                port: 7_861)
            defer { room.stop() }
            let player = try QualityRoom.play(song, in: [room], folder: folder)
            usleep(4_000_000)
            let on = MonotonicRaw.now()
            let said = try self.room(room, "eq", "peak 1000 -12 1")
            let done = MonotonicRaw.now()
            #expect(said.contains("eq peak 1000"), "\(said)")
            usleep(2_000_000)
            // Nothing that fails touches what plays.
            let wrong = try self.room(room, "eq", "peak 1000 -3 nonsense", code: 2)
            #expect(wrong.contains("nonsense"), "\(wrong)")
            let loud = try self.room(room, "chain", "\(folder)/none.yaml", code: 2)
            #expect(loud.contains("none.yaml"), "\(loud)")
            let high = try self.room(room, "eq", "peak 40000 -3", code: 4)
            #expect(high.contains("40000"), "\(high)")
            usleep(500_000)
            let off = MonotonicRaw.now()
            #expect(try self.room(room, "eq", "off").contains("no effects"))
            #expect(player.wait(seconds: 30) == .exited(code: 0))
            room.stop()

            let card = try CardRecording(path: room.log)
            let track = try ToneTrack(1_000, in: card)
            func amplitude(_ instant: Int64, _ milliseconds: Double) -> Double {
                track.tone(at: Double(instant) / 1e9 + milliseconds / 1e3).amplitude
            }
            let full = amplitude(on, -500)
            func decibels(_ instant: Int64, _ milliseconds: Double) -> Double {
                20 * log10(amplitude(instant, milliseconds) / full)
            }
            #expect(abs(decibels(on, 1_500) + 12) < 0.1)
            #expect(abs(decibels(off, -100) + 12) < 0.1)
            #expect(abs(decibels(off, 1_500)) < 0.1)
            let heard = stride(from: 0.0, to: 1_500, by: 5).first { decibels(on, $0) < -6 } ?? .infinity
            print(
                "an equaliser is heard \(Int(heard)) ms after its command began, which took \((done - on) / 1_000_000)")
            #expect(heard < 1_000)
            #expect(Self.roughness(card) < 1.05 * 0.25 * pow(2 * .pi * 1_000 / 48_000, 2))
        }

        /// The largest second difference while the tone sounds.
        private static func roughness(_ card: CardRecording) -> Double {
            let samples = card.recordings.first?.channels.first ?? []
            // Not where it begins and ends.
            guard let first = samples.firstIndex(where: { abs($0) > 0.2 }),
                let last = samples.lastIndex(where: { abs($0) > 0.2 }), last - first > 4_000
            else { return .infinity }
            var worst: Float = 0
            for index in (first + 1_000)..<(last - 1_000) {
                worst = max(worst, abs(samples[index + 1] - 2 * samples[index] + samples[index - 1]))
            }
            return Double(worst)
        }

        @Test("a room with a linear-phase filter of 4 096 taps is in step with one without", .timeLimit(.minutes(2)))
        func inStep() throws {
            let folder = try LabSite.folder("effects-step")
            let song = "\(folder)/noise.wav"
            try WaveFile(sampleRate: Self.rate, channels: Self.noise(seconds: 14, bits: 24)).write(to: song, bits: 24)
            try Self.writeLinearPhase(to: "\(folder)/linear.wav")
            let rooms = try [("linear", 60.0), ("plain", -60)].enumerated().map { index, room in
                try QualityRoom(
                    room.0, in: try LabSite.folder("effects-step/\(room.0)"), format: "S24_3LE", rate: Self.rate,
                    port: 7_863 + UInt16(index), ppm: room.1)
            }
            defer { for room in rooms { room.stop() } }
            let said = try room(rooms[0], "convolve", "\(folder)/linear.wav")
            #expect(said.contains("delay, made up for"), "\(said)")
            let player = try QualityRoom.play(song, in: rooms, folder: folder)
            #expect(player.wait(seconds: 40) == .exited(code: 0))
            for room in rooms { room.stop() }
            let report = Comparison(
                source: try WaveFile(path: song), cards: try rooms.map { try CardRecording(path: $0.log) }
            ).report()
            print(said + report.table)
            for pair in report.pairs {
                #expect(pair.whole.count > 50 && pair.whole.median < 10, "\(report.table)")
                #expect(pair.whole.max < 200, "\(report.table)")
            }
            for room in report.rooms { #expect(room.completeness >= 99 && room.gaps.isEmpty, "\(report.table)") }
        }

        @Test("effects that were turned off leave every bit as it was", .timeLimit(.minutes(2)))
        func offIsExact() throws {
            let folder = try LabSite.folder("effects-off")
            let song = "\(folder)/noise.wav"
            try WaveFile(sampleRate: Self.rate, channels: Self.noise(seconds: 10, bits: 16)).write(to: song, bits: 16)
            let room = try QualityRoom(
                "kitchen", in: try LabSite.folder("effects-off/kitchen"), format: "S16_LE", rate: Self.rate,
                port: 7_867)
            defer { room.stop() }
            try Self.writeLinearPhase(to: "\(folder)/linear.wav")
            _ = try self.room(room, "convolve", "\(folder)/linear.wav")
            _ = try self.room(room, "channels", "mono")
            #expect(try self.room(room, "chain", "off").contains("no effects"))
            let player = try QualityRoom.play(song, in: [room], folder: folder, flags: ["--reference", "kitchen"])
            #expect(player.wait(seconds: 30) == .exited(code: 0))
            room.stop()
            let source = try QualityRoom.samples(of: song)
            let played = try QualityRoom.samples(of: room.recording)
            let start = try #require(played.firstRange(of: source.prefix(600))?.lowerBound, "it begins with the song")
            let isWhole = played.dropFirst(start).prefix(source.count) == source
            #expect(isWhole)
        }
    }
}
