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
import TuttiSpeaker

@Suite("A player goes on where another one died", .serialized, .repeatedWhenDisturbed) struct ReattachmentTests {
    private static func pieces(_ seconds: [Int]) -> [KnownSound] {
        seconds.enumerated().map { KnownSound(seed: UInt64(7 + $0.offset), frames: $0.element * 48_000) }
    }

    /// Plays until `body` is through, which may take as long as it likes; then the player is gone without a word.
    ///
    /// - Returns: what it has written down.
    private static func play(
        _ configuration: PlayerConfiguration, _ body: (Player) async throws -> Void
    ) async throws -> PlayerRecord {
        let journal = MemoryJournal()
        let player = try Player(configuration, journal: journal)
        let running = Task { await player.run() }
        await player.waitUntilPlaying()
        try await body(player)
        let record = try #require(try journal.record)
        await player.detach()
        _ = await running.value
        return record
    }

    private static func restored(_ record: PlayerRecord, _ configuration: PlayerConfiguration) throws -> Player {
        // What a host needs to know is in the record but for who it is.
        let again = try record.configuration(identity: configuration.identity, clock: HostClock())
        return try Player(again, restoring: record, journal: MemoryJournal(record))
    }

    /// Whether a room has played exactly this, once, without a gap, and nothing else.
    private static func check(_ recordings: [Recording], are expected: [Float]) throws {
        for recording in recordings {
            let begin = try #require(recording.left.firstIndex { $0 != 0 })
            try #require(recording.left.count >= begin + expected.count)
            let difference = recording.difference(from: expected, at: begin)
            let wrong = difference.map { recording.left[$0] } ?? 0
            #expect(difference == nil, "from \(begin) on; there is \(wrong)")
            #expect(recording.left.dropFirst(begin + expected.count).allSatisfy { $0 == 0 })
        }
    }

    @Test("In the middle of a piece, which the rooms hold but for its end", arguments: [false, true])
    func midSong(keepsOriginals: Bool) async throws {
        let pieces = Self.pieces([4, 3])
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"], bufferSeconds: 2) { house in
            var configuration = try house.configuration(pieces, in: house.rooms)
            if keepsOriginals { configuration.encoding = try .original }
            let record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: 600) }
            await OwnThread.pause(milliseconds: 500)
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        try Self.check(recordings, are: pieces.flatMap(\.samples))
    }

    @Test("In the middle of a piece that is played faster: no frame is missing, and none is silent")
    func stretched() async throws {
        let recordings = try await AnnouncementHouse.record(["kitchen"], bufferSeconds: 2) { house in
            var configuration = try house.configuration(Self.pieces([6]), in: house.rooms)
            configuration.rate = 1.25
            let record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: 600) }
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        let left = recordings[0].left
        let begin = try #require(left.firstIndex { $0 != 0 })
        let end = try #require(left.lastIndex { $0 != 0 })
        // The stretcher's last millisecond or two may be silent.
        #expect(abs(end + 1 - begin - 6 * 48_000 * 4 / 5) <= 100)
        var (silent, longest) = (0, 0)
        for sample in left[begin...end] {
            silent = sample == 0 ? silent + 1 : 0
            longest = max(longest, silent)
        }
        #expect(longest < 48)
    }

    @Test("Right after an edit of what the rooms hold already")
    func afterAnEdit() async throws {
        let pieces = Self.pieces([2, 3, 2])
        let recordings = try await AnnouncementHouse.record(["kitchen"]) { house in
            let configuration = try house.configuration(pieces, in: house.rooms)
            let record = try await Self.play(configuration) { player in
                await OwnThread.pause(milliseconds: 500)
                try await player.move(from: 2, to: 1)
            }
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        try Self.check(recordings, are: [0, 2, 1].flatMap { pieces[$0].samples })
    }

    @Test("In the middle of a crossfade", arguments: [1_200, 1_900, 2_300])
    func midCrossfade(_ milliseconds: Int) async throws {
        let pieces = Self.pieces([4, 4])
        let overlap = 2 * 48_000
        let recordings = try await AnnouncementHouse.record(["kitchen"], bufferSeconds: 1) { house in
            var configuration = try house.configuration(pieces, in: house.rooms)
            configuration.crossfade = try MediaTime(crossfade: 2)
            let record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: milliseconds) }
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        let (first, second) = (pieces[0].samples, pieces[1].samples)
        var expected = first.dropLast(overlap).map(Double.init)
        for frame in 0..<overlap {
            let angle = Double(frame) / Double(overlap) * Double.pi / 2
            let falling = Double(first[first.count - overlap + frame])
            expected.append(falling * cos(angle) + Double(second[frame]) * sin(angle))
        }
        expected += second.dropFirst(overlap).map(Double.init)
        let recording = recordings[0]
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        try #require(recording.left.count >= begin + expected.count)
        let worst = expected.indices.first { abs(Double(recording.left[begin + $0]) - expected[$0]) > 0x1p-22 }
        #expect(worst == nil)
        #expect(recording.left.dropFirst(begin + expected.count).allSatisfy { $0 == 0 })
    }

    @Test("While it is held: it stays so until somebody goes on")
    func held() async throws {
        let pieces = Self.pieces([4])
        let recordings = try await AnnouncementHouse.record(["kitchen"], bufferSeconds: 2) { house in
            let configuration = try house.configuration(pieces, in: house.rooms)
            let record = try await Self.play(configuration) { player in
                await OwnThread.pause(milliseconds: 700)
                try await player.pause()
            }
            await OwnThread.pause(milliseconds: 300)
            let player = try Self.restored(record, configuration)
            async let outcome = player.run()
            await OwnThread.pause(milliseconds: 1_500)
            #expect(await player.status().state == .paused)
            try await player.resume()
            #expect(await outcome.exitCode == 0)
        }
        let expected = pieces[0].samples
        let recording = recordings[0]
        let begin = try #require(recording.left.firstIndex { $0 != 0 })
        let held = try #require(recording.left[begin...].firstIndex { $0 == 0 })
        let again = try #require(recording.left[held...].firstIndex { $0 != 0 })
        #expect(again - held > 48_000)
        // The sound fades at the edges of a pause; beside them each frame is what it should be.
        let (front, back) = (held - begin - 1_000, 1_000)
        #expect(recording.difference(from: Array(expected[..<front]), at: begin) == nil)
        let heard = held - begin
        let rest = expected.count - heard
        let tail = Array(expected[(heard + back)...])
        try #require(recording.left.count >= again + rest)
        // The place where it goes on is the one where it was held, to a few frames of the fade.
        let offsets = (-600...600).filter { offset in
            recording.difference(from: Array(tail.prefix(2_000)), at: again + back + offset) == nil
        }
        let offset = try #require(offsets.first)
        #expect(recording.difference(from: tail, at: again + back + offset) == nil)
    }

    @Test("When the rooms have run out meanwhile: all go on at one instant where they ended")
    func runEmpty() async throws {
        let pieces = Self.pieces([6])
        let recordings = try await AnnouncementHouse.record(["kitchen", "bath"], bufferSeconds: 1) { house in
            let configuration = try house.configuration(pieces, in: house.rooms)
            let record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: 600) }
            // Not for so long that the cards are let go.
            await OwnThread.pause(milliseconds: 2_300)
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        let expected = pieces[0].samples
        var instants: [Double] = []
        for recording in recordings {
            let begin = try #require(recording.left.firstIndex { $0 != 0 })
            let silent = try #require(recording.left[begin...].firstIndex { $0 == 0 })
            let again = try #require(recording.left[silent...].firstIndex { $0 != 0 })
            let end = recording.left.lastIndex { $0 != 0 } ?? 0
            #expect(again - silent > 12_000)
            // Each frame once: what was heard before the silence and behind it is the piece.
            #expect(abs((silent - begin) + (end + 1 - again) - expected.count) < 1_000)
            let heard = expected.count - (end + 1 - again)
            let tail = Array(expected[(heard + 1_000)...])
            #expect(recording.difference(from: tail, at: again + 1_000) == nil)
            instants.append(recording.instant(of: end))
        }
        #expect(abs(instants[0] - instants[1]) < 40_000, "apart by \(instants[0] - instants[1]) ns")
    }

    @Test("When it was over meanwhile, it is over")
    func ended() async throws {
        let pieces = Self.pieces([2])
        let recordings = try await AnnouncementHouse.record(["kitchen"]) { house in
            let configuration = try house.configuration(pieces, in: house.rooms)
            let record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: 600) }
            await OwnThread.pause(milliseconds: 2_500)
            let player = try Self.restored(record, configuration)
            #expect(await player.run().exitCode == 0)
        }
        try Self.check(recordings, are: pieces[0].samples)
    }

    @Test("A volume that was set and not heard of is set again; one that somebody else has set stays")
    func volumes() async throws {
        let pieces = Self.pieces([5])
        _ = try await AnnouncementHouse.record(["kitchen", "bath"]) { house in
            let configuration = try house.configuration(pieces, in: house.rooms)
            var record = try await Self.play(configuration) { _ in await OwnThread.pause(milliseconds: 500) }
            for index in record.state.rooms.indices { #expect(record.state.rooms[index].percent == nil) }
            record.state.rooms[0].percent = 40
            let player = try Self.restored(record, configuration)
            async let outcome = player.run()
            await OwnThread.pause(milliseconds: 1_500)
            let volumes = await player.status().rooms.map(\.volume)
            #expect(volumes == [40, 100])
            await player.stop()
            _ = await outcome
        }
    }
}
