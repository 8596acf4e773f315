import Testing
import TuttiCore
import TuttiHost
import TuttiSpeaker
import TuttiWire

/// The clock that a speaker is told to share.
@Suite struct ClockMembershipTests {
    private func clock(_ number: UInt64, origin: String = "hall") -> ClockAnnouncement {
        ClockAnnouncement(timescale: TimescaleID(rawValue: number), origin: origin, leaderPort: 7_700)
    }

    @Test func theOwnersClockIsFollowedAndSendsOverlaysAway() {
        var membership = ClockMembership()
        let first = membership.receive(clock(1), from: .owner, isAlone: true, hasClock: false)
        #expect(first == .followAndDismissOverlays)
        var isOther = membership.follow(clock(1))
        #expect(isOther)
        let again = membership.receive(clock(1), from: .owner, isAlone: false, hasClock: true)
        #expect(again == .follow)
        isOther = membership.follow(clock(1, origin: "door"))
        #expect(!isOther)
        isOther = membership.follow(clock(2))
        #expect(isOther)
        #expect(membership.origin(of: TimescaleID(rawValue: 2)) == "hall")
        #expect(membership.origin(of: TimescaleID(rawValue: 1)) == nil)
    }

    @Test func anOverlaysClockIsFollowedOnlyWhereThereIsNoOther() {
        var membership = ClockMembership()
        func receive(_ number: UInt64, isAlone: Bool, hasClock: Bool) -> ClockMembership.Reception {
            let reception = membership.receive(clock(number), from: .overlay(0), isAlone: isAlone, hasClock: hasClock)
            if reception == .follow { _ = membership.follow(clock(number)) }
            return reception
        }
        #expect(receive(1, isAlone: true, hasClock: false) == .follow)
        // It may bring another one, as long as it is alone and has not been away.
        #expect(receive(2, isAlone: true, hasClock: true) == .follow)
        #expect(receive(3, isAlone: false, hasClock: true) == .dismiss)
        #expect(receive(2, isAlone: false, hasClock: true) == .ignore)
        membership.left(.overlay(0))
        #expect(receive(3, isAlone: true, hasClock: true) == .dismiss)
        #expect(receive(2, isAlone: true, hasClock: true) == .ignore)
    }

    @Test func aRouteAsksThoseBeforeTheSpeakerAndKnowsThoseAfter() throws {
        var announcement = clock(1)
        (announcement.leaderID, announcement.leaderHost, announcement.senderPort) = ("a", "10.0.0.1", 9_000)
        announcement.standIns = ["b", "c", "d"].enumerated().map { index, id in
            ClockAnnouncement.StandIn(id: id, host: "10.0.0.\(index + 2)", port: 7_700)
        }
        func addresses(_ numbers: Int...) throws -> [SocketAddress] {
            try numbers.map { number in
                try #require(SocketAddress(numericHost: "10.0.0.\(number)", port: number == 9 ? 9_000 : 7_700))
            }
        }
        let third = ClockRoute(announcement, id: "c", peer: "10.0.0.9")
        #expect(!third.isLeader)
        #expect(try third.parents == addresses(1, 2) && third.behind == addresses(4, 9))
        let leader = ClockRoute(announcement, id: "a", peer: nil)
        #expect(leader.isLeader)
        #expect(try leader.parents.isEmpty && leader.behind == addresses(2, 3, 4))
        // One that is named nowhere stands after all others.
        let stranger = ClockRoute(announcement, id: "x", peer: nil)
        #expect(try stranger.parents == addresses(1, 2, 3, 4) && stranger.behind.isEmpty)
    }

    @Test func aLoopbackAddressIsTheSendersHostAndANameIsNone() throws {
        var announcement = clock(1)
        (announcement.leaderHost, announcement.leaderPort) = ("127.0.0.1", 7_701)
        announcement.standIns = [ClockAnnouncement.StandIn(id: "b", host: "speaker.example", port: 7_700)]
        let host = try #require(SocketAddress(numericHost: "10.0.0.9", port: 7_701))
        #expect(ClockRoute(announcement, id: "x", peer: "10.0.0.9").parents == [host])
        announcement.leaderHost = nil
        #expect(ClockRoute(announcement, id: "x", peer: "10.0.0.9").parents == [host])
        #expect(ClockRoute(announcement, id: "x", peer: nil).parents.isEmpty)
    }
}
