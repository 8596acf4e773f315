import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender

/// How loud a player makes its tracks, judged by what the room holds. Nothing is known of these tracks: with a mode
/// they are 4 dB softer.
@Suite(.serialized, .repeatedWhenDisturbed) struct PlayerLoudnessTests {
    private static let unknown = pow(10, -4.0 / 20)
    private static let rampFrames = 400

    /// The left channel that the room holds from the front on, without a gap, as full scale is 1; nil when there is a gap.
    private func held(_ speaker: FakeSpeaker) -> [Double]? {
        var sound: [Double] = []
        var next: MediaTime?
        for packet in speaker.inspect({ $0.packets }) {
            guard next.map({ $0 == packet.presentationTime }) ?? true,
                let width = packet.format.bytesPerFrame.map({ $0 / 2 })
            else { return nil }
            next = packet.timeRange.end
            for place in stride(from: 0, to: packet.data.count, by: 2 * width) {
                var value: Int32 = 0
                for byte in packet.data[place..<place + width].reversed() { value = value << 8 | Int32(byte) }
                let unused = Int32(32 - 8 * width)
                sound.append(Double((value << unused) >> unused) / Double(1 << (8 * width - 1)))
            }
        }
        return sound
    }

    private func samples(_ bytes: [UInt8]) -> [Double] {
        stride(from: 0, to: bytes.count, by: 4).map {
            Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
        }
    }

    /// The frame from which on all that is held is `gain` times the tracks' sound, but for the ramp there; nil while it
    /// is not so.
    private func seam(_ stage: QueueStage, _ tracks: String, before: Double, gain: Double) throws -> Int? {
        let sound = samples(try stage.sound(tracks))
        guard let held = held(stage.speaker), held.count == sound.count else { return nil }
        let close = 0x1p-22
        let first = (0..<sound.count).first { abs(held[$0] - before * sound[$0]) > close } ?? 0
        let rest = first + Self.rampFrames
        guard rest < sound.count, (rest..<sound.count).allSatisfy({ abs(held[$0] - gain * sound[$0]) < close }) else {
            return nil
        }
        return first
    }

    private func seamComes(
        _ stage: QueueStage, _ tracks: String, before: Double, gain: Double
    ) async throws -> Double {
        var found: Int?
        try await eventually("all is \(gain) times as loud from somewhere on") {
            found = try? seam(stage, tracks, before: before, gain: gain)
            return found != nil
        }
        return Double(found ?? 0) / Double(QueueStage.rate)
    }

    @Test("A change is heard soon, in the middle of a track, without a gap; off is bit for bit")
    func change() async throws {
        let stage = try await QueueStage("ab", seconds: ["a": 30])
        try await stage.run { player in
            try await stage.holds("ab")
            let place = await player.status().position
            try await player.setNormalization(.track)
            let heard = try await seamComes(stage, "ab", before: 1, gain: Self.unknown)
            #expect(heard > place && heard < place + 2)
            #expect(stage.speaker.inspect { $0.flushes } == 1)
            #expect(await player.status().queue.normalise == .track)
            // Nothing stalls meanwhile.
            #expect(await player.status().state == .playing)
            try await player.setNormalization(.album)
            #expect(await player.listing().normalise == .album)
        }
    }

    @Test("One that is set again and again ends as it was")
    func backAndForth() async throws {
        let stage = try await QueueStage("abc", seconds: ["b": 2])
        try await stage.run { player in
            try await stage.holds("abc")
            try await player.pause()
            try await player.seek(.to(.zero))
            for _ in 0..<3 {
                try await player.setNormalization(.track)
                try await player.setNormalization(.off)
            }
            try await player.seek(.to(.zero))
            try await player.setNormalization(.track)
            try await eventually("all is softer") {
                guard let held = held(stage.speaker), let sound = try? samples(stage.sound("abc")) else { return false }
                return held.count == sound.count
                    && zip(held, sound).dropFirst(Self.rampFrames).allSatisfy {
                        abs($0 - Self.unknown * $1) < 0x1p-22
                    }
            }
        }
    }

    @Test("Tracks added later, and a crossfade, are as loud as the rest")
    func later() async throws {
        let stage = try await CrossfadeStage("ab", crossfade: 2)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("ab", crossfade: 2))
            try await player.pause()
            try await player.setNormalization(.track)
            try await player.add(try stage.stage.inputs("c"))
            let sound = stage.model("abc", crossfade: 2).sound(stage.samples)
            try await eventually("all is softer") {
                guard let held = held(stage.stage.speaker), held.count == sound.count else { return false }
                let first = zip(held, sound).enumerated().first { abs($1.0 - $1.1) > 0x1p-21 }?.offset ?? 0
                return (first + Self.rampFrames..<sound.count).allSatisfy {
                    // Where the sum is cut at full scale, the softer one is not.
                    abs(sound[$0]) > 0.999 || abs(held[$0] - Self.unknown * sound[$0]) < 0x1p-21
                }
            }
        }
    }

    @Test("A record has the mode, and one from before there were any has none")
    func record() async throws {
        let journal = MemoryJournal()
        var configuration = PlayerConfiguration(
            inputs: [AssetInput(uri: "/music/a.flac")], rooms: [RoomAddress(name: "kitchen", host: "127.0.0.1")],
            encoding: try EncodingOptions(), identity: SenderIdentity(id: "id", name: "test"), clock: HostClock())
        configuration.normalization = .album
        let player = try Player(configuration, journal: journal, isParked: true)
        try await player.setNormalization(.track)
        await player.keep()
        var record = try #require(try journal.record)
        #expect(record.state.normalization == .track)
        let identity = configuration.identity
        #expect(try record.configuration(identity: identity, clock: HostClock()).normalization == .track)
        record.state.normalization = nil
        #expect(try record.configuration(identity: identity, clock: HostClock()).normalization == .off)
    }
}
