import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRooms
import TuttiSchema
import TuttiWire

/// How the rooms stand, and what follows from it.
extension RoomStream {
    /// Whether rooms are there.
    struct Presence {
        /// When one was there last; when it all began, if none has been.
        var last: HostTime
        /// Whether one has been there.
        var isProven = false
        /// Whether it has been reported that they are gone.
        var isLost = false
    }

    /// Nanoseconds without any room after which the stream is lost: when no room has ever been there, and when rooms
    /// were, since they play on from their buffers meanwhile.
    private static let absenceTimeout = (first: Int64(10_000_000_000), later: Int64(60_000_000_000))
    /// What is kept of what has played, for rooms that come back.
    private static let history = MediaTime(frame: 2, sampleRate: 1)

    /// Forgets what has played.
    func trim() {
        guard group.playhead.rate > 0, group.groupNow.nanoseconds > group.playhead.group.nanoseconds else { return }
        let time = group.position - Self.history
        held.remove(before: time)
        group.trimLogs(before: time)
    }

    func notePresence() {
        if group.members.contains(where: \.isUp) {
            if presence.isLost { report(.restored) }
            presence = Presence(last: group.now, isProven: true)
            return
        }
        let absence = presence.isProven ? Self.absenceTimeout.later : Self.absenceTimeout.first
        guard !presence.isLost, group.now.nanoseconds(since: presence.last) > absence else { return }
        let problem = group.members.lazy.compactMap(\.problem).first
        lose(problem ?? .roomNotFound(unresolved.first ?? "", reason: "no such speaker on the network"))
    }

    /// Says that the rooms are gone.
    func lose(_ error: SenderError) {
        presence.isLost = true
        report(.lost(error))
    }

    /// Looks at what depends on how the rooms are.
    func lookAround() {
        answerFlushes()
        for room in group.members { tellLevel(to: room) }
        let isAwaited = group.members.contains {
            $0.problem == nil && ($0.link == .connecting || $0.link == .welcomed)
        }
        let present = group.members.filter(\.isUp)
        let isReady =
            !isAwaited && !present.isEmpty
            && present.allSatisfy { $0.isReady || $0.playback == .playing && !$0.isFlushing }
        let command = group.commandLead
        guard leads.map({ $0 != (command, isReady) }) ?? true else { return }
        leads = (command, isReady)
        report(.leads(command: command, isReady: isReady))
    }
}
