package import TuttiClock
package import TuttiCore

/// How a group's playback runs: the playhead, those before it, and how playback time runs against the group's clock.
package struct GroupTimebase {
    /// Where the rooms stand, or are to start.
    package private(set) var playhead: Playhead
    /// The playheads before that, newest last: a room may know one of them and none that followed.
    package private(set) var earlier: [Playhead] = []
    /// How playback time runs against the group clock. All instants of the timeline are in playback time.
    package internal(set) var reference = ReferenceLine()

    /// How many playheads before the present one are remembered.
    private static let memory = 4

    package init(_ playhead: Playhead) { self.playhead = playhead }

    /// The playhead is this from now on.
    package mutating func move(to playhead: Playhead) {
        if playhead != self.playhead { earlier = earlier.suffix(Self.memory - 1) + [self.playhead] }
        self.playhead = playhead
        precondition(earlier.count <= Self.memory, "too many playheads are remembered")
    }

    /// Nothing has been told to rooms yet: they are to start at `media`.
    package mutating func place(at media: MediaTime) {
        precondition(media >= .zero, "a timeline begins at 0")
        playhead = Playhead(rate: 0, media: media, group: playhead.group)
    }

    /// Takes up what was written down.
    package mutating func restore(_ record: StoredTimebase, earlier: [StoredTimebase]) {
        self.earlier = earlier.compactMap(\.playhead).suffix(Self.memory)
        playhead = record.playhead ?? playhead
    }
}
