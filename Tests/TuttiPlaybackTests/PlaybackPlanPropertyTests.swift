import Testing
import TuttiCore
import TuttiPlayback

/// Random sequences of all that can happen to a stream, by fixed seeds.
@Suite struct PlaybackPlanPropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>) func everyEffectCanBeCarriedOut(seed: UInt64) {
        var trial = PlanTrial(seed: seed)
        for _ in 0..<400 { trial.step() }
    }

    /// Times from the ends of their ranges, and decks that stand anyhow.
    @Test(arguments: 0..<20 as Range<UInt64>) func noInputTraps(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let far = MediaTime(frame: .max, sampleRate: 48_000)
        let media = [.zero, far, -far, PlanBench.media(1_000), PlanBench.media(1_001)]
        let groups = [0, .max, .min, PlanBench.second].flatMap { nanoseconds in
            [7, 8].map { GroupTime(nanoseconds: nanoseconds, timescale: TimescaleID(rawValue: $0)) }
        }
        let states: [DeckState] = [.idle, .filling, .armed, .playing, .finished]
        func standing() -> PlaybackPlan.DeckStanding {
            PlaybackPlan.DeckStanding(state: pick(states), framesWritten: pick([0, 1, 48_000, 1 << 40]))
        }
        func timebase() -> Timebase {
            Timebase(rate: pick([0, 1, 1, 0.5, 1e-300, 1e300]), mediaTime: pick(media), groupTime: pick(groups))
        }
        var plan = PlaybackPlan(leads: pick([.card, .offline]))
        for _ in 0..<2_000 {
            let moment = PlaybackPlan.Moment(
                now: pick([nil] + groups), isClockSteady: pick([true, true, false]),
                isDeviceSettled: pick([true, true, false]),
                changeLead: pick([0, PlanBench.lead, 10 * PlanBench.second]),
                timebase: pick([nil, timebase()]), previousTimebase: pick([nil, timebase()]),
                position: pick([nil] + media),
                decks: pick([nil, PlaybackPlan.Decks(first: standing(), second: standing())]))
            var effects: [PlaybackPlan.Effect] = []
            switch random.next() % 12 {
            case 0, 1: effects = plan.timebaseChanged(to: timebase(), moment)
            case 2: effects = plan.flushed(from: pick([nil] + media), moment)
            case 3: effects = plan.endMoved(moment)
            case 4: effects = pick([true, false, false]) ? plan.cleared(moment) : plan.decksReplaced(moment)
            case 5, 6: effects = plan.start(moment)
            case 7: if let gap = plan.fillableGap(moment) { effects = plan.gapFilled(from: gap.place) }
            case 8: effects = plan.read(pick([.starved, .ended, .gap(until: pick(media))]), moment)
            default:
                let rate = pick([8_000, 48_000, 768_000])
                effects = plan.read(.audio(start: pick(media), sampleRate: rate, frames: pick([1, 65_536])), moment)
            }
            for case .takeBack(let request) in effects {
                _ = plan.tookBack(request, isDone: pick([true, false]), moment)
            }
            _ = plan.isStartDue(moment)
        }
    }
}
