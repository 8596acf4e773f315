import Testing
import TuttiLab

extension BehaviourTests {
    /// Cards that underrun, and cards that go and come back.
    @Suite("Card faults", .serialized, .enabled(if: LabSite.cards.isMet, LabSite.cards.comment))
    struct CardFaultTests {
        @Test("an underrun is over at once; a card that was unplugged comes back in step and at the right place")
        func faults() throws {
            let house = try Household("faults")
            let song = try house.writeSong("song", seconds: 10)
            let steady = try house.startSpeaker(on: LabCard(name: "steady", directory: house.folder, ppm: 20))
            let stumbling = try house.startSpeaker(
                on: LabCard(name: "stumbling", directory: house.folder, ppm: 70, xruns: [4]))
            let unplugged = try house.startSpeaker(
                on: LabCard(name: "unplugged", directory: house.folder, ppm: -50, unplug: "4+2"))
            let outcome = try house.tutti(
                "play", house.path("song.flac"), "--room", steady.room, "--room", stumbling.room, "--room",
                unplugged.room)
            house.endSpeakers()
            #expect(outcome.code == 0, outcome.comment)
            #expect(outcome.text.contains("unplugged: lost-device"), outcome.comment)
            let complaints = unplugged.words.split(separator: "\n").filter { $0.contains("no sound") }
            #expect(complaints.count == 1, "\(unplugged.words)")

            let report = try house.compare(song, [steady, stumbling, unplugged].map(\.recording))
            let said = "\(report.table)\n\(outcome.text)\n\(unplugged.words)"
            // Before and after, and in whatever is heard of the seconds in between.
            #expect(report.all.max < 1000, "\(said)")
            #expect(report.rooms[1].completeness > 97, "\(said)")
            // Two seconds without the card, and up to one until it is looked for again.
            #expect((65...85).contains(report.rooms[2].completeness), "\(said)")
        }
    }
}
