/// A sender of a scenario, on a host of its own.
package struct SenderPlan: Sendable, Equatable, Codable {
    package var name: String
    package var link: Link
    /// The host's oscillator against true time, in ppm.
    package var clockPpm: Double

    /// A sender.
    package init(name: String, link: Link = .lan, clockPpm: Double = 0) {
        self.name = name
        self.link = link
        self.clockPpm = clockPpm
    }
}
