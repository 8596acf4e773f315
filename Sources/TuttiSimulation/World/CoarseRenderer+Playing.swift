import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering

/// What leaves the card.
extension CoarseRenderer {
    /// Nanoseconds of sound between two corrections of the step, while a run is young and later.
    private static let slices = (young: Int64(50_000_000), old: Int64(125_000_000))
    private static let youth: Int64 = 10_000_000_000
    /// Nanoseconds for which what is due must have been held before its silence counts as one of sound that was there.
    private static let startingTime: Int64 = 500_000_000
    /// What has to be held of what is due before it can begin; the same of a gap that fills, with the time that it
    /// takes to begin.
    private static let prerolled = MediaTime(frame: Int64(Preroll.milliseconds), sampleRate: 1_000)
    private static let reserve = MediaTime(frame: 3, sampleRate: 2)
    /// Nanoseconds by which sound may end before a slice does without a break.
    private static let tolerance = 50_000.0
    /// Nanoseconds between two planted faults.
    private static let faultPeriod: Int64 = 10_000_000_000

    /// Plays everything up to `time`.
    func play(until time: Int64) {
        noteSleep()
        look(until: time)
        while playedUntil < time {
            if decks?.turn(at: playedUntil) == true { isFluent = false }
            let next = decks?.nextStart(after: playedUntil)
            guard let deck = decks?.audible else {
                let boundary = min(time, next ?? time)
                noteSilence(for: boundary - playedUntil)
                playedUntil = boundary
                continue
            }
            let slice = playedUntil - deck.began < Self.youth ? Self.slices.young : Self.slices.old
            var boundary = min(time, playedUntil + slice)
            for edge in [deck.end, next] { if let edge, edge > playedUntil { boundary = min(boundary, edge) } }
            precondition(boundary > playedUntil, "each slice takes time")
            sound(deck, until: boundary)
            playedUntil = boundary
        }
        // What ends now has ended.
        if decks?.turn(at: playedUntil) == true { isFluent = false }
        noteLateness()
    }

    /// Plays the audible deck on to `time`, and steers it.
    private func sound(_ deck: CoarseDeck, until time: Int64) {
        var deck = deck
        let length = time - playedUntil
        let from = deck.place
        deck.place += Double(length) * room.card.rate * deck.ratio
        deck.at = time
        let isCardThere = device.isOpen && room.card.isPlugged && playedUntil >= device.silentUntil
        if isCardThere, !deck.isDiscontinuous {
            play(&deck, from: from, at: playedUntil, length: length)
        } else {
            isFluent = false
        }
        steer(&deck, length: length, isCardThere: isCardThere)
        deck.forget(before: Int64(deck.place) - 1_000_000)
        if isOver(deck) { deck.finish() }
        decks?.audible = deck
    }

    private func isOver(_ deck: CoarseDeck) -> Bool {
        guard !deck.isSounding else { return false }
        if deck.hasSourceEnded, Double(deck.writtenEnd) <= deck.place + Self.tolerance { return true }
        let end = stream.state.withLock { $0.end }
        return end.map { Double($0.nanoseconds) <= deck.place + Self.tolerance } ?? false
    }

    private func steer(_ deck: inout CoarseDeck, length: Int64, isCardThere: Bool) {
        guard let estimate = estimates.read(), estimate.timescale == deck.timebase.groupTime.timescale else { return }
        guard isCardThere, let card = model?.estimate else {
            // A stand-in keeps the place.
            let group = estimate.groupTime(at: HostTime(nanoseconds: process.host.reading(at: deck.at)))
            deck.place = deck.timebase.place(atGroupNanoseconds: group.nanoseconds)
            deck.isDiscontinuous = true
            return
        }
        let target = believedPlace(on: deck.timebase, at: deck.at, estimate, card)
        if deck.isDiscontinuous {
            deck.place = target
            deck.isDiscontinuous = false
            deck.loop.restart()
            return
        }
        let decision = deck.loop.update(
            errorNanoseconds: deck.place - target, feedForward: Self.feedForward(estimate, card),
            periodNanoseconds: Double(length))
        deck.ratio = decision.ratio
        guard decision.action != .slew else { return }
        deck.place = target
        room.truth.resyncs += 1
        isFluent = false
    }

    static func feedForward(_ estimate: ClockEstimate, _ card: DACEstimate) -> Double {
        (1 + estimate.drift) * Double(SimulatedCard.sampleRate) * 1e-9 / card.framesPerNanosecond
    }

    /// Where the stream should stand when that plays which leaves the card at `time`, as far as the room knows.
    private func believedPlace(
        on timebase: Timebase, at time: Int64, _ estimate: ClockEstimate, _ card: DACEstimate
    ) -> Double {
        let frames = room.card.frames(at: time)
        let whole = frames.rounded(.down)
        let left = card.hostTime(ofFrame: Int64(whole), fraction: frames - whole)
        let played = left.nanoseconds + counters.outputDelay.load(ordering: .relaxed)
        let passed = estimate.groupNanoseconds(
            atHostNanoseconds: played, fraction: left.fraction, since: timebase.groupTime.nanoseconds)
        return Double(timebase.mediaTime.nanoseconds) + passed * timebase.rate
    }

    // MARK: The truth

    private func play(_ deck: inout CoarseDeck, from: Double, at begin: Int64, length: Int64) {
        let wasSounding = deck.isSounding
        let last = Double(deck.sound.end(from: Int64(from.rounded())))
        deck.isStarved = !deck.hasSourceEnded && Double(deck.writtenEnd) + Self.tolerance < deck.place
        let isWhole = last + Self.tolerance >= deck.place
        deck.isSounding = isWhole
        if last > from {
            record(deck, MediaSpan(Int64(from.rounded()), Int64(min(last, deck.place).rounded())), at: begin)
        }
        guard !isWhole, !isOver(deck) else { return plant(deck, from: from, at: begin, length: length) }
        isFluent = false
        if wasSounding {
            room.truth.dropouts += 1
            if deck.isStarved { counters.stalls.wrappingAdd(1, ordering: .relaxed) }
        }
        noteSilence(at: deck.place, for: Int64(deck.place - max(last, from)))
    }

    private func record(_ deck: CoarseDeck, _ span: MediaSpan, at begin: Int64) {
        heldSince = nil
        for stretch in deck.sound.stretches {
            let lower = max(span.lower, stretch.media.lower)
            let upper = min(span.upper, stretch.media.upper)
            guard lower < upper else { continue }
            let packet = stretch.packet
            let song = room.songs.indices.contains(Int(packet.song)) ? room.songs[Int(packet.song)] : ""
            let played = PlayedSpan(
                at: begin + (lower - span.lower) + room.plantedLateness, stream: room.stream(),
                media: MediaSpan(lower, upper), song: song,
                place: Int64(Double(lower - packet.start) * packet.rate), entry: UInt64(packet.entry))
            room.truth.play(played, goesOn: isFluent)
            isFluent = true
        }
    }

    private func plant(_ deck: CoarseDeck, from: Double, at begin: Int64, length: Int64) {
        guard room.leavesOut || room.repeats else { return }
        guard begin / Self.faultPeriod != (begin + length) / Self.faultPeriod else { return }
        isFluent = false
        if room.leavesOut {
            room.truth.silentLoaded += 50_000_000
            room.truth.dropouts += 1
        }
        if room.repeats {
            let place = Int64(from.rounded())
            record(deck, MediaSpan(place, Int64(deck.place.rounded())), at: begin)
            isFluent = false
        }
    }

    /// No run: is anything due?
    private func noteSilence(for length: Int64) {
        guard device.isOpen, playedUntil >= device.silentUntil, room.card.isPlugged, let estimate = estimates.read()
        else { return }
        let group = estimate.groupTime(at: HostTime(nanoseconds: process.host.reading(at: playedUntil)))
        let (timebase, end) = stream.state.withLock { ($0.timebase(at: group), $0.end) }
        guard let timebase, timebase.rate > 0, timebase.groupTime.timescale == group.timescale,
            timebase.groupTime.nanoseconds <= group.nanoseconds
        else {
            heldSince = nil
            return
        }
        let place = timebase.place(atGroupNanoseconds: group.nanoseconds)
        if let end, place >= Double(end.nanoseconds) { return }
        noteSilence(at: place, for: length)
    }

    private func noteSilence(at place: Double, for length: Int64) {
        guard let time = MediaTime(value: Int64(place), timescale: 1_000_000_000) else { return }
        // Behind a gap less than a second is not begun with, and otherwise what plays first has to be ahead by what
        // a change takes, and there.
        let lead = MediaTime(value: counters.changeLead + PlaybackPlan.lateness, timescale: 1_000_000_000) ?? .zero
        let reserve = plan.preroll?.gap == nil ? lead + Self.prerolled : Self.reserve
        let isHeld = stream.state.withLock { $0.holds(from: time, until: time + reserve) }
        guard isHeld else {
            heldSince = nil
            room.truth.silentEmpty += length
            return
        }
        let since = heldSince ?? playedUntil
        heldSince = since
        if playedUntil - since > Self.startingTime, counters.isSteady(estimates.read(), now: process.host.clock.now()) {
            room.truth.silentLoaded += length
        }
    }

    private func noteLateness() {
        guard let deck = decks?.audible, deck.isSounding, isFluent, deck.at == now,
            let group = room.trueGroupTime(deck.timebase.groupTime.timescale.rawValue)
        else { return }
        let late = deck.timebase.place(atGroupNanoseconds: group) - deck.place
        let believed = estimates.read().map { $0.groupTime(at: process.host.clock.now()).nanoseconds }
        let clock = believed.map { Double(group - $0) * deck.timebase.rate } ?? 0
        room.truth.note(lateness: Int64(late.rounded()) + room.plantedLateness, clock: Int64(clock.rounded()))
    }
}
