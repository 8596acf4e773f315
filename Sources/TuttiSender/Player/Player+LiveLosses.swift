import NIOCore
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
import TuttiSchema

/// What has been lost of a live track so far.
struct LiveLosses: Equatable {
    /// Seconds that came too late from the source.
    var late: Double
    /// How often sound or their cards ran out in rooms, by their numbers.
    var gaps: [Int: Int]
}

/// A live source whose latency may rise: it does where its sound comes too late.
extension Player {
    /// No latency rises above this, in ns.
    private static let highestLatency: Int64 = 2_000_000_000
    /// By how much it rises: by half of it, and by so many ns at least.
    private static let leastRise: Int64 = 50_000_000

    /// Once a second: sees whether anything came too late.
    func reviewLatency() {
        guard let state = live, state.mayRise, state.isAnchored, state.serial == production.serial, phase == .playing,
            playhead.rate > 0
        else {
            live?.losses = nil
            return
        }
        let losses = losses(of: state)
        // What was lost in the first second after a start or a rise is of before that.
        guard let known = state.losses else {
            live?.losses = losses
            return
        }
        live?.losses = losses
        // A room that has just come had nothing to lose before.
        let short = group.members.filter { room in
            known.gaps[room.number].map { losses.gaps[room.number, default: $0] > $0 } ?? false
        }
        guard losses.late > known.late || !short.isEmpty, state.latency < Self.highestLatency else { return }
        raiseLatency(of: state, because: short.first?.label ?? "this computer")
    }

    private func losses(of state: LiveState) -> LiveLosses {
        var gaps: [Int: Int] = [:]
        for room in group.members where room.link == .up {
            let figures = room.report(origin: .zero, rate: 1).figures
            gaps[room.number] = figures.stalls &+ figures.xruns
        }
        return LiveLosses(late: state.report?.late ?? 0, gaps: gaps)
    }

    /// The rooms wait for so long as the latency rises, and go on.
    private func raiseLatency(of state: LiveState, because place: String) {
        let latency = min(state.latency + max(state.latency / 2, Self.leastRise), Self.highestLatency)
        let rise = latency - state.latency
        let text = "\(state.latency / 1_000_000) to \(latency / 1_000_000) ms"
        emit(.notice(.said("sound came too late in \(place): the latency rises from \(text)")))
        live?.latency = latency
        live?.losses = nil
        group.setCaptureLatency(latency)
        production.raiseLatency(state.serial, to: latency)
        let instant = soon()
        let held = Playhead(rate: 0, media: playhead.media(at: instant), group: instant)
        group.move(held)
        let resumed = Playhead(rate: 1, media: held.media, group: instant.advanced(byNanoseconds: rise))
        loop.scheduleTask(in: .nanoseconds(rise)) { self.assumeIsolated { $0.resumeHeld(held, resumed) } }
    }

    /// Goes on after a wait, unless something else has been asked for since.
    private func resumeHeld(_ held: Playhead, _ resumed: Playhead) {
        guard phase == .playing, playhead == held else { return }
        defer { commit() }
        let earliest = soon()
        let instant = earliest.nanoseconds < resumed.group.nanoseconds ? resumed.group : earliest
        group.move(Playhead(rate: 1, media: held.media, group: instant))
    }
}
