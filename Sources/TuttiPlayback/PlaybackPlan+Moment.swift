package import TuttiCore

extension PlaybackPlan {
    /// What a speaker knows when it asks its plan.
    package struct Moment: Sendable {
        /// Playback time; nil while no clock is known.
        package var now: GroupTime?
        /// Whether the group's clock is known well enough for sound to begin.
        package var isClockSteady: Bool
        /// Whether the card's is.
        package var isDeviceSettled: Bool
        /// How far ahead a change must lie to take effect at its instant, in ns.
        package var changeLead: Int64
        /// The command that holds, or will hold from its instant on.
        package var timebase: Timebase?
        /// The command before it, which holds until then.
        package var previousTimebase: Timebase?
        /// The media time that is read next; nil without a stream.
        package var position: MediaTime?
        /// How the decks stand; nil before there are any.
        package var decks: Decks?

        package init(
            now: GroupTime?, isClockSteady: Bool, isDeviceSettled: Bool, changeLead: Int64, timebase: Timebase?,
            previousTimebase: Timebase?, position: MediaTime?, decks: Decks?
        ) {
            self.now = now
            self.isClockSteady = isClockSteady
            self.isDeviceSettled = isDeviceSettled
            self.changeLead = changeLead
            self.timebase = timebase
            self.previousTimebase = previousTimebase
            self.position = position
            self.decks = decks
        }

        /// The timebase that something plays on, or waits to play on, where its own is `own`: the command itself, since
        /// what waits may wait for a later place on it.
        func running(_ own: Timebase) -> Timebase {
            guard let timebase, timebase.rate > 0 else { return own }
            return timebase
        }

        /// Nanoseconds from now to `instant`; nil while no clock is known, and for an instant of another clock than the
        /// one that is.
        func nanoseconds(until instant: GroupTime?) -> Int64? {
            guard let now, let instant, instant.timescale == now.timescale else { return nil }
            return instant.nanoseconds(since: now)
        }
    }

    /// How the two decks stand.
    package struct Decks: Sendable {
        package var first: DeckStanding
        package var second: DeckStanding

        package init(first: DeckStanding, second: DeckStanding) {
            self.first = first
            self.second = second
        }

        package subscript(side: DeckSide) -> DeckStanding { side == .first ? first : second }

        /// A deck that can be programmed now; nil while both are in use.
        var free: DeckSide? { DeckSide.allCases.first { !self[$0].isInUse } }
    }

    /// How a deck stands.
    package struct DeckStanding: Sendable {
        package var state: DeckState
        /// Frames written since it was programmed and not taken back.
        package var framesWritten: Int64

        package init(state: DeckState, framesWritten: Int64) {
            self.state = state
            self.framesWritten = framesWritten
        }

        /// Whether the deck has a run that has not ended.
        var isInUse: Bool { state != .idle && state != .finished }
    }
}
