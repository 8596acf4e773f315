/// What a fault does to all that crosses the link of a machine, both ways, on top of the link's own character.
package enum Impairment: Sendable, Hashable, Codable {
    /// No more than so many bits pass in a second.
    case slow(bitsPerSecond: Int64)
    /// This share of the frames, 0 … 1, is lost.
    case lose(share: Double)
    /// This share of the frames arrives with bits changed, and is dropped or not as the checksums have it.
    case corrupt(share: Double)
    /// This share of the frames arrives twice.
    case duplicate(share: Double)
    /// This share of the frames is overtaken: it arrives so many nanoseconds late.
    case reorder(share: Double, by: Int64)
    /// Nothing passes for so many nanoseconds, once, and then all of it.
    case stall(Int64)
    /// Frames of more than so many bytes do not pass: the black hole of a path MTU that nobody tells.
    case blackHole(bytes: Int64)
}
