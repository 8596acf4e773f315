import Testing
import TuttiCore
import TuttiPlayback

/// A plan, and whoever carries out what it says in the simplest way: two decks, a clock, and a stream that has at each
/// place whatever chance puts there. Every effect is checked against what the plan's documentation promises of it.
struct PlanTrial {
    /// One of the decks.
    private struct ModelDeck {
        var state = DeckState.idle
        var run: DeckRun?
        var written: Int64 = 0
        /// Nothing follows.
        var isFinished = false
        var end: Int64?
        var endClock: TimescaleID?

        var isInUse: Bool { state != .idle && state != .finished }
    }

    private static let sampleRates = [44_100, 48_000, 48_000, 96_000]
    private static let scales = [TimescaleID(rawValue: 7), TimescaleID(rawValue: 8)]
    /// Frames that a deck takes ahead of the clock.
    private static let room: Int64 = 100_000

    private(set) var plan: PlaybackPlan
    private var random: SplitMix64
    private var decks: [DeckSide: ModelDeck] = [.first: ModelDeck(), .second: ModelDeck()]
    private var hasDecks = true
    private var now: Int64 = 1_000_000_000
    private var scale = Self.scales[0]
    private var hasClock = true
    private var (isClockSteady, isDeviceSettled) = (true, true)
    private var (timebase, previous): (Timebase?, Timebase?) = (nil, nil)
    private var position: MediaTime?
    private var sampleRate = 48_000
    /// The sample rates of what is prerolled, and frames that its deck had no room for.
    private var prerolled: [(rate: Int, frames: Int)] = []
    private var rest = 0
    /// Silences in this run, each of which may be off by less than a frame.
    private var silences: Int64 = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        plan = PlaybackPlan(leads: seed % 4 == 0 ? .offline : .card)
    }

    // MARK: Steps

    /// Something happens, and then the stream is looked at as the plan's call contract says.
    mutating func step() {
        happen()
        advance(by: Int64(draw(500)) * 1_000_000)
        fillPreroll()
        start()
        fillDeck()
        checkState()
    }

    private mutating func happen() {
        switch draw(12) {
        case 0...3:
            (previous, timebase) = (timebase, anyTimebase())
            if let timebase { carryOut(plan.timebaseChanged(to: timebase, moment)) }
        case 4, 5: carryOut(plan.flushed(from: draw(5) == 0 ? nil : anyTime(), moment))
        case 6: carryOut(plan.endMoved(moment))
        case 7 where draw(3) == 0:
            (previous, timebase) = (nil, nil)
            carryOut(plan.cleared(moment))
            #expect(plan.run == nil && plan.preroll == nil && position == nil, "a cleared stream is forgotten")
        case 8 where draw(3) == 0:
            decks = [.first: ModelDeck(), .second: ModelDeck()]
            hasDecks = draw(8) > 0
            carryOut(plan.decksReplaced(moment))
        case 9:
            hasClock = draw(4) > 0
            scale = Self.scales[draw(6) == 0 ? 1 : 0]
            (isClockSteady, isDeviceSettled) = (draw(4) > 0, draw(4) > 0)
        default: break
        }
    }

    private mutating func fillPreroll() {
        if let gap = plan.fillableGap(moment) {
            #expect(gap.place < gap.end)
            if draw(3) == 0 { carryOut(plan.gapFilled(from: gap.place)) }
        }
        for _ in 0..<1_000 {
            guard plan.isPrerolling, position != nil else { return }
            let reading = read()
            let effects = plan.read(reading, moment)
            if effects.isEmpty { return }
            carryOut(effects, for: reading)
        }
        Issue.record("a preroll is never full")
    }

    private mutating func start() {
        let moment = moment
        let effects = plan.start(moment)
        carryOut(effects)
        guard case .preroll? = effects.first else { return }
        #expect(effects.count == 1, "a start that is put off does nothing else")
        fillPreroll()
        let again = plan.start(moment)
        if case .preroll? = again.first, plan.leads == .card { Issue.record("a start is put off once") }
        carryOut(again)
    }

    private mutating func fillDeck() {
        for _ in 0..<1_000 {
            guard let run = plan.run, !run.isFinished, let deck = decks[run.deck], position != nil else { return }
            if rest > 0 {
                guard draw(2) == 0 else { return }
                decks[run.deck]?.written += Int64(rest)
                rest = 0
            }
            guard deck.written < framesRead(of: deck) + Self.room else { return }
            let reading = read()
            if carryOut(plan.read(reading, moment), for: reading) { return }
        }
        Issue.record("a deck is never full")
    }

    // MARK: Effects

    /// - Returns: whether the deck is to be left alone for a while.
    @discardableResult
    private mutating func carryOut(_ effects: [PlaybackPlan.Effect], for reading: PlaybackPlan.Reading? = nil) -> Bool {
        for (index, effect) in effects.enumerated() {
            switch effect {
            case .preroll(let time): (prerolled, rest, position) = ([], 0, time)
            case .forget: (prerolled, rest, position) = ([], 0, nil)
            case .seek(let time):
                #expect(position != nil, "nothing is sought without a stream")
                position = time
            case .skip(let time): skip(to: time)
            case .keep: if let audio = audio(reading) { prerolled.append(audio) }
            case .write(let side): write(reading, to: side)
            case .writeSilence(let side, let frames, let time):
                #expect(frames >= 0 && rest == 0 && decks[side]?.isInUse == true)
                decks[side]?.written += Int64(frames)
                silences += 1
                skip(to: time)
            case .program(let side, let run):
                #expect(decks[side]?.isInUse == false && hasDecks, "a deck with a run is not given another")
                decks[side] = ModelDeck(state: .filling, run: run)
            case .writePreroll(let side): writePreroll(to: side)
            case .arm(let side):
                #expect(decks[side]?.state == .filling)
                decks[side]?.state = .armed
            case .keepRest(let frames):
                #expect(frames >= 0)
                rest = min(rest, frames)
            case .takeBack(let request): takeBack(request)
            case .finish(let side):
                #expect(decks[side]?.isInUse == true && decks[side]?.isFinished == false)
                decks[side]?.isFinished = true
            case .end(let side, let instant, let fade): end(side, at: instant, fade)
            case .lookAgain(let milliseconds):
                #expect(milliseconds > 0 && index == effects.count - 1, "a wait comes last")
                return true
            }
        }
        return false
    }

    private mutating func skip(to time: MediaTime) {
        #expect(position.map { $0 <= time } == true, "nothing is read twice")
        position = time
    }

    private func audio(_ reading: PlaybackPlan.Reading?) -> (rate: Int, frames: Int)? {
        guard case .audio(_, let rate, let frames)? = reading else {
            Issue.record("there is audio only where some was read")
            return nil
        }
        return (rate, frames)
    }

    private mutating func write(_ reading: PlaybackPlan.Reading?, to side: DeckSide) {
        guard let audio = audio(reading), let deck = decks[side] else { return }
        #expect(deck.isInUse && deck.run?.sourceRate == audio.rate && !deck.isFinished && rest == 0)
        rest = draw(3) == 0 ? draw(audio.frames) : 0
        decks[side]?.written += Int64(audio.frames - rest)
    }

    private mutating func writePreroll(to side: DeckSide) {
        #expect(decks[side]?.state == .filling && !prerolled.isEmpty)
        #expect(prerolled.allSatisfy { $0.rate == decks[side]?.run?.sourceRate }, "a run has one sample rate")
        decks[side]?.written = prerolled.reduce(0) { $0 + Int64($1.frames) }
        (prerolled, rest, silences) = ([], 0, 0)
    }

    private mutating func takeBack(_ request: PlaybackPlan.TakeBack) {
        guard let deck = decks[request.deck] else { return }
        #expect(request.frame >= 0 && request.frame <= deck.written && request.margin >= 0)
        // One that has played out gives nothing back.
        let isDone = deck.isInUse && request.frame - framesRead(of: deck) >= request.margin
        if isDone {
            decks[request.deck]?.written = request.frame
            decks[request.deck]?.isFinished = false
            rest = 0
        }
        carryOut(plan.tookBack(request, isDone: isDone, moment))
    }

    private mutating func end(_ side: DeckSide, at instant: Int64, _ fade: Int64) {
        #expect(decks[side]?.isInUse == true && fade >= 0, "only what plays, or is to, is ended")
        let isOnSameClock = decks[side]?.endClock == timebase?.groupTime.timescale || instant == .min
        #expect(
            decks[side]?.end.map { $0 > instant || !isOnSameClock } ?? true, "a deck keeps the earlier of its ends")
        decks[side]?.end = instant
        decks[side]?.endClock = timebase?.groupTime.timescale
        if instant == .min { decks[side]?.state = .finished }
    }

    // MARK: What there is

    private mutating func read() -> PlaybackPlan.Reading {
        guard let place = position else { return .starved }
        switch draw(40) {
        case 0: return .ended
        case 1, 2: return .starved
        case 3, 4: return .gap(until: place + MediaTime(frame: Int64(1 + draw(3_000)), sampleRate: 1_000))
        default:
            if draw(60) == 0 { sampleRate = Self.sampleRates[draw(Self.sampleRates.count)] }
            let frames = 1 + draw(8_192)
            position = place + MediaTime(frame: Int64(frames), sampleRate: sampleRate)
            return .audio(start: place, sampleRate: sampleRate, frames: frames)
        }
    }

    private var moment: PlaybackPlan.Moment {
        func standing(_ side: DeckSide) -> PlaybackPlan.DeckStanding {
            PlaybackPlan.DeckStanding(state: decks[side]?.state ?? .idle, framesWritten: decks[side]?.written ?? 0)
        }
        return PlaybackPlan.Moment(
            now: hasClock ? GroupTime(nanoseconds: now, timescale: scale) : nil, isClockSteady: isClockSteady,
            isDeviceSettled: isDeviceSettled, changeLead: PlanBench.lead, timebase: timebase,
            previousTimebase: previous, position: position,
            decks: hasDecks ? PlaybackPlan.Decks(first: standing(.first), second: standing(.second)) : nil)
    }

    private mutating func advance(by nanoseconds: Int64) {
        now += nanoseconds
        for side in DeckSide.allCases {
            guard let deck = decks[side], let run = deck.run, deck.isInUse else { continue }
            if deck.state == .armed, run.startGroupNanoseconds <= now { decks[side]?.state = .playing }
            let isPlayedOut = deck.isFinished && framesRead(of: deck) >= deck.written
            if isPlayedOut || deck.end.map({ $0 <= now }) ?? false { decks[side]?.state = .finished }
        }
    }

    private func framesRead(of deck: ModelDeck) -> Int64 {
        guard let run = deck.run, deck.state == .playing || deck.state == .finished else { return 0 }
        let seconds = Double(now - run.anchorGroupNanoseconds) * 1e-9
        return min(max(0, Int64(seconds * Double(run.sourceRate))), deck.written)
    }

    /// What holds between two steps.
    private func checkState() {
        #expect(plan.run == nil || plan.preroll == nil, "a stream that has a run prerolls nothing")
        #expect(plan.isPrerolling == (plan.preroll?.isReady == false))
        guard let run = plan.run, !run.isFinished, let deck = decks[run.deck], let position else { return }
        #expect(deck.isInUse && !deck.isFinished && deck.run?.sourceRate == run.sampleRate)
        // What is written next comes where it is read.
        let reached = (position - run.start).frame(at: run.sampleRate)
        let distance = abs(reached - deck.written - Int64(rest))
        #expect(distance <= 2 + silences, "what is read lies \(distance) frames from what is written")
    }

    // MARK: Chance

    private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func anyTime() -> MediaTime {
        let place = (position ?? .zero) + MediaTime(frame: Int64(draw(4_000)) - 3_000, sampleRate: 1_000)
        return max(.zero, place)
    }

    private mutating func anyTimebase() -> Timebase {
        let rate = [1, 1, 1, 1, 0, 0, 2][draw(7)]
        let instant = now + Int64(draw(3_000) - 1_000) * 1_000_000
        let media = draw(3) == 0 ? timebase?.mediaTime ?? .zero : anyTime()
        return Timebase(
            rate: Double(rate), mediaTime: media,
            groupTime: GroupTime(nanoseconds: instant, timescale: draw(12) == 0 ? Self.scales[1] : scale))
    }
}
