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

    /// What differs from a state of before, as text; nil when nothing does.
    ///
    /// - Parameter ignored: parts that are not compared.
    func difference(from old: GroupState, ignoring ignored: Parts) -> String? {
        if !ignored.contains(.transport), isPlaying != old.isPlaying {
            return "it \(old.isPlaying ? "played" : "stood") before and \(isPlaying ? "plays" : "stands") now"
        }
        if !ignored.contains(.queue), queueToCome != old.queueToCome, !old.consumes {
            return "the queue was \(old.queueText) before and is \(queueText) now"
        }
        if !ignored.contains(.modes), modesText != old.modesText {
            return "it was \(old.modesText) before and is \(modesText) now"
        }
        if !ignored.contains(.rooms), roomsText != old.roomsText {
            return "rooms were \(old.roomsText) before and are \(roomsText) now"
        }
        return nil
    }

    private var queueToCome: [UInt64] { queue.map(\.id) }
    private var queueText: String { queue.map { "\($0.id)" }.joined(separator: " ") }

    private var modesText: String {
        "repeat \(repeats.rawValue), shuffle \(isShuffled), consume \(consumes), crossfade \(TimeText.text(crossfade)), rate \(rate)"
    }

    private var roomsText: String {
        rooms.sorted { $0.room < $1.room }.map { level in
            let volume = level.volume.map { " \(Int($0.rounded()))" } ?? ""
            return level.room + volume + (level.isMuted == true ? " muted" : "")
        }.joined(separator: ", ")
    }
}
