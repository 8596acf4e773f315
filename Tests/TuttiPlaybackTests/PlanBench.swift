import TuttiCore
import TuttiPlayback

/// A plan, and what it is told: a clock at one second, a settled card, two idle decks.
struct PlanBench {
    static let scale = TimescaleID(rawValue: 7)
    static let second: Int64 = 1_000_000_000
    /// What a change needs, and what a late start gets on top, in ns.
    static let (lead, lateness): (Int64, Int64) = (55_000_000, 100_000_000)
    static let fade: Int64 = 8_000_000

    var plan: PlaybackPlan
    var moment: PlaybackPlan.Moment

    init(leads: PlaybackPlan.Leads = .card) {
        plan = PlaybackPlan(leads: leads)
        let idle = PlaybackPlan.DeckStanding(state: .idle, framesWritten: 0)
        moment = PlaybackPlan.Moment(
            now: Self.time(Self.second), isClockSteady: true, isDeviceSettled: true, changeLead: Self.lead,
            timebase: nil, previousTimebase: nil, position: nil,
            decks: PlaybackPlan.Decks(first: idle, second: idle))
    }

    static func time(_ nanoseconds: Int64) -> GroupTime { GroupTime(nanoseconds: nanoseconds, timescale: scale) }

    static func timebase(_ media: MediaTime, at nanoseconds: Int64, rate: Double = 1) -> Timebase {
        Timebase(rate: rate, mediaTime: media, groupTime: time(nanoseconds))
    }

    /// A place in milliseconds.
    static func media(_ milliseconds: Int64) -> MediaTime { MediaTime(frame: milliseconds, sampleRate: 1_000) }

    // MARK: Steps

    mutating func set(_ timebase: Timebase) -> [PlaybackPlan.Effect] {
        (moment.previousTimebase, moment.timebase) = (moment.timebase, timebase)
        return follow(plan.timebaseChanged(to: timebase, moment))
    }

    mutating func flush(_ time: MediaTime?) -> [PlaybackPlan.Effect] { follow(plan.flushed(from: time, moment)) }

    mutating func start() -> [PlaybackPlan.Effect] { follow(plan.start(moment)) }

    mutating func read(_ reading: PlaybackPlan.Reading) -> [PlaybackPlan.Effect] {
        if case .audio(let start, let rate, let frames) = reading {
            moment.position = start + MediaTime(frame: Int64(frames), sampleRate: rate)
        }
        return follow(plan.read(reading, moment))
    }

    /// Audio from the place that is read on.
    mutating func read(frames: Int, at rate: Int = 48_000) -> [PlaybackPlan.Effect] {
        read(.audio(start: moment.position ?? .zero, sampleRate: rate, frames: frames))
    }

    mutating func tookBack(_ takeBack: PlaybackPlan.TakeBack, isDone: Bool) -> [PlaybackPlan.Effect] {
        follow(plan.tookBack(takeBack, isDone: isDone, moment))
    }

    /// Lets what is read and what decks do follow.
    private mutating func follow(_ effects: [PlaybackPlan.Effect]) -> [PlaybackPlan.Effect] {
        for effect in effects {
            switch effect {
            case .preroll(let time), .seek(let time), .skip(let time): moment.position = time
            case .forget: moment.position = nil
            case .arm(let side): stand(side, .armed)
            case .end(let side, let instant, _) where instant == .min: stand(side, .finished)
            default: break
            }
        }
        return effects
    }

    mutating func stand(_ side: DeckSide, _ state: DeckState, written: Int64? = nil) {
        let frames = written ?? moment.decks?[side].framesWritten ?? 0
        let standing = PlaybackPlan.DeckStanding(state: state, framesWritten: frames)
        if side == .first { moment.decks?.first = standing } else { moment.decks?.second = standing }
    }

    /// A bench whose first deck has the programme from 0 on, at 48 kHz, from ten seconds on: 2.5 s of it at 11 s.
    static func playing() -> PlanBench {
        var bench = PlanBench()
        _ = bench.set(timebase(.zero, at: 10 * second))
        _ = bench.read(frames: 48_000)
        _ = bench.start()
        _ = bench.read(frames: 72_000)
        bench.stand(.first, .playing, written: 120_000)
        bench.moment.now = time(11 * second)
        return bench
    }
}
