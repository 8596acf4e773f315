/// What really played in a room, kept by the world and known to none of its machines.
package struct RoomTruth: Sendable, Equatable, Codable {
    /// What played since the last look, in order of time.
    package var played: [PlayedSpan] = []
    /// How late that was; nil when nothing played.
    package var lateness: Lateness?
    /// Nanoseconds of silence so far in which sound was due and loaded, with the process running and the card there.
    package var silentLoaded: Int64 = 0
    /// Nanoseconds of silence so far in which sound was due and not loaded.
    package var silentEmpty: Int64 = 0
    /// How often sound broke off while it was due.
    package var dropouts = 0
    /// Jumps of the sound beyond slewing so far (crossfades and new anchors of the rate loop).
    package var resyncs = 0

    /// Sound has left the card. A piece that plays again from its beginning is another one.
    mutating func play(_ span: PlayedSpan, goesOn: Bool) {
        if goesOn, let last = played.last, last.stream == span.stream, last.song == span.song, last.entry == span.entry,
            abs(last.media.upper - span.media.lower) <= 1, span.place >= last.place
        {
            played[played.count - 1].media.upper = span.media.upper
        } else {
            played.append(span)
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
        played = []
        lateness = nil
    }
}
