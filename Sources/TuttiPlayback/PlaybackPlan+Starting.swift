package import TuttiCore

extension PlaybackPlan {
    /// Where and when a timebase can be joined.
    private enum Join {
        /// From this media time on.
        case at(MediaTime)
        /// Not before this one, for which nothing is decoded yet.
        case later(MediaTime)
        /// Not yet: the clocks are not known well enough.
        case unknown
    }

    /// Gives a free deck what is prerolled, once there is a clock, a deck, and audio for the instant.
    ///
    /// A start that comes too late is put off: the only effect is to preroll for a later place. Read for that, then ask
    /// again with the same moment: what decoding has taken is in the lead already.
    package mutating func start(_ moment: Moment) -> [Effect] {
        guard case .prerolling(let preroll, let timebase?) = state, let decks = moment.decks, let now = moment.now,
            now.timescale == timebase.groupTime.timescale
        else { return [] }
        switch join(timebase, preroll, now, moment) {
        case .unknown: return []
        case .later(let media): return [restage(at: media, start: timebase)]
        case .at(let media):
            guard let audio = preroll.audio, preroll.isReady, !waitsBehindGap(moment), let deck = decks.free else {
                return []
            }
            let joins = preroll.isSeam || audio.start == .zero
            guard
                let start = timebase.groupTime(of: max(audio.start, media)),
                let deckRun = DeckRun(
                    timebase: timebase, firstFrameTime: audio.start, sourceRate: audio.sampleRate,
                    startGroupNanoseconds: start.nanoseconds, fadeInNanoseconds: joins ? 0 : Self.fade)
            else { return [] }
            run(Run(deck: deck, timebase: timebase, sampleRate: audio.sampleRate, start: audio.start))
            return [.program(deck, deckRun), .writePreroll(deck), .arm(deck)]
        }
    }

    /// Whether a start waits for nothing but what can be there any moment: worth a look every few milliseconds.
    package func isStartDue(_ moment: Moment) -> Bool {
        guard case .prerolling(_, .some) = state else { return false }
        return !waitsBehindGap(moment)
    }

    /// What has to be held so that the stream can be joined now, at `place`, though the preroll begins behind a gap: a
    /// second of what fills that, or all of it. Less would break off again at once.
    package func fillableGap(_ moment: Moment) -> (place: MediaTime, end: MediaTime)? {
        guard case .prerolling(let preroll, let timebase?) = state, let gap = preroll.gap, let now = moment.now,
            now.timescale == timebase.groupTime.timescale
        else { return nil }
        let lead = leads == .offline ? 0 : moment.changeLead + Self.lateness
        let soonest = timebase.mediaTime(at: now.advanced(byNanoseconds: lead)) ?? timebase.mediaTime
        let place = max(gap, timebase.mediaTime, soonest)
        guard place < preroll.start else { return nil }
        return (place, min(place + Self.second, preroll.start))
    }

    /// What `fillableGap` asked for is held: the stream is joined at its place.
    package mutating func gapFilled(from place: MediaTime) -> [Effect] {
        guard case .prerolling(_, let start) = state else { return [] }
        return [restage(at: place, start: start)]
    }

    /// A timebase can be joined at its anchor when that still lies ahead, otherwise a little from now.
    private func join(_ timebase: Timebase, _ preroll: Preroll, _ now: GroupTime, _ moment: Moment) -> Join {
        let lead = leads == .offline ? 0 : moment.changeLead
        let earliest = now.advanced(byNanoseconds: lead)
        if timebase.groupTime.nanoseconds >= earliest.nanoseconds {
            // Who is not sure of the instant lets the others begin and joins them.
            return moment.isClockSteady ? .at(timebase.mediaTime) : .unknown
        }
        // Whoever joins what others play already takes the time to join it in step.
        guard moment.isDeviceSettled, moment.isClockSteady else { return .unknown }
        if let staged = timebase.groupTime(of: preroll.start), staged.nanoseconds >= earliest.nanoseconds {
            return .at(preroll.start)
        }
        let late = earliest.advanced(byNanoseconds: leads == .offline ? 0 : Self.lateness)
        return timebase.mediaTime(at: late).map { .later($0) } ?? .unknown
    }

    /// Whether the start lies behind a gap and more than a second ahead: what fills the gap may come until then, so no
    /// deck is bound to it yet.
    private func waitsBehindGap(_ moment: Moment) -> Bool {
        guard leads == .card, case .prerolling(let preroll, let timebase?) = state, preroll.gap != nil,
            let left = moment.nanoseconds(until: timebase.groupTime(of: preroll.start))
        else { return false }
        return left > 1_000_000_000
    }
}
