import Synchronization
package import TuttiClock
package import TuttiCore
package import TuttiPlayback
import TuttiRealtime

/// Decodes a stream about a second ahead of what plays, into whichever deck is free, and lets each deck begin and
/// end at its instant of the group's clock. Runs on a thread of its own until told to stop, on one of `DecodeThreads`,
/// or is stepped by whoever renders offline.
///
/// What is to be decoded, begun and ended when is for `PlaybackPlan` to say; the worker carries it out.
package final class DecodeWorker {
    /// How much is decoded in one go, in milliseconds of sound: others may wait for the thread.
    static let turnMilliseconds = 250

    package let stream: StreamBuffer
    let now: @Sendable () -> HostTime
    let estimates: ClockEstimateSlot
    let correction: Correction
    let counters: RenderCounters

    package var plan: PlaybackPlan
    var decks: DeckPair?
    /// What is read next; nil without a stream.
    var cursor: DecodeCursor?
    /// What is decoded for a start.
    var prerolled: [DecodedChunk] = []
    /// Part of a chunk that the deck had no room for.
    var rest: ArraySlice<Float> = []

    /// A worker for `stream`, on the host clock that `now` reads.
    package init(
        stream: StreamBuffer, now: @escaping @Sendable () -> HostTime, estimates: ClockEstimateSlot,
        correction: Correction, counters: RenderCounters, leads: PlaybackPlan.Leads = .card
    ) {
        self.stream = stream
        self.now = now
        self.estimates = estimates
        self.correction = correction
        self.counters = counters
        plan = PlaybackPlan(leads: leads)
    }

    /// The body of a thread of its own.
    package func runLoop() {
        while !counters.isStopping.load(ordering: .relaxed) { stream.wait(milliseconds: step()) }
    }

    /// Takes in what happened, decodes for a while, and says in how many milliseconds it wants to look again.
    func step() -> Int {
        let milliseconds = pass()
        return plan.isStartDue(moment()) ? min(4, milliseconds) : milliseconds
    }

    /// Takes in what happened and decodes what there is room for.
    ///
    /// - Returns: milliseconds until it should be looked at again.
    @discardableResult
    package func pass() -> Int {
        let latency = stream.reference.captureLatency.load(ordering: .relaxed)
        plan.prerollMilliseconds = latency > 0 ? Preroll.milliseconds(captureLatency: latency) : Preroll.milliseconds
        takeEvents()
        fillPreroll()
        start()
        giveDecksBack()
        return fillDeck()
    }

    /// Decks that have played out need no memory until they are programmed again, which may be never.
    private func giveDecksBack() {
        // Where a run stands can be asked for as long as there is one.
        for side in DeckSide.allCases where side != plan.run?.deck { decks?[side].giveBack() }
    }

    package func moment() -> PlaybackPlan.Moment {
        stream.moment(
            at: now(), clock: estimates, counters, position: cursor?.position,
            decks: decks.map { PlaybackPlan.Decks(first: $0.first.standing, second: $0.second.standing) })
    }
}

extension Deck {
    /// How the deck stands, for a plan.
    fileprivate var standing: PlaybackPlan.DeckStanding {
        PlaybackPlan.DeckStanding(state: state, framesWritten: framesWritten)
    }
}
