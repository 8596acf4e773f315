import TuttiCore

/// Which of the four stamps of an exchange were made by network interfaces' hardware.
struct HardwareStampSet: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// The request's departure and arrival, and the reply's.
    static let requestSent = HardwareStampSet(rawValue: 1)
    static let requestReceived = HardwareStampSet(rawValue: 2)
    static let replySent = HardwareStampSet(rawValue: 4)
    static let replyReceived = HardwareStampSet(rawValue: 8)
}

/// Keeps the exchanges with one member to one kind of stamps.
///
/// Hardware stamps lie closer to the wire than the kernel's, by tens of µs and not equally in both directions. A few of
/// the other kind among many would pull at the delays' floors or stand far above them, so they do not count. When all
/// are of another kind for a while the path has other floors from then on, and the estimator learns those.
struct StampPath: Sendable {
    /// What an exchange is.
    enum Verdict: Equatable {
        /// Of the usual kind.
        case usual
        /// Of another, and not to be counted.
        case unusual
        /// The first of those that are usual from now on.
        case changed
    }

    /// Exchanges of another kind, one after the other, that make it the usual one.
    static let persistence = 8
    /// Exchanges of any other kinds, one after the other, after which the last one's is taken.
    static let mostUnusual = 64

    private var usual: HardwareStampSet?
    private var candidate: HardwareStampSet = []
    private var (run, unusual) = (0, 0)

    mutating func judge(_ stamps: HardwareStampSet) -> Verdict {
        guard let usual, stamps != usual else {
            (self.usual, run, unusual) = (stamps, 0, 0)
            return .usual
        }
        run = stamps == candidate ? run + 1 : 1
        candidate = stamps
        unusual += 1
        guard run >= Self.persistence || unusual >= Self.mostUnusual else { return .unusual }
        (self.usual, run, unusual) = (stamps, 0, 0)
        return .changed
    }
}
