import TuttiCards
import TuttiClock
import TuttiCore

/// A room's sound card: how far it has played by a true time, and what it says of that.
struct SimulatedCard {
    /// Frames a second, nominal.
    static let sampleRate = 48_000
    /// Frames of a period, and of the buffer.
    static let (period, buffer) = (480, 1920)

    let kind: Card.Kind
    var isPlugged = true
    private let ppm: Double
    private let traits: CardTraits?
    /// Frames by which the pointer moves at a time.
    let step: Int
    private var chance: Chance
    /// Where it was started, in true time.
    private var startedAt: Int64 = 0

    init(_ card: Card, chance: Chance) {
        kind = card.kind
        ppm = card.ppm
        traits = card.traits
        step = card.step
        self.chance = chance
    }

    /// How fast it plays against true time.
    var rate: Double { 1 + ppm * 1e-6 }

    /// Opened, or going on after an xrun.
    mutating func start(at time: Int64) { startedAt = time }

    /// Frames that have left since it was started; below 0 before the first, which leaves some time later.
    func frames(at time: Int64) -> Double {
        Double(time - startedAt - (traits?.startLatency ?? 0)) * rate * Double(Self.sampleRate) * 1e-9
    }

    /// What a program reads at `time`.
    mutating func pointer(at time: Int64) -> Int64 {
        if var traits {
            // It plays at one rate from its first frame on.
            traits.lockingPpm = 0
            return traits.position(after: Double(time - startedAt), rate: Double(Self.sampleRate))
        }
        let frames = Int64(max(0, frames(at: time)))
        // A USB card's pointer moves with the frames of the bus.
        return kind == .step1ms ? frames / 48 * 48 : frames
    }

    /// Nanoseconds before `time` at which a program that wants to look then really does.
    mutating func lateness() -> Int64 { Int64(chance.unit() * (kind == .late ? 3e6 : 5e5)) }

    /// What the estimate is told of it.
    var model: CardKind { kind == .step1ms ? .usb : .hda }
}
