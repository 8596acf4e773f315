import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback

/// Decodes the programme about a second ahead of what is heard, into whichever deck is free, and lets each deck begin
/// and end at its instant of the group's clock. Runs on a thread of its own until told to stop.
///
/// All that a timebase command, a flush or a format change can ask for comes down to: *this deck ends at G, another one
/// begins at G with the programme from M on*.
final class DecodeWorker {
    /// Audio decoded before a programme counts as ready to start, in milliseconds.
    static let stagedMilliseconds = 150
    /// How much further ahead than it must lie a start is put that comes too late, in ns.
    static let lateness: Int64 = 100_000_000
    /// Ramps at cuts, in ns.
    static let fade: Int64 = 8_000_000

    let programme: Programme
    let clock: HostClock
    let estimates: ClockEstimateSlot
    let correction: Correction
    let counters: RenderCounters

    var decks: DeckPair?
    /// The end that each deck in use has been given, in group ns.
    var ends: [ObjectIdentifier: Int64] = [:]
    var run: ActiveRun?
    var stage: Stage?
    var cursor: DecodeCursor?
    /// The timebase to start once it can be: audio is staged and a deck is free.
    var pendingStart: Timebase?

    init(
        programme: Programme, clock: HostClock, estimates: ClockEstimateSlot, correction: Correction,
        counters: RenderCounters
    ) {
        self.programme = programme
        self.clock = clock
        self.estimates = estimates
        self.correction = correction
        self.counters = counters
    }

    /// The body of the thread.
    func runLoop() {
        while !counters.isStopping.load(ordering: .relaxed) {
            let events = programme.state.withLock { state in
                let events = state.events
                state.events = []
                return events
            }
            for event in events { handle(event) }
            fillStage()
            startPending()
            let milliseconds = fillDeck()
            programme.wait(milliseconds: pendingStart != nil ? 4 : milliseconds)
        }
    }

    // MARK: Events

    func handle(_ event: Programme.Event) {
        switch event {
        case .timebase(let timebase):
            endRun(at: timebase.groupTime.nanoseconds)
            if stage?.start != timebase.mediaTime { restage(at: timebase.mediaTime) }
            pendingStart = timebase.rate > 0 ? timebase : nil
        case .flushed(let time): flush(from: time)
        case .endMoved: reopen()
        case .cleared:
            endRun(at: .min)
            stage = nil
            cursor = nil
            pendingStart = nil
        case .decksReplaced(let decks):
            let timebase = run?.timebase ?? pendingStart
            run = nil
            ends = [:]
            self.decks = decks
            if let timebase { restart(timebase) }
        }
    }

    /// Lets whatever plays, or is about to, end at an instant, unless it ends before.
    func endRun(at groupNanoseconds: Int64) {
        run = nil
        guard let decks else { return }
        for deck in [decks.first, decks.second] where deck.isInUse {
            let key = ObjectIdentifier(deck)
            if let end = ends[key], end <= groupNanoseconds { continue }
            ends[key] = groupNanoseconds
            deck.end(atGroupNanoseconds: groupNanoseconds, fadeOutNanoseconds: Self.fade)
        }
    }

    func restage(at time: MediaTime) {
        stage = Stage(start: time)
        cursor = DecodeCursor(programme: programme, position: time)
    }

    /// Plays on `timebase` from wherever that stands by now.
    func restart(_ timebase: Timebase) {
        pendingStart = timebase
        if stage == nil { restage(at: timebase.mediaTime) }
    }
}
