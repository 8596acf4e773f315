import TuttiCore

/// What is to be done to play one stream: where to preroll, which deck begins, ends or rings out when, what is taken
/// back after a flush. It has no deck, no decoder and no clock; a decode worker has them, and so has a simulated
/// speaker.
///
/// All that a timebase command, a flush or a change of format can ask for comes down to: *this deck ends at G, another
/// one begins at G with the timeline from M on*.
///
/// Each input takes the `Moment` at which it arrives and returns effects. Carry them out in their order, all of them,
/// before the next input. A look at the stream has these steps:
///
/// 1. what happened: `timebaseChanged`, `flushed`, `endMoved`, `cleared`, `decksReplaced`;
/// 2. `fillableGap`, and `gapFilled` where all of it is held; then `read`, for as long as `isPrerolling` and the last
///    one had an effect;
/// 3. `start`;
/// 4. `read`, for as long as `run` is not finished and its deck has room, until `lookAgain` is among the effects.
package struct PlaybackPlan: Sendable {
    /// How much notice starts need.
    package enum Leads: Sendable {
        /// What a card has been given already is out of reach, and decoding takes time.
        case card
        /// None: time stands still while decoding.
        case offline
    }

    /// What the stream is at.
    enum State: Sendable, Equatable {
        /// There is no stream.
        case idle
        /// Audio is decoded for a start: on a timebase as soon as that can be, or not before one is given.
        case prerolling(Preroll, start: Timebase?)
        /// A deck has a run, and is to be kept full.
        case running(Run)
    }

    /// How much further ahead than it must lie a start is put that comes too late, in ns.
    package static let lateness: Int64 = 100_000_000
    /// How far ahead of the render thread what a deck has can be replaced, in ms: what the card takes in one go, the
    /// filter, and some for the worker to get its turn.
    static let trimLead: Int64 = 100
    /// Ramps at cuts, in ns.
    static let fade: Int64 = 8_000_000
    static let second = MediaTime(frame: 1, sampleRate: 1)

    /// How much notice starts need.
    package let leads: Leads
    var state = State.idle
    /// Audio that is decoded before the stream counts as ready to start, in ms.
    package var prerollMilliseconds = Preroll.milliseconds
    /// The end that each deck in use has been given, in ns of the group clock `timescale`; `.min` for at once.
    private var ends: [DeckSide: Int64] = [:]
    /// The clock of the last timebase.
    private var timescale: TimescaleID?

    /// A plan without a stream.
    package init(leads: Leads = .card) { self.leads = leads }

    /// The run of a deck that is to be kept full; nil while none is.
    package var run: Run? { if case .running(let run) = state { run } else { nil } }

    /// What is decoded for a start; nil while a deck has a run, and without a stream.
    package var preroll: Preroll? { if case .prerolling(let preroll, _) = state { preroll } else { nil } }

    /// Whether more has to be read before the stream can start.
    package var isPrerolling: Bool { preroll.map { !$0.isReady } ?? false }

    // MARK: What happens to the stream

    /// The timeline stands elsewhere, or runs or stops, from an instant on.
    package mutating func timebaseChanged(to timebase: Timebase, _ moment: Moment) -> [Effect] {
        if timebase.groupTime.timescale != timescale {
            // Instants of two clocks cannot be compared: a deck that has not ended yet gets its end on the new one.
            ends = ends.filter { $0.value == .min }
            timescale = timebase.groupTime.timescale
        }
        let effects = end(at: timebase.groupTime.nanoseconds, moment)
        let start = timebase.rate > 0 ? timebase : nil
        if let preroll, preroll.start == timebase.mediaTime {
            state = .prerolling(preroll, start: start)
            return effects
        }
        return effects + [restage(at: timebase.mediaTime, start: start)]
    }

    /// There is no stream any more.
    package mutating func cleared(_ moment: Moment) -> [Effect] {
        state = .idle
        return end(at: .min, moment) + [.forget]
    }

    /// What is decoded sits in decks that are no more.
    package mutating func decksReplaced(_ moment: Moment) -> [Effect] {
        ends = [:]
        switch state {
        case .running(let run):
            let timebase = moment.running(run.timebase)
            return [restage(at: timebase.mediaTime, start: timebase)]
        case .prerolling(let preroll, let start):
            state = .prerolling(preroll, start: start.map { moment.running($0) })
            return []
        case .idle: return []
        }
    }

    // MARK: Parts

    /// Decodes anew from `time` on, for a start on `start`.
    mutating func restage(
        at time: MediaTime, start: Timebase?, isSeam: Bool = false, behind gap: MediaTime? = nil
    ) -> Effect {
        precondition(start.map { $0.rate > 0 } ?? true, "a start waits on a timebase that runs")
        state = .prerolling(
            Preroll(
                start: time, isSeam: isSeam, gap: gap, needed: prerollMilliseconds), start: start)
        return .preroll(from: time)
    }

    /// Lets whatever plays, or is about to, end at an instant, unless it ends before.
    ///
    /// - Parameter instant: ns of the group clock `timescale`; `.min` for at once.
    mutating func end(at instant: Int64, _ moment: Moment) -> [Effect] {
        guard let decks = moment.decks else { return [] }
        return DeckSide.allCases.compactMap { side in
            guard decks[side].isInUse, ends[side].map({ $0 > instant }) ?? true else { return nil }
            ends[side] = instant
            return .end(side, atGroupNanoseconds: instant, fadeOutNanoseconds: Self.fade)
        }
    }

    /// Takes an armed deck's run back at once: nobody knows of it yet.
    mutating func retract(_ side: DeckSide) -> Effect {
        ends[side] = .min
        return .end(side, atGroupNanoseconds: .min, fadeOutNanoseconds: 0)
    }

    /// Binds a deck to a run: it has no end yet.
    mutating func run(_ run: Run) {
        precondition(run.timebase.rate > 0 && run.sampleRate > 0, "a run moves on")
        ends[run.deck] = nil
        state = .running(run)
    }
}
