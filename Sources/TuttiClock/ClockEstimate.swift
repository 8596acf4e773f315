package import TuttiCore

/// The line between this host's clock and a group clock, as plain numbers that a render thread may copy.
///
/// group = host + `offset` + `offsetFraction` + `drift` · (host − `referenceHostNanoseconds`), all in nanoseconds.
/// Whole parts stay integers, so the line is good to far below a nanosecond however large the times are.
package struct ClockEstimate: Sendable, Equatable, BitwiseCopyable {
    /// The raw value of the timescale that the line leads to.
    package var timescaleRawValue: UInt64
    /// Where the line is anchored, in nanoseconds of the host clock.
    package var referenceHostNanoseconds: Int64
    /// Group minus host time at the reference, whole nanoseconds.
    package var offset: Int64
    /// What is to be added to `offset`, in nanoseconds; between −1 and 1.
    package var offsetFraction: Double
    /// How much faster the group clock runs than the host's: d(group − host) / d host, a plain ratio (1e-6 is 1 ppm).
    package var drift: Double
    /// Standard deviation of the offset at the reference, nanoseconds.
    package var offsetSigma: Double
    /// Standard deviation of `drift`, a plain ratio.
    package var driftSigma: Double

    /// A line through `offset + offsetFraction` at `referenceHost`.
    package init(
        timescale: TimescaleID, referenceHost: HostTime, offset: Int64, offsetFraction: Double = 0, drift: Double,
        offsetSigma: Double, driftSigma: Double
    ) {
        timescaleRawValue = timescale.rawValue
        referenceHostNanoseconds = referenceHost.nanoseconds
        self.offset = offset
        self.offsetFraction = offsetFraction
        self.drift = drift
        self.offsetSigma = offsetSigma
        self.driftSigma = driftSigma
    }

    /// The timescale that the line leads to.
    package var timescale: TimescaleID { TimescaleID(rawValue: timescaleRawValue) }
    /// Where the line is anchored.
    package var referenceHost: HostTime { HostTime(nanoseconds: referenceHostNanoseconds) }

    /// The group time at a host time, to the nanosecond.
    package func groupTime(at host: HostTime) -> GroupTime {
        let parts = groupParts(atHostNanoseconds: host.nanoseconds)
        return GroupTime(
            nanoseconds: Nanoseconds.add(parts.whole, Nanoseconds.rounded(parts.rest)), timescale: timescale)
    }

    /// The host time of a group time, to the nanosecond; nil when the time is of another timescale.
    package func hostTime(of group: GroupTime) -> HostTime? {
        guard group.timescale == timescale else { return nil }
        let parts = hostParts(ofGroupNanoseconds: group.nanoseconds)
        return HostTime(nanoseconds: Nanoseconds.add(parts.whole, Nanoseconds.rounded(parts.rest)))
    }

    /// Group nanoseconds from `anchor` to the instant `host + fraction`, with their fraction. RT.
    ///
    /// - Parameters:
    ///   - host: nanoseconds of the host clock.
    ///   - fraction: what is to be added to `host`, nanoseconds.
    ///   - anchor: nanoseconds of the group clock, near the instant.
    package func groupNanoseconds(
        atHostNanoseconds host: Int64, fraction: Double = 0, since anchor: Int64
    ) -> Double {
        let parts = groupParts(atHostNanoseconds: host)
        return Double(Nanoseconds.subtract(parts.whole, anchor)) + parts.rest + fraction * (1 + drift)
    }

    /// The instant `host + fraction` in whole nanoseconds of the group clock, clamped to 64 bits, and a rest in 0 ..<
    /// 1. RT.
    package func groupNanoseconds(
        atHostNanoseconds host: Int64, fraction: Double
    ) -> (nanoseconds: Int64, fraction: Double) {
        let parts = groupParts(atHostNanoseconds: host)
        let rest = parts.rest + fraction * (1 + drift)
        let whole = rest.rounded(.down)
        return (Nanoseconds.add(parts.whole, Nanoseconds.rounded(whole)), rest - whole)
    }

    /// Host nanoseconds from `anchor` to the instant `group + fraction` of the group clock, with their fraction. RT.
    package func hostNanoseconds(
        ofGroupNanoseconds group: Int64, fraction: Double = 0, since anchor: Int64
    ) -> Double {
        let parts = hostParts(ofGroupNanoseconds: group)
        return Double(Nanoseconds.subtract(parts.whole, anchor)) + parts.rest + fraction / (1 + drift)
    }

    /// Standard deviation of the group time at a host time: what is known at the reference, growing with the drift's.
    /// RT.
    package func sigma(atHostNanoseconds host: Int64) -> Double {
        let span = Double(Nanoseconds.subtract(host, referenceHostNanoseconds)) * driftSigma
        return (offsetSigma * offsetSigma + span * span).squareRoot()
    }

    /// The same line anchored at another host time, `offsetSigma` grown by the drift's uncertainty.
    package func moved(to host: HostTime) -> ClockEstimate {
        let parts = groupParts(atHostNanoseconds: host.nanoseconds)
        let whole = Nanoseconds.rounded(parts.rest)
        return ClockEstimate(
            timescale: timescale, referenceHost: host,
            offset: Nanoseconds.add(Nanoseconds.subtract(parts.whole, host.nanoseconds), whole),
            offsetFraction: parts.rest - Double(whole), drift: drift,
            offsetSigma: sigma(atHostNanoseconds: host.nanoseconds), driftSigma: driftSigma)
    }

    private func groupParts(atHostNanoseconds host: Int64) -> (whole: Int64, rest: Double) {
        let span = Double(Nanoseconds.subtract(host, referenceHostNanoseconds))
        return (Nanoseconds.add(host, offset), offsetFraction + drift * span)
    }

    private func hostParts(ofGroupNanoseconds group: Int64) -> (whole: Int64, rest: Double) {
        let host = Nanoseconds.subtract(group, offset)
        let span = Double(Nanoseconds.subtract(host, referenceHostNanoseconds))
        return (host, -(span * drift + offsetFraction) / (1 + drift))
    }
}
