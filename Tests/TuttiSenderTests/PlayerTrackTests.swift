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

/// Tracks and chapters of a film that plays, judged by what the room holds: each sample tells its place in the film, with
/// a minus in the English track.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct PlayerTrackTests {
    /// A film that plays over one speaker.
    private struct Stage {
        let scratch: Scratch
        let speaker: FakeSpeaker
        let harness: PlayerHarness

        init(_ change: (inout TrackFilm) -> Void = { _ in }, journal: MemoryJournal? = nil) async throws {
            scratch = try Scratch()
            speaker = try await FakeSpeaker("kitchen")
            var film = TrackFilm()
            change(&film)
            let path = try film.make("film.mkv", in: URL(fileURLWithPath: scratch.path))
            harness = try PlayerHarness([path], [speaker.room], codec: .pcm, journal: journal)
        }

        func run(_ body: @escaping @Sendable (Player) async throws -> Void) async throws {
            _ = try await harness.run { player in
                try await eventually("the whole film is held") {
                    speaker.wasStarted && speaker.inspect { $0.end != nil }
                }
                try await body(player)
                await player.stop()
            }
        }

        /// Of all frames that are held, by time: where they play, and the place in the film that they tell; nil where they
        /// do not follow each other to a frame.
        func held() -> [(time: Double, place: Double)]? {
            var frames: [(time: Double, place: Double)] = []
            var next: MediaTime?
            for packet in speaker.inspect({ $0.packets }) {
                guard let width = packet.format.bytesPerFrame.map({ $0 / 2 }) else { return nil }
                if let next, abs((packet.presentationTime - next).seconds) > 1e-9 { return nil }
                next = packet.timeRange.end
                let start = packet.presentationTime.seconds
                for (index, offset) in stride(from: 0, to: packet.data.count, by: 2 * width).enumerated() {
                    var value: Int32 = 0
                    for byte in packet.data[offset..<offset + width].reversed() { value = value << 8 | Int32(byte) }
                    let full = Double(Int32(1) << (8 * width - 1))
                    let signed = Double(value) >= full ? Double(value) - 2 * full : Double(value)
                    frames.append((start + Double(index) / Double(packet.format.sampleRate), signed / full * 100))
                }
            }
            return frames
        }

        /// Where the English track begins of what is held: before, all is German, and after a ramp of 50 ms, all is
        /// English, each at its place; nil while it is not so.
        func seam() -> Double? {
            guard let frames = held(), let first = frames.firstIndex(where: { $0.place < -1e-4 }), first > 0 else {
                return nil
            }
            let seam = frames[first].time
            let isRight = frames.enumerated().allSatisfy { index, frame in
                if index < first { return frame.time > seam - 0.001 || abs(frame.place - frame.time) < 1e-4 }
                return frame.time < seam + 0.051 || abs(frame.place + frame.time) < 1e-4
            }
            return isRight ? seam : nil
        }
    }

    @Test("another audio track is heard soon, at the same place, without a gap", arguments: [48_000, 44_100])
    func change(rate: Int) async throws {
        let stage = try await Stage { $0.rates.english = rate }
        try await stage.run { player in
            let place = await player.status().position
            try await player.setAudioTrack(.language("en"))
            var seam: Double?
            try await eventually("the rest is English") {
                seam = stage.seam()
                return seam != nil && stage.speaker.inspect { $0.end != nil }
            }
            let wait = try #require(seam) - place
            #expect(wait > 0 && wait < 0.6, "\(wait)")
            #expect(stage.speaker.inspect { $0.flushes } == 1)
            let status = await player.status()
            #expect(status.state == .playing)
            #expect(status.queue.audioTrack == "en")
            #expect(status.item?.tracks?.audio.map(\.on) == [false, true])
            // The track that plays already.
            try await player.setAudioTrack(.number(2))
            #expect(stage.speaker.inspect { $0.flushes } == 1)
            // And back.
            try await player.setAudioTrack(.automatic)
            try await eventually("the end is German") {
                guard let frames = stage.held(), let last = frames.last, stage.speaker.inspect({ $0.end != nil }) else {
                    return false
                }
                return last.place > 19.9
            }
        }
    }

    @Test("of several choices, the last one counts")
    func again() async throws {
        let stage = try await Stage()
        try await stage.run { player in
            for _ in 0..<3 {
                for choice in [TrackChoice.language("en"), .number(1), .automatic, .number(2), .language("de")] {
                    try await player.setAudioTrack(choice)
                }
            }
            try await player.setAudioTrack(.number(2))
            var seam: Double?
            try await eventually("the end is English") {
                guard let last = stage.held()?.last, stage.speaker.inspect({ $0.end != nil }) else { return false }
                seam = last.time
                return last.place < -19.9
            }
            #expect(try #require(seam) > 19.9)
            #expect(await player.status().item?.tracks?.audio.map(\.on) == [false, true])
        }
    }

    @Test("a track that begins later begins with silence, and what is chosen at first plays from the start")
    func late() async throws {
        let journal = MemoryJournal()
        let scratch = try Scratch()
        let speaker = try await FakeSpeaker("kitchen")
        var film = TrackFilm()
        film.begins.english = 1.5
        let path = try film.make("film.mkv", in: URL(fileURLWithPath: scratch.path))
        let harness = try PlayerHarness([path], [speaker.room], codec: .pcm, journal: journal)
        try await harness.player.setAudioTrack(.language("en"))
        _ = try await harness.run { player in
            try await eventually("the whole film is held") {
                speaker.wasStarted && speaker.inspect { $0.end != nil } && abs(speaker.heldSeconds - 20) < 0.01
            }
            let first = try #require(speaker.inspect { $0.packets.first })
            #expect(first.presentationTime == .zero && first.data.allSatisfy { $0 == 0 })
            #expect(await player.status().item?.tracks?.audio.map(\.on) == [false, true])
            #expect(try journal.record?.state.tracks?.audio == .language("en"))
            await player.stop()
        }
    }

    @Test("what is not there changes nothing")
    func wrong() async throws {
        let stage = try await Stage()
        try await stage.run { player in
            let before = await (player.status(), player.trackChoices)
            for choice in [TrackChoice.number(3), .language("fr")] {
                await #expect(throws: SenderError.self) { try await player.setAudioTrack(choice) }
                await #expect(throws: SenderError.self) { try await player.setSubtitle(choice) }
            }
            for choice in [TrackChoice.off, .file("/nonexistent.srt")] {
                await #expect(throws: SenderError.self) { try await player.setAudioTrack(choice) }
            }
            for path in ["/nonexistent.srt", stage.scratch.path, stage.scratch.path + "/film.mkv"] {
                await #expect(throws: SenderError.self) { try await player.setSubtitle(.file(path)) }
            }
            for target in [ChapterTarget.number(0), .number(4), .number(.max), .number(.min)] {
                await #expect(throws: SenderError.self) { try await player.go(to: target) }
            }
            let after = await player.status()
            #expect(await player.trackChoices == before.1)
            #expect(after.state == .playing && after.item?.tracks == before.0.item?.tracks)
            #expect(after.position < before.0.position + 2)
            #expect(stage.speaker.inspect { $0.flushes } == 0)
        }
    }

    @Test("subtitles are chosen without touching the sound")
    func subtitles() async throws {
        let stage = try await Stage()
        try await stage.run { player in
            func on() async -> [Bool]? { await player.status().item?.tracks?.subtitles.map(\.on) }
            #expect(await on() == [false, false])
            try await player.setSubtitle(.language("de"))
            #expect(await on() == [true, false])
            #expect(await player.trackChoices.subtitle == .language("de"))
            let path = stage.scratch.path + "/words.srt"
            try await player.setSubtitle(.file(path))
            #expect(await on() == [false, false, true])
            #expect(await player.status().item?.tracks?.subtitles.last?.file == path)
            try await player.setSubtitle(.off)
            #expect(await on() == [false, false])
            #expect(stage.speaker.inspect { $0.flushes } == 0)
        }
    }

    @Test("chapters are gone to")
    func chapters() async throws {
        let stage = try await Stage()
        try await stage.run { player in
            try await player.pause()
            func place() async -> Double { await player.status().position }
            try await player.go(to: .number(2))
            #expect(await abs(place() - 5) < 0.01)
            try await player.go(to: .next)
            #expect(await abs(place() - 12) < 0.01)
            await #expect(throws: SenderError.notNow("this is the last chapter")) { try await player.go(to: .next) }
            try await player.seek(.to(MediaTime(frame: 18, sampleRate: 1)))
            try await player.go(to: .previous)
            #expect(await abs(place() - 12) < 0.01)
            try await player.go(to: .previous)
            #expect(await abs(place() - 5) < 0.01)
            try await player.go(to: .number(1))
            try await player.go(to: .previous)
            #expect(await place() < 0.01)
        }
    }

    @Test("a film that lacks the track plays its own, and a line says so")
    func lacking() async throws {
        let stage = try await Stage()
        let events = await stage.harness.player.events()
        try await stage.harness.player.setAudioTrack(.language("fr"))
        try await stage.run { player in
            #expect(await player.status().item?.tracks?.audio.map(\.on) == [true, false])
        }
        var lines: [String] = []
        for await event in events {
            if case .notice(let notice) = event { lines.append("\(notice)") }
        }
        #expect(lines.count == 1 && lines[0].hasSuffix("film.mkv has no audio track fr; the film's own choice plays"))
    }

    @Test("a record has the choices, and one from before there were any suggests")
    func record() async throws {
        let journal = MemoryJournal()
        let configuration = PlayerConfiguration(
            inputs: [AssetInput(uri: "/films/a.mkv")], rooms: [RoomAddress(name: "kitchen", host: "127.0.0.1")],
            encoding: try EncodingOptions(), identity: SenderIdentity(id: "id", name: "test"), clock: HostClock())
        let player = try Player(configuration, journal: journal, isParked: true)
        try await player.setAudioTrack(.number(2))
        try await player.setSubtitle(.language("de"))
        await player.keep()
        var record = try #require(try journal.record)
        let (identity, clock) = (configuration.identity, HostClock())
        let tracks = TrackChoices(audio: .number(2), subtitle: .language("de"))
        #expect(record.state.tracks == tracks)
        #expect(try record.configuration(identity: identity, clock: clock).tracks == tracks)
        record.state.tracks = nil
        #expect(try record.configuration(identity: identity, clock: clock).tracks == TrackChoices())
    }
}
