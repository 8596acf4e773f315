import Foundation
import Testing
import TuttiLab

extension BehaviourTests {
    /// Somebody on the wire who reads everything, and somebody who sends what he likes.
    @Suite("Security: the wire", .serialized, .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct SecurityWireTests {
        private static let title = "Sesame in the attic"

        @Test(
            "on the wire there is neither what plays nor what is commanded, and all time is signed; in the clear the same search finds them",
            arguments: [false, true])
        func eavesdropping(isOpen: Bool) throws {
            let rooms = try WiredRooms(
                "eavesdropping-\(isOpen ? "open" : "secured")", rooms: ["h1", "h2"], seconds: 8, isOpen: isOpen)
            let file = rooms.path("tagged.flac")
            try Tool.run(["flac", "-s", "-f", "-T", "TITLE=\(Self.title)", "-o", file, rooms.song.wave])
            let capture = try WireCapture(rooms.session.hosts)
            let player = try rooms.play(file)
            try rooms.tutti("volume", "40")
            let status = try rooms.tutti("status", "--json")
            #expect(status.text.contains(Self.title), status.comment)
            let outcome = rooms.finish(player)
            #expect(outcome.code == 0, outcome.comment)
            capture.stop()

            let overheard = Overheard(capture.packets)
            let found = ["\"volume\"", "playing", Self.title].filter { overheard.contains($0) }
            let stretches = overheard.stretches(of: Array(try Data(contentsOf: URL(fileURLWithPath: file))))
            let versions = Set(overheard.clientHellos.flatMap { Overheard.versions(of: $0) })
            let said = "\(found), \(stretches) stretches, \(overheard.streams.map(\.count)) bytes, \(versions)"
            print("\(isOpen ? "in the clear" : "secured"): \(said); \(overheard.timing.count) timing datagrams")
            #expect(overheard.streams.map(\.count).reduce(0, +) > 100_000, "the music was overheard: \(said)")
            #expect(overheard.timing.count > 40 && overheard.others.isEmpty, "\(overheard.others)")
            #expect(Set(overheard.timing.map(\.count)) == (isOpen ? [64] : [84]))
            if isOpen {
                #expect(found.contains("\"volume\"") && found.contains("playing") && stretches > 100, "\(said)")
                #expect(overheard.clientHellos.isEmpty)
            } else {
                #expect(found.isEmpty && stretches == 0, "\(said)")
                // Control and media of each room, and those of looks at them.
                #expect(overheard.clientHellos.count >= 4 && versions == [0x0304], "\(said)")
                #expect(overheard.streams.allSatisfy { $0[0] == 0x16 }, "each connection begins with a handshake")
            }
        }

        @Test("timing datagrams that are unsigned, changed, sent again or sent back move no room's clock")
        func forgery() throws {
            let rooms = try WiredRooms("forgery", rooms: ["h1", "h2"], seconds: 18)
            let capture = try WireCapture(rooms.session.hosts)
            let player = try rooms.play()
            usleep(4_000_000)
            let begun = MonotonicRaw.now()
            let before = try ["h1", "h2"].map { try rooms.datagrams(in: $0) }
            let errand = HostErrand(in: rooms.session.hosts.namespace(of: WiredRooms.stranger)) {
                () throws(LabError) -> DatagramForger.Figures in
                try DatagramForger(seed: 5).send(from: capture, seconds: 8)
            }
            let sent = try errand.value()
            let came = try zip(["h1", "h2"], before).map { try rooms.datagrams(in: $0) - $1 }
            let outcome = rooms.finish(player, within: 30)
            #expect(outcome.code == 0, outcome.comment)
            capture.stop()
            let report = try rooms.report(since: player.0.started)
            print("forged: \(sent), \(came) came\n\(report.table)")
            #expect(sent.all.allSatisfy { $0 > 400 }, "\(sent)")
            #expect(came.reduce(0, +) > sent.all.reduce(0, +) / 8, "\(came) of \(sent)")
            #expect(report.rooms.allSatisfy { $0.completeness >= 99 && $0.gaps.isEmpty }, "\(report.table)")
            let pair = try #require(report.pairs.first)
            #expect(pair.whole.max < 1000, "\(report.table)")
            let attack = Double(begun - report.firstSoundRawNanoseconds) / 1e9
            let calm = pair.offsets.filter { $0.seconds < attack }.map(\.microseconds)
            let stormy = pair.offsets.filter { $0.seconds > attack + 1 }.map(\.microseconds)
            try #require(calm.count > 10 && stormy.count > 40, "\(report.table)")
            let moved = stormy.reduce(0, +) / Double(stormy.count) - calm.reduce(0, +) / Double(calm.count)
            print("the rooms moved by \(moved.text(1)) µs against one another")
            #expect(abs(moved) < 50, "µs: \(report.table)")
        }
    }
}
