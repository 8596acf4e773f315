import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct OriginalTests {
    /// What a speaker with FFmpeg says.
    private static let all = ["flac", "opus", "pcm", "aac", "alac", "mp3", "vorbis"]

    /// A file of `frames` frames of a chirp, encoded with ffmpeg.
    private func make(_ name: String, in scratch: Scratch, frames: Int, rate: Int = 44_100) throws -> String {
        let wave = try scratch.wave(name + ".in.wav", frames: frames, rate: rate)
        let file = scratch.path + "/" + name
        try OutsideTool.run(
            ["ffmpeg", "-v", "error", "-i", wave] + (name.hasPrefix("alac") ? ["-c:a", "alac"] : []) + [file])
        return file
    }

    private func decoded(_ file: String) throws -> [Float] {
        let asset = try Asset.open(AssetInput(uri: file))
        var samples: [Float] = []
        while let block = try asset.read(maximumFrames: 65_536) { samples += block.samples }
        return samples
    }

    @Test func theBytesThatArriveAreThoseOfTheFilesEndToEnd() async throws {
        let scratch = try Scratch()
        let files = [
            try make("a.m4a", in: scratch, frames: 30_011),
            try make("b.mp3", in: scratch, frames: 20_021, rate: 48_000),
            try make("alac.m4a", in: scratch, frames: 10_037), try make("c.flac", in: scratch, frames: 9_000),
            try make("d.wv", in: scratch, frames: 9_001), try make("e.m4a", in: scratch, frames: 12_345),
        ]
        let speaker = try await FakeSpeaker("kitchen", codecs: Self.all)
        let outcome = try await PlayerHarness(files, [speaker.room], keepsOriginals: true).run()
        #expect(outcome.exitCode == 0)
        let packets = speaker.inspect { $0.packets }
        var codecs: [AudioFormat.Codec] = []
        for packet in packets where codecs.last != packet.format.codec { codecs.append(packet.format.codec) }
        #expect(codecs == [.aac, .mp3, .alac, .flac, .aac])
        for (packet, next) in zip(packets, packets.dropFirst()) {
            #expect(packet.timeRange.end == next.presentationTime)
        }
        var end = MediaTime.zero
        for (frames, rate) in [(30_011, 44_100), (20_021, 48_000), (10_037, 44_100), (30_346, 44_100)] {
            end = end + MediaTime(frame: Int64(frames), sampleRate: rate)
        }
        #expect(packets.last?.timeRange.end == end)
        #expect(speaker.inspect { $0.end } == end)

        let first = try Data(contentsOf: URL(fileURLWithPath: files[0]))
        let music = packets.prefix { $0.format.codec == .aac }
        var place = try #require(first.range(of: Data("mdat".utf8))).upperBound
        for data in music.flatMap({ ($0.preroll ?? []).map(\.data) + [$0.data] }) {
            let found = try #require(first.range(of: Data(data), in: place..<first.endIndex))
            #expect(found.lowerBound == place)
            place = found.upperBound
        }
        #expect(packets.first?.preroll?.isEmpty == false)
    }

    @Test func aRoomThatCannotDecodeThemGetsTheSameSoundInFLAC() async throws {
        let scratch = try Scratch()
        let files = [
            try make("a.m4a", in: scratch, frames: 50_011), try make("b.flac", in: scratch, frames: 20_021),
            try make("c.mp3", in: scratch, frames: 40_001, rate: 48_000),
            try make("d.ogg", in: scratch, frames: 90_001),
        ]
        let speakers = [
            try await FakeSpeaker("kitchen", codecs: Self.all), try await FakeSpeaker("bath"),
            try await FakeSpeaker("attic", codecs: ["flac", "opus", "pcm", "mp3"]),
        ]
        let outcome = try await PlayerHarness(files, speakers.map(\.room), keepsOriginals: true).run()
        #expect(outcome.exitCode == 0)
        let codecs = speakers.map { speaker in Set(speaker.inspect { $0.packets }.map(\.format.codec)) }
        #expect(codecs == [[.aac, .flac, .mp3, .vorbis], [.flac], [.flac, .mp3]])
        let ends = speakers.map { $0.inspect { $0.packets.last?.timeRange.end } }
        #expect(Set(ends).count == 1)
        let plain = speakers[1].inspect { $0.packets }
        for (packet, next) in zip(plain, plain.dropFirst()) {
            #expect(packet.timeRange.end == next.presentationTime)
        }
        let playback = PacketPlayback { format throws(CodecError) in try Codecs.makeDecoder(for: format) }
        let heard = plain.flatMap { playback.play($0) { [] } }
        let expected = try files.flatMap { try decoded($0) }
        #expect(heard.count == expected.count)
        #expect(zip(heard, expected).allSatisfy { abs($0 - min(max($1, -1), 1)) <= 0x1p-15 })
        #expect(playback.damagedCount == 0)
    }

    @Test func aRoomThatComesLateIsSentFromThePlayhead() async throws {
        let scratch = try Scratch()
        let file = try make("a.m4a", in: scratch, frames: 441_000)
        let speakers = [try await FakeSpeaker("kitchen", codecs: Self.all), try await FakeSpeaker("bath")]
        _ = try await PlayerHarness([file], speakers.map(\.room), keepsOriginals: true).run { player in
            try await eventually("both play") { speakers.allSatisfy(\.wasStarted) }
            try await Task.sleep(for: .milliseconds(900))
            let before = await player.status().position
            for speaker in speakers { speaker.restart() }
            try await eventually("audio again") { speakers.allSatisfy { !$0.inspect { $0.packets.isEmpty } } }
            let after = await player.status().position
            for speaker in speakers {
                // A decoder is let in before the place, so as to be right there.
                let first = speaker.inspect { $0.packets[0].timeRange }
                #expect(first.end.seconds > before - 0.6 && first.start.seconds <= after)
            }
            #expect(speakers.map { $0.inspect { $0.packets[0].format.codec } } == [.aac, .flac])
            await player.stop()
        }
    }

    @Test func aRoomThatComesWhenAllIsMadeGetsItToItsLastFrame() async throws {
        let scratch = try Scratch()
        let file = try make("a.m4a", in: scratch, frames: 300_001)
        let kitchen = try await FakeSpeaker("kitchen", codecs: Self.all)
        let port = try await FakeSpeaker.freePort()
        let rooms = [kitchen.room, RoomAddress(name: "bath", host: "127.0.0.1", port: port)]
        _ = try await PlayerHarness(
            [file], rooms, keepsOriginals: true, allowsMissingRooms: true, connectTimeout: 300_000_000
        ).run { player in
            try await eventually("all is made") { kitchen.inspect { $0.end != nil } }
            let bath = try await FakeSpeaker("bath", port: port)
            let end = kitchen.inspect { $0.end }
            try await eventually("all is there") { bath.inspect { $0.packets.last?.timeRange.end } == end }
            await player.stop()
        }
    }

    @Test func aBeginningInTheMiddleBringsItsPreroll() async throws {
        let scratch = try Scratch()
        let file = try make("a.mp3", in: scratch, frames: 200_001)
        let speaker = try await FakeSpeaker("kitchen", codecs: Self.all)
        let start = MediaTime(frame: 100_001, sampleRate: 44_100)
        let outcome = try await PlayerHarness([file], [speaker.room], startAt: start, keepsOriginals: true).run()
        #expect(outcome.exitCode == 0)
        let packets = speaker.inspect { $0.packets }
        let first = try #require(packets.first)
        #expect(first.presentationTime == start)
        #expect(first.preroll?.isEmpty == false)
        #expect(packets.reduce(0) { $0 + $1.audibleFrameCount } == 100_000)
    }
}
