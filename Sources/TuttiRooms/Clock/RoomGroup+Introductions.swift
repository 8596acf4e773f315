import NIOCore
import TuttiCore
import TuttiHost
import TuttiTiming

/// Rooms that meet their first clock: the link carries some of their exchanges before it carries audio.
///
/// The first packets fill a slow link for a second, and whatever the sender answers meanwhile waits behind them. A room
/// that has measured nothing before that knows its clock to some milliseconds when it begins to play, and learns better
/// only after ten seconds: what comes late says little of how long the link itself takes.
extension RoomGroup {
    /// Requests of a room, with nothing else under way, before it is sent audio: what its first estimate takes, and two.
    /// On a cable they take 50 ms.
    private static let introduction = 10
    /// Nanoseconds after which it is sent audio in any case: it may reach this host by another address, or not at all.
    /// Both count from when its media connection is open, for a slow link carries the greetings of that for as long as
    /// six requests take.
    private static let longestIntroduction: Int64 = 400_000_000
    /// Between two looks at how often rooms have asked.
    private static let introductionInterval = TimeAmount.milliseconds(10)

    /// Whether a room is not to be sent audio yet; it is sent it as soon as it may.
    func isIntroducing(_ room: Room) -> Bool {
        guard plan.leader == nil, !room.clock.isIntroduced, room.clock.birth != nil else { return false }
        let count = room.clock.address.flatMap { clock.requestCounts[$0.host] } ?? 0
        let (first, begin) = room.clock.introduction ?? (count, now)
        room.clock.introduction = (first, begin)
        room.clock.isIntroduced =
            room.clock.own != nil || count - first >= Self.introduction
            || now.nanoseconds(since: begin) >= Self.longestIntroduction
        if !room.clock.isIntroduced { watchIntroductions() }
        return !room.clock.isIntroduced
    }

    private func watchIntroductions() {
        guard !isWatchingIntroductions else { return }
        isWatchingIntroductions = true
        let group = bound
        loop.scheduleTask(in: Self.introductionInterval) {
            group.value.isWatchingIntroductions = false
            if !group.value.isLeaving { group.value.feed() }
        }
    }
}
