/// A room of a scenario: a speaker on a host of its own.
package struct RoomPlan: Sendable, Equatable, Codable {
    package var name: String
    package var link: Link
    package var card: Card
    /// The host's oscillator against true time, in ppm.
    package var clockPpm: Double
    /// How much sound it wants ahead of its playhead, in nanoseconds.
    package var buffer: Int64
    /// Payload bytes that it has room for.
    package var bufferBytes: Int64

    /// A room.
    package init(
        name: String, link: Link = .lan, card: Card = Card(), clockPpm: Double = 0, buffer: Int64 = 300_000_000_000,
        bufferBytes: Int64 = 64 << 20
    ) {
        self.name = name
        self.link = link
        self.card = card
        self.clockPpm = clockPpm
        self.buffer = buffer
        self.bufferBytes = bufferBytes
    }
}
