import Testing
import TuttiHouse
import TuttiSchema

/// Which of the household's commands are due.
@Suite struct HookPlanTests {
    private static func status(_ state: PlayerStatus.State, volume: Double? = 40) -> ControlEvent {
        var room = RoomStatus(name: "bath", address: "10.0.0.7:7700", state: .playing)
        (room.volume, room.muted) = (volume, volume.map { _ in false })
        let item = PlayerStatus.Item(index: 0, title: "Song", uri: "/song.flac")
        let status = PlayerStatus(
            state: state, position: 1, rate: 1, item: item, queue: .init(length: 1, index: 0), rooms: [room])
        return ControlEvent(.progress(status), group: "down")
    }

    private static func event(_ kind: ControlEvent.Kind) -> ControlEvent { ControlEvent(kind, group: "down") }

    private static func occasions(_ calls: [HookPlan.Call]) -> [HookPlan.Occasion] { calls.map(\.occasion) }

    /// A plan that is told one thing after the other.
    private final class Told {
        private var plan = HookPlan(idleAfter: 60)

        func take(_ event: ControlEvent, at now: Double) -> [HookPlan.Call] { plan.take(event, at: now) }
        func wait(until now: Double) -> [HookPlan.Call] { plan.wait(until: now) }
        func goOn(with playing: Set<String>, at now: Double) -> [HookPlan.Call] { plan.goOn(with: playing, at: now) }
    }

    @Test("a group that begins, waits for a jump, is paused, goes on and ends starts twice and stops twice")
    func playing() {
        let plan = Told()
        #expect(plan.take(Self.status(.starting), at: 0).isEmpty)
        let started = plan.take(Self.event(.state(.playing)), at: 1)
        #expect(Self.occasions(started) == [.start])
        #expect(started[0].fields["TUTTI_TITLE"] == "Song" && started[0].fields["TUTTI_ROOMS"] == "bath")
        for state in [PlayerStatus.State.playing, .buffering, .playing] {
            #expect(plan.take(Self.status(state), at: 2).isEmpty)
        }
        #expect(Self.occasions(plan.take(Self.event(.state(.paused)), at: 3)) == [.stop])
        #expect(plan.take(Self.status(.paused), at: 3).isEmpty)
        #expect(Self.occasions(plan.take(Self.status(.playing), at: 4)) == [.start])
        #expect(Self.occasions(plan.take(Self.event(.finished(exitCode: 0, message: nil)), at: 5)) == [.stop])
        #expect(plan.take(Self.event(.finished(exitCode: 0, message: nil)), at: 6).isEmpty)
    }

    @Test("a group that ended while no events were heard has stopped, once; one that plays on has not")
    func missed() {
        let plan = Told()
        _ = plan.take(Self.status(.playing), at: 1)
        #expect(plan.goOn(with: ["down"], at: 2).isEmpty)
        #expect(Self.occasions(plan.goOn(with: ["up"], at: 3)) == [.stop])
        #expect(plan.goOn(with: [], at: 4).isEmpty)
        #expect(plan.take(Self.event(.finished(exitCode: 0, message: nil)), at: 5).isEmpty)
        #expect(Self.occasions(plan.wait(until: 63)) == [.idle])
    }

    @Test("idle is told once, a while after the last group stopped, and not before anything has played")
    func idle() {
        let plan = Told()
        #expect(plan.wait(until: 1_000).isEmpty)
        _ = plan.take(Self.status(.playing), at: 1_000)
        #expect(plan.wait(until: 2_000).isEmpty)
        _ = plan.take(Self.status(.paused), at: 2_000)
        #expect(plan.wait(until: 2_059).isEmpty)
        #expect(Self.occasions(plan.wait(until: 2_060)) == [.idle])
        #expect(plan.wait(until: 3_000).isEmpty)
        _ = plan.take(Self.status(.playing), at: 3_000)
        _ = plan.take(Self.status(.paused), at: 3_001)
        _ = plan.take(Self.status(.playing), at: 3_030)
        #expect(plan.wait(until: 3_100).isEmpty)
    }

    @Test("a volume is told when it changes, not when it becomes known again")
    func volume() {
        let plan = Told()
        _ = plan.take(Self.status(.playing), at: 0)
        #expect(plan.take(Self.status(.playing), at: 1).isEmpty)
        #expect(plan.take(Self.status(.playing, volume: nil), at: 2).isEmpty)
        #expect(plan.take(Self.status(.playing), at: 3).isEmpty)
        let changed = plan.take(Self.status(.playing, volume: 50), at: 4)
        #expect(Self.occasions(changed) == [.volume] && changed[0].fields["TUTTI_VOLUME"] == "50.0")
    }

    @Test("a room that is lost is told once until it is back")
    func lost() {
        let plan = Told()
        let lost = Self.event(.room(name: "bath", .lost, message: "gone"))
        #expect(Self.occasions(plan.take(lost, at: 0)) == [.lost])
        let unreachable = Self.event(.room(name: "bath", .state(.unreachable), message: ""))
        #expect(plan.take(unreachable, at: 1).isEmpty)
        #expect(plan.take(Self.event(.room(name: "bath", .connected, message: "")), at: 2).isEmpty)
        #expect(Self.occasions(plan.take(lost, at: 3)) == [.lost])
    }

    @Test("the newest volume of a room is enough; where too many wait the oldest goes")
    func queue() {
        var queue = HookQueue()
        for volume in 0..<5 {
            let hasLost = queue.add(.init(.volume, ["TUTTI_ROOM": "bath", "TUTTI_VOLUME": "\(volume)"]))
            #expect(!hasLost)
        }
        let (newest, none) = (queue.next(), queue.next())
        #expect(newest?.fields["TUTTI_VOLUME"] == "4" && none == nil)
        for number in 0..<HookQueue.mostWaiting {
            let hasLost = queue.add(.init(.start, ["TUTTI_GROUP": "\(number)"]))
            #expect(!hasLost)
        }
        let hasLost = queue.add(.init(.stop, [:]))
        let oldest = queue.next()
        #expect(hasLost && oldest?.fields["TUTTI_GROUP"] == "1")
    }
}
