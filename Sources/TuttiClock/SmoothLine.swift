import TuttiCore

/// A line that follows the estimate without a step: what is wrong is slewed away over about a second.
struct SmoothLine: Sendable {
    /// Time constant of the slew, nanoseconds.
    static let timeConstant = 1e9
    /// The steepest slew, a plain ratio: 200 ppm.
    static let maximumSlew = 200e-6
    /// A larger error is a stepped clock and is jumped, nanoseconds.
    static let maximumError = 3e6

    private(set) var line: ClockEstimate?

    /// Continues the line from `host` on, towards `estimate`. To be called at least once a second.
    mutating func follow(_ estimate: ClockEstimate, at host: HostTime) {
        let anchor = estimate.groupTime(at: host).nanoseconds
        let wanted = estimate.groupNanoseconds(atHostNanoseconds: host.nanoseconds, since: anchor)
        var shown = wanted
        if let line, line.timescaleRawValue == estimate.timescaleRawValue {
            let current = line.groupNanoseconds(atHostNanoseconds: host.nanoseconds, since: anchor)
            if abs(current - wanted) < Self.maximumError { shown = current }
        }
        let slew = min(max((wanted - shown) / Self.timeConstant, -Self.maximumSlew), Self.maximumSlew)
        let whole = Nanoseconds.rounded(shown)
        line = ClockEstimate(
            timescale: estimate.timescale, referenceHost: host,
            offset: Nanoseconds.subtract(Nanoseconds.add(anchor, whole), host.nanoseconds),
            offsetFraction: shown - Double(whole), drift: estimate.drift + slew,
            offsetSigma: estimate.sigma(atHostNanoseconds: host.nanoseconds), driftSigma: estimate.driftSigma)
    }

    mutating func clear() { line = nil }
}
