import Synchronization
package import TuttiClock
package import TuttiCore
package import TuttiPlayback
import TuttiRealtime

/// Decodes the programme about a second ahead of what is heard, into whichever deck is free, and lets each deck begin
/// and end at its instant of the group's clock. Runs on a thread of its own until told to stop, on one of `DecodeThreads`, or is stepped
/// by whoever renders offline.
///
/// All that a timebase command, a flush or a format change can ask for comes down to: *this deck ends at G, another one
/// begins at G with the programme from M on*.
package final class DecodeWorker {
    /// Audio decoded before a programme counts as ready to start, in milliseconds.
    static let stagedMilliseconds = 150
    /// How much further ahead than it must lie a start is put that comes too late, in ns.
    static let lateness: Int64 = 100_000_000
    /// How much notice starts need.
    package enum Leads: Sendable {
        /// What a card has been given already is out of reach, and decoding takes time.
        case card
        /// None: time stands still while decoding.
        case offline
    }

    /// How much is decoded in one go, in milliseconds of sound: others may wait for the thread.
    static let turnMilliseconds = 250
    /// Ramps at cuts, in ns.
    static let fade: Int64 = 8_000_000

    let programme: Programme
    let now: @Sendable () -> HostTime
    let estimates: ClockEstimateSlot
    let correction: Correction
    let counters: RenderCounters
    let leads: Leads

    var decks: DeckPair?
    /// The end that each deck in use has been given, in group ns.
    var ends: [ObjectIdentifier: Int64] = [:]
    var run: ActiveRun?
    var stage: Stage?
    var cursor: DecodeCursor?
    /// The timebase to start once it can be: audio is staged and a deck is free.
    var pendingStart: Timebase?

    /// A worker for `programme`, on the host clock that `now` reads.
    package init(
        programme: Programme, now: @escaping @Sendable () -> HostTime, estimates: ClockEstimateSlot,
        correction: Correction, counters: RenderCounters, leads: Leads = .card
    ) {
        self.programme = programme
        self.now = now
        self.leads = leads
        self.estimates = estimates
        self.correction = correction
        self.counters = counters
    }

    /// The body of a thread of its own.
    package func runLoop() {
        while !counters.isStopping.load(ordering: .relaxed) { programme.wait(milliseconds: step()) }
    }

    /// Takes in what happened, decodes for a while, and says in how many milliseconds it wants to look again.
    func step() -> Int {
        let milliseconds = pass()
        return pendingStart != nil && !waitsBehindGap ? min(4, milliseconds) : milliseconds
    }

    /// Takes in what happened and decodes what there is room for.
    ///
    /// - Returns: milliseconds until it should be looked at again.
    @discardableResult
    package func pass() -> Int {
        let events = programme.state.withLock { state in
            let events = state.events
            state.events = []
            return events
        }
        for event in events { handle(event) }
        fillStage()
        startPending()
        giveDecksBack()
        return fillDeck()
    }

    /// Decks that have played out need no memory until they are programmed again, which may be never.
    private func giveDecksBack() {
        guard let decks else { return }
        // Where a run stands can be asked for as long as there is one.
        for deck in [decks.first, decks.second] where deck !== run?.deck { deck.giveBack() }
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
            let timebase = runningLine
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

    func restage(at time: MediaTime, isSeam: Bool = false, behind gap: MediaTime? = nil) {
        stage = Stage(start: time, isSeam: isSeam, gap: gap)
        cursor = DecodeCursor(programme: programme, position: time)
    }

    /// Plays on `timebase` from wherever that stands by now.
    func restart(_ timebase: Timebase) {
        pendingStart = timebase
        if stage == nil { restage(at: timebase.mediaTime) }
    }
}
