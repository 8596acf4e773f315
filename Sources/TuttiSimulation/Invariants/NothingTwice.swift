/// No frame is played twice in a song, unless a person goes back, or a room that was not to be reached hears of an
/// edit, or of a clock that the sender has begun anew meanwhile.
package struct NothingTwice: Invariant {
    package static let name = "once"

    /// Going back that is none: what a room that was early slews or jumps back by, in nanoseconds.
    static let tolerance: Int64 = 3_500_000
    /// The same where it has anchored anew.
    static let anchored: Int64 = 60_000_000
    /// The longest crossfade: what a piece may begin before the one before it is over, in nanoseconds.
    static let crossfade: Int64 = 12_000_000_000
    /// How much faster than usual a piece may be played.
    static let fastest = 2.0
    /// How much plays after somebody has gone back, or may have, until that counts as done, in nanoseconds.
    static let grace: Int64 = 5_000_000_000
    /// How long after a disturbance a pause may come to a room late, so that it has played on meanwhile, in
    /// nanoseconds.
    static let lateness: Int64 = 60_000_000_000

    /// How far a room has got.
    private struct Progress {
        var stream: UInt32
        var media: Int64
        var entry: UInt64?
        var song: String
        var place: Int64
    }

    private let lengths: [String: Int64]
    private var progress: [Progress?]
    private var resyncs: [Int]
    /// By room: how much it may still play, along the timebase of its sender, before going back is wrong again.
    private var free: [Int64]
    /// By sender and group: on which clock its programme was last.
    private var timescales: [[String]: UInt64] = [:]

    package init(_ scenario: Scenario) {
        lengths = scenario.songLengths
        progress = Array(repeating: nil, count: scenario.rooms.count)
        resyncs = Array(repeating: 0, count: scenario.rooms.count)
        free = Array(repeating: 0, count: scenario.rooms.count)
    }

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        noteJumps(moment, calm)
        noteClocks(now)
        var violations: [Violation] = []
        for (index, room) in now.rooms.enumerated() where index < progress.count {
            let isTold = Self.isTold(room, now)
            let allowed = room.truth.resyncs == resyncs[index] ? Self.tolerance : Self.anchored
            resyncs[index] = room.truth.resyncs
            for span in room.truth.played {
                if let message = back(span, from: progress[index], allowed: allowed), free[index] <= 0 {
                    violations.append(Self.violation(now.at, .speaker(room.name), message))
                }
                let length = span.media.upper - span.media.lower
                if isTold { free[index] = max(0, free[index] - length) }
                progress[index] = Progress(
                    stream: span.stream, media: span.media.upper, entry: span.entry, song: span.song,
                    place: span.place + length)
            }
        }
        return violations
    }

    /// Whether a room can know what was asked for. One that does not may go back when it hears of it.
    private static func isTold(_ room: RoomObservation, _ now: HouseObservation) -> Bool {
        now.senders.contains { sender in
            let isNear = now.sides.contains { $0.contains(.sender(sender.name)) && $0.contains(.speaker(room.name)) }
            return isNear
                && sender.groups.contains { group in
                    group.timebase == room.timebase && group.connections.contains { $0.room == room.name }
                }
        }
    }

    /// Whoever goes back in a piece or the queue may play what is further back, until what was asked for has come through. So may,
    /// after a pause, a room that has heard of it late.
    private mutating func noteJumps(_ moment: Moment, _ calm: Calm) {
        var commands = moment.steps.compactMap { step in
            if case .user(_, _, let command) = step.action { command } else { nil }
        }
        for sender in moment.observation.senders {
            commands += sender.acknowledgements.map(\.command) + sender.unanswered
        }
        guard !commands.isEmpty else { return }
        let isJump = commands.contains(where: \.mayGoBack)
        let served = calm.senders.map { max($0.process, $0.link) }.max() ?? Troubles.never
        for (index, troubles) in calm.rooms.enumerated() {
            let disturbed = max(served, troubles.process, troubles.link)
            if isJump || moment.observation.at - disturbed < Self.lateness { free[index] = Self.grace }
        }
    }

    /// A sender that is started again where nobody knows the clock begins another one, and goes on from where its store
    /// has the programme. Rooms that it does not reach then play on, and may go back when it does.
    private mutating func noteClocks(_ house: HouseObservation) {
        for sender in house.senders {
            for group in sender.groups {
                guard let timebase = group.timebase else { continue }
                let before = timescales.updateValue(timebase.timescale, forKey: [sender.name, group.name])
                guard let before, before != timebase.timescale else { continue }
                for (index, room) in house.rooms.enumerated()
                where index < free.count && !group.connections.contains(where: { $0.room == room.name }) {
                    free[index] = Self.grace
                }
            }
        }
    }

    /// What is wrong with sound that follows on what played before.
    private func back(_ span: PlayedSpan, from last: Progress?, allowed: Int64) -> String? {
        guard let last, last.stream == span.stream else { return nil }
        if span.media.lower < last.media - allowed {
            return "went back on the timeline by \(TimeText.text(last.media - span.media.lower))"
        }
        guard let entry = span.entry, entry == last.entry, span.place < last.place - allowed else { return nil }
        // A piece that has come to its end, or to where the next one comes into it, may come anew: the queue repeats.
        // Where the card was gone meanwhile it may play from anywhere, if the programme has got so far.
        guard let length = lengths[last.song] else { return nil }
        let left = max(0, length - Self.crossfade - last.place) + span.place
        guard Double(left) > Double(span.media.lower - last.media) * Self.fastest + Double(allowed) else { return nil }
        return "went back in \(span.song) by \(TimeText.text(last.place - span.place))"
    }
}
