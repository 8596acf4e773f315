import TuttiCore

/// The last looks at a connection on which something waited to be sent all the time: what comes through, and what might
/// have.
struct LinkWindow: Sendable {
    /// Bytes that it takes to see what comes through, and the nanoseconds after which fewer do.
    static let (bytes, longest) = (UInt64(16_384), Int64(400_000_000))

    /// What was seen.
    struct Sight {
        /// Bytes a second that came through, and that might have been sent.
        var (through, pace): (Double, Double)
        /// Whether it was looked for long enough to believe it.
        var isTelling: Bool
        /// Nanoseconds since the look before.
        var elapsed: Double
    }

    private var looks: [LinkPace.Look] = []
    /// The last look at which something had arrived since the one before.
    private var judged: LinkPace.Look?

    mutating func clear() { (looks, judged) = ([], nil) }

    /// Takes one more; nil where it tells nothing: while nothing arrives, round trips are no measurements either.
    ///
    /// - Parameter time: nanoseconds that it takes to see what comes through.
    mutating func take(_ look: LinkPace.Look, time: Int64) -> Sight? {
        // The connection was made again.
        if let last = looks.last, look.arrived < last.arrived { clear() }
        looks.append(look)
        while looks.count > 2, reaches(from: looks[1], to: look, time) { looks.removeFirst() }
        guard let last = judged else {
            judged = look
            return nil
        }
        guard look.arrived > last.arrived, let first = looks.first, first.now < look.now else { return nil }
        judged = look
        let asked = zip(looks, looks.dropFirst())
            .reduce(0) { $0 + $1.0.pace * Double($1.1.now.nanoseconds(since: $1.0.now)) }
        return Sight(
            through: look.rate(since: first), pace: asked / Double(look.now.nanoseconds(since: first.now)),
            isTelling: reaches(from: first, to: look, time), elapsed: Double(look.now.nanoseconds(since: last.now)))
    }

    private func reaches(from earlier: LinkPace.Look, to look: LinkPace.Look, _ enough: Int64) -> Bool {
        let time = look.now.nanoseconds(since: earlier.now)
        return time >= Self.longest || time >= enough && look.arrived - earlier.arrived >= Self.bytes
    }
}
