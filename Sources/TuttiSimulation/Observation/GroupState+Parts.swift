import TuttiCore

extension GroupState {
    /// Parts that commands change.
    struct Parts: OptionSet {
        let rawValue: Int

        static let transport = Parts(rawValue: 1)
        static let queue = Parts(rawValue: 2)
        static let modes = Parts(rawValue: 4)
        static let rooms = Parts(rawValue: 8)
    }

    /// A room's loudness; nil when the room is not of the group.
    func level(_ room: String) -> Level? { rooms.first { $0.room == room } }

    /// What differs from a state of before, as text; nil when nothing does. A level that is not known in both is not
    /// compared.
    ///
    /// - Parameter ignored: parts that are not compared.
    func difference(from old: GroupState, ignoring ignored: Parts) -> String? {
        if !ignored.contains(.transport), isPlaying != old.isPlaying {
            return "it \(old.isPlaying ? "played" : "was paused") before and \(isPlaying ? "plays" : "is paused") now"
        }
        if !ignored.contains(.queue), queueToCome != old.queueToCome, !old.consumes {
            return "the queue was \(old.queueText) before and is \(queueText) now"
        }
        if !ignored.contains(.modes), modesText != old.modesText {
            return "it was \(old.modesText) before and is \(modesText) now"
        }
        let (before, now) = (old.roomsText(as: self), roomsText(as: old))
        if !ignored.contains(.rooms), now != before { return "rooms were \(before) before and are \(now) now" }
        return nil
    }

    private var queueToCome: [UInt64] { queue.map(\.id) }
    private var queueText: String { queue.map { "\($0.id)" }.joined(separator: " ") }

    private var modesText: String {
        "repeat \(repeats.rawValue), shuffle \(isShuffled), consume \(consumes), "
            + "crossfade \(TimeText.text(crossfade)), rate \(rate)"
    }

    /// The rooms, with the levels that are known in `other` too.
    private func roomsText(as other: GroupState) -> String {
        rooms.sorted { $0.room < $1.room }.map { level in
            guard other.level(level.room)?.volume != nil else { return level.room }
            return level.text
        }.joined(separator: ", ")
    }
}

extension GroupState.Level {
    /// The room with its level, as far as that is known.
    var text: String {
        room + (volume.map { " \(Int($0.rounded()))" } ?? "") + (isMuted == true ? " muted" : "")
    }
}
