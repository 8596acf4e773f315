import TuttiPlayback

/// No room plays a frame at a wrong group time beyond its bound.
///
/// A room that has been left alone for a while is within what its link, its card and its own estimate of its clock
/// allow. One that has not may be off by what the rate loop works off without a jump, and right after a break of its
/// sound by anything: there it anchors anew.
package struct GroupTimeBound: Invariant {
    package static let name = "group-time"

    /// Nanoseconds that the best of rooms may be off.
    static let floor: Int64 = 50_000
    /// What is worked off without a jump: `RateLoop.Parameters.crossfadeError`, and the observations until it jumps.
    static let slewed: Int64 = 3_500_000
    /// How long after a disturbance the sound counts as settled, in nanoseconds.
    static let settling: Int64 = 10_000_000_000
    /// The same after an oscillator has changed its rate, where delays scatter: there a jump shows only once it has
    /// grown to a good part of the scatter, and members of a world ask a fourth as often as real ones.
    static let ratesSettling: Int64 = 30_000_000_000
    /// Jitter from which that holds, in nanoseconds.
    static let scatter: Int64 = 300_000
    /// How long after a break the sound may be anywhere, in nanoseconds.
    static let anchoring: Int64 = 2_000_000_000
    /// Standard deviations of the room's own estimate that count.
    static let sigmas: Int64 = 6
    /// What the rate loop works off at least, as a part of the time it takes: a room that was not sure of its clock,
    /// and is now, has still to get there.
    static let workedOff = RateLoop.Parameters().lockedLimit * 1e-6

    /// By room: what its link and its card add.
    private let extra: [Int64]
    /// By room: how long jumps of rates may be felt.
    private let ratesSettling: [Int64]
    /// By room: how far its clock may have been off, less what has been worked off since, in nanoseconds, and when that
    /// was.
    private var doubts: [Double]
    private var lastLook: Int64 = 0

    package init(_ scenario: Scenario) {
        doubts = Array(repeating: 0, count: scenario.rooms.count)
        extra = scenario.rooms.map { room in
            let links = Self.links(room, in: scenario)
            // Half of what one way is longer than the other cannot be seen in exchanges, on both ends of a path.
            let asymmetry = links.map { abs($0.up.delay - $0.down.delay) / 2 }.max() ?? 0
            return 2 * asymmetry + Self.jitter(links) / 4 + Self.scatter(of: room.card)
        }
        ratesSettling = scenario.rooms.map { room in
            Self.jitter(Self.links(room, in: scenario)) < Self.scatter ? Self.settling : Self.ratesSettling
        }
    }

    /// What a card's pointer leaves open, looked at at random moments: 50 µs for steps of a millisecond.
    private static func scatter(of card: Card) -> Int64 {
        card.step > 1 ? max(50_000, Int64(card.step) * 50_000 / 48) : 0
    }

    /// The links between a room and whoever it may ask for the time.
    private static func links(_ room: RoomPlan, in scenario: Scenario) -> [Link] {
        [room.link] + scenario.senders.map(\.link) + scenario.rooms.map(\.link)
    }

    private static func jitter(_ links: [Link]) -> Int64 { links.map { max($0.up.jitter, $0.down.jitter) }.max() ?? 0 }

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        // Whoever leads, or is asked for the time on the way there, makes it with his own oscillator.
        let oscillator = (calm.rooms + calm.senders).map(\.oscillator).max() ?? Troubles.never
        noteDoubts(now)
        return zip(now.rooms, calm.rooms).enumerated().compactMap { index, pair in
            let (room, troubles) = pair
            guard let late = room.truth.lateness else { return nil }
            let broken = max(troubles.process, troubles.card, troubles.timescale, troubles.timebase)
            guard now.at - broken > Self.anchoring else { return nil }
            let disturbed = max(
                broken, oscillator + ratesSettling[index] - Self.settling, troubles.leader, troubles.link)
            let known = Int64(doubts[index]) + extra[index]
            let bound = now.at - disturbed > Self.settling ? Self.floor + known : Self.slewed + known
            let worst = max(abs(late.least), abs(late.greatest))
            guard worst > bound else { return nil }
            return Self.violation(
                now.at, .speaker(room.name),
                "is \(MicroText.text(worst)) out of sync; the limit is \(MicroText.text(bound))")
        }
    }

    private mutating func noteDoubts(_ house: HouseObservation) {
        let gone = Double(house.at - lastLook) * Self.workedOff
        for (index, room) in house.rooms.enumerated() where index < doubts.count {
            doubts[index] = max(Double(Self.sigmas * (room.clock?.sigma ?? 0)), doubts[index] - gone)
        }
        lastLook = house.at
    }
}
