import Synchronization
package import TuttiCore
package import TuttiPlayback

/// Whoever carries out a `PlaybackPlan`, with real decks or with others: the plan's call contract, written once.
package protocol PlanDriver: AnyObject {
    /// Audio that was read.
    associatedtype Chunk

    var plan: PlaybackPlan { get set }
    /// What is played.
    var stream: StreamBuffer { get }
    /// The format of what is decoded for a start; nil while nothing is.
    var prerolledFormat: AudioFormat? { get }

    /// What the plan is to know now.
    func moment() -> PlaybackPlan.Moment

    /// Reads what comes next, and moves on after it; nil without a stream.
    func next() -> (reading: PlaybackPlan.Reading, chunk: Chunk?)?

    /// Plays on other decks from now on.
    func use(_ decks: DeckPair)

    /// Does what the plan says, with `chunk` as the audio that was read.
    ///
    /// - Returns: milliseconds until it should be looked at again, where the plan says that.
    @discardableResult
    func carryOut(_ effects: [PlaybackPlan.Effect], for chunk: Chunk?) -> Int?
}

extension PlanDriver {
    /// Does what the plan says where nothing was read.
    package func carryOut(_ effects: [PlaybackPlan.Effect]) { carryOut(effects, for: nil) }

    /// Tells the plan what has happened to the stream.
    package func takeEvents() {
        let events = stream.state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        for event in events {
            switch event {
            case .timebase(let timebase): carryOut(plan.timebaseChanged(to: timebase, moment()))
            case .flushed(let time): carryOut(plan.flushed(from: time, moment()))
            case .endMoved: carryOut(plan.endMoved(moment()))
            case .cleared: carryOut(plan.cleared(moment()))
            case .decksReplaced(let decks): use(decks)
            }
        }
    }

    /// Reads for a start.
    package func fillPreroll() {
        if let gap = plan.fillableGap(moment()),
            stream.state.withLock({ $0.holds(from: gap.place, until: gap.end) })
        {
            carryOut(plan.gapFilled(from: gap.place))
        }
        while plan.isPrerolling, let (reading, chunk) = next() {
            let effects = plan.read(reading, moment())
            if effects.isEmpty { break }
            carryOut(effects, for: chunk)
        }
        guard let preroll = plan.preroll else { return }
        stream.note(preroll, format: prerolledFormat)
    }

    /// Lets a deck begin with what is prerolled, once that can be.
    package func start() {
        let moment = moment()
        let effects = plan.start(moment)
        carryOut(effects)
        guard case .preroll? = effects.first else { return }
        fillPreroll()
        carryOut(plan.start(moment))
    }
}
