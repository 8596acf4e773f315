import TuttiCards

/// One direction of a machine's link at work.
struct LinkQueue {
    /// What becomes of a frame, or of several in a row.
    enum Fate {
        /// It comes out at the other end at this time; of several, so many of them do.
        case passes(at: Int64, frames: Int)
        /// It is lost, or too long.
        case lost
    }

    /// What several lanes go through, one frame after the other.
    final class Air {
        /// Until when frames are on it.
        fileprivate var busyUntil: Int64 = 0
    }

    /// Bytes of a frame that counts as short.
    private static let longestShort = 300

    /// The link's own character.
    let direction: Link.Direction
    /// What is wrong with it besides.
    var faults: [Impairment] = []
    private var chance: Chance
    private let stallSeed: UInt64
    private let air: Air?
    /// Until when frames before this one are on the wire of its own, and when the last one came out.
    private var (wireBusyUntil, lastOut): (Int64, Int64) = (0, 0)
    /// Until when nothing passes.
    private var stalledUntil: Int64 = 0

    /// - Parameters:
    ///   - air: what it shares with others; nil for a wire of its own.
    ///   - stallSeed: of the stalls, which both directions share.
    init(_ direction: Link.Direction, air: Air? = nil, chance: Chance, stallSeed: UInt64) {
        self.direction = direction
        self.air = air
        self.chance = chance
        self.stallSeed = stallSeed
    }

    private var busyUntil: Int64 {
        get { air?.busyUntil ?? wireBusyUntil }
        set { if let air { air.busyUntil = newValue } else { wireBusyUntil = newValue } }
    }

    /// Nanoseconds that a frame would wait that enters at `time`.
    func queueing(at time: Int64) -> Int64 { max(0, max(busyUntil, stalledUntil) - time) }

    /// Nothing passes until then.
    mutating func stall(until time: Int64) { stalledUntil = max(stalledUntil, time) }

    /// What becomes of a frame that enters at `time`. Frames keep their order but for those that a fault holds back.
    ///
    /// - Parameters:
    ///   - frames: how many there are of `bytes` together.
    ///   - isAgain: whether they are sent a second time, or have waited on another link: at a time yet to come, so
    ///     nothing queues behind them.
    mutating func pass(bytes: Int, frames: Int = 1, at time: Int64, isAgain: Bool = false) -> Fate {
        precondition(bytes > 0 && frames > 0, "a frame has bytes")
        var (lossless, rate, late) = (1 - direction.loss, direction.bitsPerSecond, Int64(0))
        for fault in faults {
            switch fault {
            case .slow(let bits): rate = min(rate ?? bits, bits)
            case .lose(let share), .corrupt(let share): lossless *= 1 - share
            case .reorder(let share, let by): if chance.happens(share) { late = max(late, by) }
            case .blackHole(let longest): if bytes / max(frames, 1) > longest { return .lost }
            case .duplicate, .stall: break
            }
        }
        var through = lossless < 1 ? (0..<frames).count { _ in chance.unit() < lossless } : frames
        let isShort = frames == 1 && bytes <= Self.longestShort
        var begin = max(time, direction.isFair && isShort ? time : busyUntil, stalledUntil)
        if let rate, rate > 0, let queue = direction.queue, !isAgain {
            // What finds no room is lost, and the rest of what came with it is not.
            let frame = max(Double(bytes) / Double(frames) * 8e9 / Double(rate), 1)
            through = min(through, max(0, Int(Double(queue - (begin - time)) / frame) + 1))
        }
        guard through > 0 else { return .lost }
        if let stall = direction.stall { begin = Self.afterStall(begin, stall, stallSeed) }
        if let rate, rate > 0 {
            let length = Int64(Double(bytes) * 8e9 / Double(rate))
            begin += length
            if !isAgain { busyUntil = max(begin, busyUntil + length) }
        }
        let isAhead = direction.isFair && isShort
        let free = begin + direction.delay + chance.exponential(mean: direction.jitter)
        let out = isAhead ? free : max(lastOut, free)
        if !isAgain, !isAhead { lastOut = out }
        precondition(begin >= time && through <= frames, "no frame leaves before it enters, nor one too many")
        return .passes(at: out + late, frames: through)
    }

    /// Whether a frame comes twice.
    mutating func duplicates() -> Bool {
        faults.contains { fault in
            if case .duplicate(let share) = fault { chance.happens(share) } else { false }
        }
    }

    /// When what enters at `time` goes on: at once, or when the stall is over that it falls into.
    private static func afterStall(_ time: Int64, _ stall: LinkTraits.Stall, _ seed: UInt64) -> Int64 {
        guard stall.period > 0 else { return time }
        var chance = Chance(seed: seed, "stall \(time / stall.period)")
        let length = stall.shortest + Int64(chance.unit() * Double(max(0, stall.longest - stall.shortest)))
        let begin = time / stall.period * stall.period + Int64(chance.unit() * Double(max(0, stall.period - length)))
        return time >= begin && time < begin + length ? begin + length : time
    }
}
