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
    /// What has to be held of a gap that fills, with the time that it takes to begin.
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
            promote()
            guard let run = playing else {
                let boundary = min(time, max(next?.began ?? time, playedUntil + 1))
                noteSilence(for: boundary - playedUntil)
                playedUntil = boundary
                continue
            }
            let slice = playedUntil - run.began < Self.youth ? Self.slices.young : Self.slices.old
            var boundary = min(time, playedUntil + slice)
            for edge in [run.end, next?.began] { if let edge, edge > playedUntil { boundary = min(boundary, edge) } }
            sound(until: boundary)
            playedUntil = boundary
            if let end = playing?.end, end <= boundary { playing = nil }
        }
        noteLateness()
    }

    private func promote() {
        if let end = playing?.end, end <= playedUntil { playing = nil }
        guard let next, next.began <= playedUntil else { return }
        playing = next
        playing?.at = playedUntil
        isFluent = false
        self.next = nil
    }

    /// Plays the run on to `time`, and steers it.
    private func sound(until time: Int64) {
        guard var run = playing else { return }
        let length = time - playedUntil
        let from = run.place
        run.place += Double(length) * room.card.rate * run.ratio
        run.at = time
        let isCardThere = isOpen && room.card.isPlugged && playedUntil >= silentUntil
        if isCardThere, !run.isDiscontinuous {
            hear(&run, from: from, at: playedUntil, length: length)
        } else {
            isFluent = false
        }
        steer(&run, length: length, isCardThere: isCardThere)
        run.deck.forget(before: Int64(run.place) - 1_000_000)
        playing = run
        if isOver(run) { playing = nil }
    }

    private func isOver(_ run: CoarseRun) -> Bool {
        guard !run.isSounding else { return false }
        return programme.state.withLock { $0.end.map { Double($0.nanoseconds) <= run.place + Self.tolerance } ?? false }
    }

    private func steer(_ run: inout CoarseRun, length: Int64, isCardThere: Bool) {
        guard let estimate = estimates.read(), estimate.timescale == run.line.groupTime.timescale else { return }
        guard isCardThere, let card = model?.estimate else {
            // A stand-in keeps the place.
            let group = estimate.groupTime(at: HostTime(nanoseconds: process.host.reading(at: run.at)))
            run.place = run.line.place(atGroupNanoseconds: group.nanoseconds)
            run.isDiscontinuous = true
            return
        }
        let target = believedPlace(on: run.line, at: run.at, estimate, card)
        if run.isDiscontinuous {
            run.place = target
            run.isDiscontinuous = false
            run.loop.restart()
            return
        }
        let decision = run.loop.update(
            errorNanoseconds: run.place - target, feedForward: Self.feedForward(estimate, card),
            periodNanoseconds: Double(length))
        run.ratio = decision.ratio
        guard decision.action != .slew else { return }
        run.place = target
        room.truth.resyncs += 1
        isFluent = false
    }

    static func feedForward(_ estimate: ClockEstimate, _ card: DACEstimate) -> Double {
        (1 + estimate.drift) * Double(SimulatedCard.sampleRate) * 1e-9 / card.framesPerNanosecond
    }

    /// Where the programme should stand when that is heard which leaves the card at `time`, as far as the room knows.
    private func believedPlace(
        on line: Timebase, at time: Int64, _ estimate: ClockEstimate, _ card: DACEstimate
    ) -> Double {
        let frames = room.card.frames(at: time)
        let whole = frames.rounded(.down)
        let left = card.hostTime(ofFrame: Int64(whole), fraction: frames - whole)
        let heard = left.nanoseconds + counters.outputDelay.load(ordering: .relaxed)
        let passed = estimate.groupNanoseconds(
            atHostNanoseconds: heard, fraction: left.fraction, since: line.groupTime.nanoseconds)
        return Double(line.mediaTime.nanoseconds) + passed * line.rate
    }

    // MARK: The truth

    private func hear(_ run: inout CoarseRun, from: Double, at begin: Int64, length: Int64) {
        let wasSounding = run.isSounding
        let last = Double(run.deck.end(from: Int64(from.rounded())))
        let isWhole = last + Self.tolerance >= run.place
        run.isSounding = isWhole
        if last > from {
            record(run, MediaSpan(Int64(from.rounded()), Int64(min(last, run.place).rounded())), at: begin)
        }
        guard !isWhole, !isOver(run) else { return plant(run, from: from, at: begin, length: length) }
        isFluent = false
        if wasSounding {
            room.truth.dropouts += 1
            counters.stalls.wrappingAdd(1, ordering: .relaxed)
        }
        noteSilence(at: run.place, for: Int64(run.place - max(last, from)))
    }

    private func record(_ run: CoarseRun, _ span: MediaSpan, at begin: Int64) {
        heldSince = nil
        for stretch in run.deck.stretches {
            let lower = max(span.lower, stretch.media.lower)
            let upper = min(span.upper, stretch.media.upper)
            guard lower < upper else { continue }
            let packet = stretch.packet
            let song = room.songs.indices.contains(Int(packet.song)) ? room.songs[Int(packet.song)] : ""
            let heard = HeardSpan(
                at: begin + (lower - span.lower) + room.plantedLateness, stream: room.stream(),
                media: MediaSpan(lower, upper), song: song,
                place: Int64(Double(lower - packet.start) * packet.rate), entry: UInt64(packet.entry))
            room.truth.hear(heard, goesOn: isFluent)
            isFluent = true
        }
    }

    private func plant(_ run: CoarseRun, from: Double, at begin: Int64, length: Int64) {
        guard room.leavesOut || room.repeats else { return }
        guard begin / Self.faultPeriod != (begin + length) / Self.faultPeriod else { return }
        isFluent = false
        if room.leavesOut {
            room.truth.silentLoaded += 50_000_000
            room.truth.dropouts += 1
        }
        if room.repeats {
            let place = Int64(from.rounded())
            record(run, MediaSpan(place, Int64(run.place.rounded())), at: begin)
            isFluent = false
        }
    }

    /// No run: is anything due?
    private func noteSilence(for length: Int64) {
        guard isOpen, playedUntil >= silentUntil, room.card.isPlugged, let estimate = estimates.read() else { return }
        let group = estimate.groupTime(at: HostTime(nanoseconds: process.host.reading(at: playedUntil)))
        let (line, end) = programme.state.withLock { ($0.timebase(at: group), $0.end) }
        guard let line, line.rate > 0, line.groupTime.timescale == group.timescale,
            line.groupTime.nanoseconds <= group.nanoseconds
        else {
            heldSince = nil
            return
        }
        let place = line.place(atGroupNanoseconds: group.nanoseconds)
        if let end, place >= Double(end.nanoseconds) { return }
        noteSilence(at: place, for: length)
    }

    private func noteSilence(at place: Double, for length: Int64) {
        guard let time = MediaTime(value: Int64(place), timescale: 1_000_000_000) else { return }
        // Behind a gap less than a second is not begun with, and otherwise what is heard first has to be ahead by what a change takes, and there.
        let lead = MediaTime(value: counters.changeLead + Self.lateness, timescale: 1_000_000_000) ?? .zero
        let reserve = stage?.gap == nil ? lead + Self.staged : Self.reserve
        let isHeld = programme.state.withLock { $0.holds(from: time, until: time + reserve) }
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
        guard let run = playing, run.isSounding, isFluent, run.at == now,
            let group = room.trueGroupTime(run.line.groupTime.timescale.rawValue)
        else { return }
        let late = run.line.place(atGroupNanoseconds: group) - run.place
        let believed = estimates.read().map { $0.groupTime(at: process.host.clock.now()).nanoseconds }
        let clock = believed.map { Double(group - $0) * run.line.rate } ?? 0
        room.truth.note(lateness: Int64(late.rounded()) + room.plantedLateness, clock: Int64(clock.rounded()))
    }
}
