package import TuttiCards

/// The link of a machine to the house's switch.
package struct Link: Sendable, Equatable, Codable {
    /// One direction.
    package struct Direction: Sendable, Equatable, Codable {
        /// The least delay, in nanoseconds.
        package var delay: Int64
        /// Mean of the exponentially distributed delay on top of it, in nanoseconds. Frames keep their order.
        package var jitter: Int64
        /// The share of the frames that is lost, 0 … 1.
        package var loss: Double
        /// Both directions of a link stall together.
        package var stall: LinkTraits.Stall?
        /// Bits that pass in a second; nil when that is no bound.
        package var bitsPerSecond: Int64?
        /// What it goes through with all others that name it, one frame after the other; nil for a wire of its own.
        /// Counts where there is a rate.
        package var air: String?
        /// How long what waits in front of it may take to pass, in nanoseconds; more is lost. Nil for any. Counts where
        /// there is a rate.
        package var queue: Int64?
        /// Whether short frames that come alone need not wait behind others' (fq_codel).
        package var isFair = false

        /// A direction.
        package init(
            delay: Int64, jitter: Int64 = 0, loss: Double = 0, stall: LinkTraits.Stall? = nil,
            bitsPerSecond: Int64? = nil,
            air: String? = nil
        ) {
            self.delay = delay
            self.jitter = jitter
            self.loss = loss
            self.stall = stall
            self.bitsPerSecond = bitsPerSecond
            self.air = air
        }
    }

    /// The profile's name; `own` for numbers of the scenario's own.
    package var name: String
    /// From the machine to the switch.
    package var up: Direction
    /// From the switch to the machine.
    package var down: Direction

    /// A link.
    package init(name: String, up: Direction, down: Direction) {
        self.name = name
        self.up = up
        self.down = down
    }

    private init(_ name: String, both direction: Direction) {
        self.init(name: name, up: direction, down: direction)
    }
}

extension Link {
    /// A wired home network: 80 µs and an exponential 15 µs.
    package static let lan = Link("lan", both: Direction(delay: 80_000, jitter: 15_000))

    /// Good Wi-Fi: 0.9 ms and an exponential 0.9 ms, nothing for 8 – 40 ms every 2 s, 0.1 % lost.
    package static let wifi = Link(
        "wifi",
        both: Direction(
            delay: 900_000, jitter: 900_000, loss: 0.001,
            stall: LinkTraits.Stall(period: 2_000_000_000, shortest: 8_000_000, longest: 40_000_000)))

    /// Bad Wi-Fi: 2 ms and an exponential 3 ms, nothing for 40 – 250 ms every 2 s, 1 % lost.
    package static let badWifi = Link(
        "badwifi",
        both: Direction(
            delay: 2_000_000, jitter: 3_000_000, loss: 0.01,
            stall: LinkTraits.Stall(period: 2_000_000_000, shortest: 40_000_000, longest: 250_000_000)))

    /// Asymmetry that no exchange of messages can see: 200 µs up, 2 ms down.
    package static let asymmetric = Link(
        name: "asym", up: Direction(delay: 200_000, jitter: 15_000), down: Direction(delay: 2_000_000, jitter: 15_000))

    /// As `lan`, and 2 % of the frames are lost.
    package static let lossy = Link("lossy", both: Direction(delay: 80_000, jitter: 15_000, loss: 0.02))

    /// The laboratory's profiles, with the same numbers and names.
    package static let profiles: [Link] = [.lan, .wifi, .badWifi, .asymmetric, .lossy]

    /// The link of a seed, out of the population that the laboratory draws from, too.
    package static func drawn(seed: UInt64) -> Link {
        let traits = LinkTraits.drawn(seed: seed)
        var direction = Direction(
            delay: traits.base, jitter: traits.jitter, loss: traits.loss,
            stall: traits.stall, bitsPerSecond: traits.bitsPerSecond)
        (direction.queue, direction.isFair) = (traits.queue, traits.isFair)
        return Link("\(traits.medium.rawValue)#\(seed)", both: direction)
    }
}
