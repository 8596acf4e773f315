/// No gap while data is loaded: a room that holds what is due, and can play, plays it.
///
/// Allowed is what a room takes after a break of its own: a start, a card that ran dry or came back, a jump to another
/// timebase or timescale, and the short fades of a resync.
package struct NoGapWhileLoaded: Invariant {
    package static let name = "no-gap"

    /// Silence that is none: below what a crossfade of a resync takes, in nanoseconds.
    static let tolerance: Int64 = 1_000_000
    /// A fade out, a new anchor, and a fade in.
    static let resync: Int64 = 20_000_000
    /// How long after a break silence is allowed, in nanoseconds.
    static let recovery: Int64 = 2_000_000_000

    /// How long a room may take to play once it has what is due, in nanoseconds.
    static let starting: Int64 = 500_000_000

    private var last: [RoomObservation] = []
    private var time: Int64 = 0
    /// By room: since when it could play, and was not.
    private var able: [String: Int64] = [:]

    package init(_ scenario: Scenario) {}

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        let elapsed = now.at - time
        defer { (last, time) = (now.rooms, now.at) }
        for room in now.rooms {
            let isAble = room.isRunning && room.isPlugged && room.isDue && room.holdsDue && room.truth.played.isEmpty
            able[room.name] = isAble ? able[room.name] ?? now.at : nil
        }
        return zip(zip(last, now.rooms), calm.rooms).compactMap { pair, troubles in
            let (before, room) = pair
            let broken = max(troubles.process, troubles.card, troubles.timebase, troubles.timescale)
            guard before.incarnation == room.incarnation, before.isRunning, room.isRunning,
                now.at - broken > Self.recovery
            else { return nil }
            let since = able[room.name] ?? now.at
            let silence = max(
                room.truth.silentLoaded - before.truth.silentLoaded,
                now.at - since > Self.starting && room.truth.silentEmpty == before.truth.silentEmpty ? elapsed : 0)
            let allowed = Self.tolerance + Int64(max(0, room.truth.resyncs - before.truth.resyncs)) * Self.resync
            guard silence > allowed else { return nil }
            return Self.violation(
                now.at, .speaker(room.name),
                "was silent for \(TimeText.text(silence)) although the audio was in its buffer")
        }
    }
}
