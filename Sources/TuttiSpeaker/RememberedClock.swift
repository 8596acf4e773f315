import TuttiClock
import TuttiCore
import TuttiHost

/// A group clock as a speaker knew it, for its next process: on the same host, as long as that runs, the line goes on.
struct RememberedClock: Codable, Sendable, Equatable {
    /// Another member.
    struct Member: Codable, Sendable, Equatable {
        var host: String
        var port: UInt16
    }

    /// The run of the host that the times are of.
    var boot: String
    /// For how long the host had slept, ns.
    var slept: Int64
    /// In hexadecimal digits, as no JSON number holds it.
    var timescale: String
    var origin: String
    /// The line, as `ClockEstimate` has it.
    var (reference, offset, fraction): (Int64, Int64, Double)
    var (drift, offsetSigma, driftSigma): (Double, Double, Double)
    var others: [Member]

    /// What is known of a clock now.
    init(_ line: ClockEstimate, origin: String, others: [SocketAddress], boot: String, slept: Int64) {
        (self.boot, self.slept, self.origin) = (boot, slept, origin)
        timescale = String(line.timescale.rawValue, radix: 16)
        (reference, offset, fraction) = (line.referenceHostNanoseconds, line.offset, line.offsetFraction)
        (drift, offsetSigma, driftSigma) = (line.drift, line.offsetSigma, line.driftSigma)
        self.others = others.prefix(ClockCircle.names).map { Member(host: $0.host, port: $0.port) }
    }

    /// The line, on the host that it was known on; nil where that has been started anew since, or has slept, or where
    /// the numbers are none of a clock.
    ///
    /// - Parameter slept: how long the host has slept by now, as far as it is known.
    func line(boot: String?, slept: ClosedRange<Int64>, now: HostTime) -> ClockEstimate? {
        let (awake, overflow) = self.slept.addingReportingOverflow(Self.shortestSleep)
        guard boot == self.boot, !overflow, slept.lowerBound <= awake, let raw = UInt64(timescale, radix: 16), raw != 0,
            [fraction, drift, offsetSigma, driftSigma].allSatisfy(\.isFinite), abs(fraction) <= 1, abs(drift) < 1e-3,
            offsetSigma >= 0, driftSigma >= 0, offset.magnitude < 1 << 61, reference <= now.nanoseconds, reference >= 0
        else { return nil }
        return ClockEstimate(
            timescale: TimescaleID(rawValue: raw), referenceHost: HostTime(nanoseconds: reference), offset: offset,
            offsetFraction: fraction, drift: drift, offsetSigma: offsetSigma, driftSigma: driftSigma)
    }

    /// Where the others were.
    var addresses: [SocketAddress] {
        others.prefix(ClockCircle.names).compactMap { SocketAddress(numericHost: $0.host, port: $0.port) }
    }

    /// Nanoseconds of sleep that a host takes for none.
    private static let shortestSleep: Int64 = 20_000_000
}
