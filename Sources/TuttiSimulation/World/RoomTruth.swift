/// What was really heard in a room, kept by the world and known to none of its machines.
struct RoomTruth {
    /// Since the last look.
    var heard: [HeardSpan] = []
    var lateness: Lateness?
    /// So far.
    var silentLoaded: Int64 = 0
    var silentEmpty: Int64 = 0
    var dropouts = 0
    var resyncs = 0

    /// Sound has left the card. A piece that is heard again from its beginning is another one.
    mutating func hear(_ span: HeardSpan, goesOn: Bool) {
        if goesOn, let last = heard.last, last.stream == span.stream, last.song == span.song, last.entry == span.entry,
            abs(last.media.upper - span.media.lower) <= 1, span.place >= last.place
        {
            heard[heard.count - 1].media.upper = span.media.upper
        } else {
            heard.append(span)
        }
    }

    /// It was so late, in nanoseconds, and so much of that is the clock's.
    mutating func note(lateness value: Int64, clock: Int64) {
        lateness = Lateness(
            last: value, least: min(value, lateness?.least ?? value), greatest: max(value, lateness?.greatest ?? value),
            clock: clock)
    }

    /// Forgets what was looked at.
    mutating func forget() {
        heard = []
        lateness = nil
    }
}
