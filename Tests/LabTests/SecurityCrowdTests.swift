import Foundation
import TestSupport
import Testing
import TuttiLab
import TuttiTrust

extension BehaviourTests {
    /// Many connections of somebody who wants a speaker to be busy with them.
    @Suite("Security: crowds", .serialized, .enabled(if: LabSite.rooms.isMet, LabSite.rooms.comment))
    struct SecurityCrowdTests {
        /// A minute at night.
        private static let seconds = Soak.isOn ? 60.0 : 20.0

        @Test(
            "a thousand hostile connections at a time, with TLS and without: no gap, no xrun, little memory, and the household gets in",
            .timeLimit(.minutes(4)))
        func crowd() throws {
            let rooms = try WiredRooms("crowd", rooms: ["h1"], seconds: Self.seconds + 12)
            let (room, hosts) = (try rooms.address(of: "h1"), rooms.session.hosts)
            let speaker = try #require(rooms.speakers["h1"])
            // What a sender says first, with a handshake and without.
            let capture = try WireCapture(hosts)
            try rooms.tutti("pair", room)
            let clear = rooms.finish(
                try rooms.start(["delay", room], environment: ["TUTTI_OPEN=true"]), within: 10)
            #expect(clear.code == 4, clear.comment)
            capture.stop()
            let overheard = Overheard(capture.packets)
            let clientHello = try #require(overheard.clientHellos.first)
            let record = 5 + Int(clientHello[3]) * 256 + Int(clientHello[4])
            let clearHello = try #require(overheard.streams.first { $0.first != 0x16 })

            let player = try rooms.play()
            usleep(4_000_000)
            let crowd = HostileCrowd(
                700, clientHello: Array(clientHello.prefix(record)), clearHello: clearHello)
            let before = try #require(ProcessUsage(process: speaker.id))
            let attack = try crowd.begin(
                on: WiredRooms.stranger, of: hosts, against: "h1", port: TuttiRun.port, seconds: Self.seconds)
            let stranger = try MembershipFolder(stateDirectory: rooms.path("stranger")).load(name: "stranger")
            let secured = try TLSCrowd(count: 300, membership: stranger).begin(
                on: WiredRooms.stranger, of: hosts, against: "h1", port: TuttiRun.port, seconds: Self.seconds)
            let (visits, most) = try watch(rooms, room: room, speaker: speaker, from: before)
            let (figures, securedFigures) = (try attack.value(), try secured.value())
            let after = try #require(ProcessUsage(process: speaker.id))
            let outcome = rooms.finish(player, within: 40)
            #expect(outcome.code == 0, outcome.comment)
            let report = try rooms.report(since: player.0.started)
            let log = "\(rooms.session.folder(of: "h1"))/tutti-speaker.log".contents
            let grown = Double(most - before.residentBytes) / 1e6
            let busy =
                100 * (after.processorSeconds - before.processorSeconds)
                / (Double(after.time - before.time) / 1e9)
            print(
                """
                in the clear \(figures), with TLS \(securedFigures); memory \(before.residentBytes / 1_000_000) MB, at most \(grown.text(1)) MB more; \
                processor \(busy.text(1)) %; visits took \(visits.map { $0.text(2) }) s; \
                \(log.split(separator: "\\n").count) lines of log
                """)
            #expect(figures.opened > 3_500 && figures.closed > 2_800, "\(figures)")
            #expect(securedFigures.opened > 1_500 && securedFigures.closed > 1_000, "\(securedFigures)")
            #expect(visits.count > 4 && visits.allSatisfy { $0 < 3 }, "\(visits)")
            #expect(grown < 16, "MB")
            #expect(log.split(separator: "\n").count < 300, "the log stays short")
            let heard = report.rooms[0]
            #expect(heard.underruns == 0 && heard.gaps.isEmpty && heard.completeness >= 99, "\(report.table)\n\(log)")
        }

        /// Has somebody of the household visit the room now and then, while there is a crowd. He is told that somebody
        /// plays there, which nobody else is.
        ///
        /// - Returns: seconds that each visit took, and the most of the speaker's memory, in bytes.
        private func watch(
            _ rooms: WiredRooms, room: String, speaker: ChildProcess, from before: ProcessUsage
        ) throws -> (visits: [Double], most: Int) {
            var (visits, most): ([Double], Int) = ([], before.residentBytes)
            let end = before.time + Int64((Self.seconds - 1) * 1e9)
            // Not the player's own folder: the player would answer.
            let elsewhere = ["XDG_RUNTIME_DIR=" + rooms.path("elsewhere")]
            while MonotonicRaw.now() < end {
                let visit = rooms.finish(try rooms.start(["delay", room], environment: elsewhere), within: 10)
                #expect(visit.code == 4 && visit.text.contains("a sender is playing there"), visit.comment)
                visits.append(visit.seconds)
                for _ in 0..<10 {
                    most = max(most, ProcessUsage(process: speaker.id)?.residentBytes ?? 0)
                    usleep(100_000)
                }
            }
            return (visits, most)
        }
    }
}
