/// Says how much silence is due while a sink's program does not play, so that who reads gets sound at an even pace.
package struct SilencePacer: Sendable {
    /// Seconds without samples after which silence takes their place; it lies above PipeWire's usual periods.
    package static let patience = 0.1

    private let rate: Double
    /// Until when there was sound or silence.
    private var covered: Double?

    package init(rate: Int) { self.rate = Double(rate) }

    /// Samples have come, and were sent.
    package mutating func samplesCame(at now: Double) { covered = now }

    /// Nobody reads.
    package mutating func stop() { covered = nil }

    /// When to look again; nil while nobody reads.
    package var deadline: Double? { covered.map { $0 + Self.patience } }

    /// Frames of silence that are due. A long pause of this process is not made up for.
    package mutating func due(at now: Double) -> Int {
        guard let covered, now - covered >= Self.patience else { return 0 }
        self.covered = now
        return Int(min(now - covered, 1) * rate)
    }
}
