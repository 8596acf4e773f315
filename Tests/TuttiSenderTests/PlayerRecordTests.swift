import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender

@Suite("What a player writes down", .repeatedWhenDisturbed) struct PlayerRecordTests {
    private static let identity = SenderIdentity(id: "desk", name: "desk")

    private static func player(_ count: Int, journal: MemoryJournal) throws -> Player {
        let inputs = (0..<count).map { AssetInput(uri: "/music/\($0).flac") }
        let configuration = PlayerConfiguration(
            inputs: inputs, rooms: [], encoding: try EncodingOptions(), identity: identity, clock: HostClock())
        return try Player(configuration, journal: journal)
    }

    @Test("An edit is stored as what it changes, before it is answered")
    func increments() async throws {
        let journal = MemoryJournal()
        let player = try Self.player(3, journal: journal)
        try await player.move(from: 0, to: 2)
        #expect(journal.changes.count == 1 && journal.changes[0].isWhole && journal.changes[0].entries.count == 3)
        try await player.add([AssetInput(uri: "/music/new.flac")])
        try await player.remove([1])
        let (added, removed) = (journal.changes[1], journal.changes[2])
        #expect(added.entries.map(\.input.uri) == ["/music/new.flac"] && added.removed == [])
        #expect(removed.entries == [] && removed.removed.count == 1)
        let record = try #require(try journal.record)
        let listing = await player.listing()
        #expect(record.order.ids == listing.entries.map(\.id))
        #expect(Set(record.entries.map(\.id)) == Set(record.order.ids))
        #expect(record.state.current == record.order.ids[listing.index ?? -1])
    }

    @Test("A restored queue is what it was")
    func queue() async throws {
        let journal = MemoryJournal()
        let player = try Self.player(20, journal: journal)
        try await player.setShuffled(true)
        try await player.setRepeat(.all)
        try await player.setConsumes(true)
        try await player.setRate(1.5)
        try await player.setCrossfade(4)
        let record = try #require(try journal.record)
        let configuration = try record.configuration(identity: Self.identity, clock: HostClock())
        #expect(configuration.rate == 1.5 && configuration.crossfade.seconds == 4)
        let again = try Player(configuration, restoring: record, journal: MemoryJournal(record))
        #expect(await again.listing() == player.listing())
        #expect(record.order.unshuffled == (0..<20).map { UInt64($0) })
        // What is there to be changed is known once the rooms have answered.
        await #expect(throws: SenderError.self) { try await again.setShuffled(false) }
    }

    @Test("Ten thousand entries are edited in no time")
    func longQueue() async throws {
        let player = try Self.player(10_000, journal: MemoryJournal())
        try await player.move(from: 9_000, to: 10)
        let clock = ContinuousClock()
        var times: [Duration] = []
        for round in 0..<20 {
            times.append(try await clock.measure { try await player.move(from: .index(9_000 - round), to: 17) })
        }
        // The quickest: what others do with the processors meanwhile only ever adds.
        #expect(try #require(times.min()) < .milliseconds(10))
    }

    @Test("A damaged record is refused, wherever the damage is")
    func damage() async throws {
        let journal = MemoryJournal()
        let player = try Self.player(3, journal: journal)
        try await player.move(from: 0, to: 1)
        let whole = try #require(try journal.record)
        func isRefused(_ change: (inout PlayerRecord) -> Void) -> Bool {
            var record = whole
            change(&record)
            do throws(SenderError) {
                let configuration = try record.configuration(identity: Self.identity, clock: HostClock())
                _ = try Player(configuration, restoring: record)
                return false
            } catch {
                if case .badRecord = error { return true }
                return false
            }
        }
        #expect(!isRefused { _ in })
        #expect(isRefused { $0.order.ids.append(99) })
        #expect(isRefused { $0.order.ids[0] = $0.order.ids[1] })
        #expect(isRefused { $0.entries.removeLast() })
        #expect(isRefused { $0.state.nextEntry = 1 })
        #expect(isRefused { $0.state.current = 77 })
        #expect(isRefused { $0.order.unshuffled = [1] })
        #expect(isRefused { $0.state.rate = 0 })
        #expect(isRefused { $0.state.rate = .nan })
        #expect(isRefused { $0.state.crossfade = MediaTime(frame: -1, sampleRate: 1) })
        #expect(isRefused { $0.state.encoding.bitrate = 0 })
        #expect(isRefused { $0.state.encoding.gain = .infinity })
        #expect(isRefused { $0.state.stream = 0 })
    }
}
