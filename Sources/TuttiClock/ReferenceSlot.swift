package import TuttiCore

/// Hands the newest `ReferenceFit` from one writing thread to any number of reading ones without locks.
///
/// Guard: that of `ClockEstimateSlot`, whose words it uses. `publish` and `clear` belong to one thread at a time.
package final class ReferenceSlot: Sendable {
    private let slot = ClockEstimateSlot()

    /// An empty slot.
    package init() {}

    /// Makes `fit` the one that readers get.
    package func publish(_ fit: ReferenceFit) {
        slot.publish(
            ClockEstimate(
                timescale: fit.group.timescale, referenceHost: HostTime(nanoseconds: fit.group.nanoseconds),
                offset: fit.offset, drift: fit.slope, offsetSigma: 0, driftSigma: 0))
    }

    /// Empties the slot.
    package func clear() { slot.clear() }

    /// The newest stretch, or nil when the slot is empty. RT: no lock, no allocation.
    package func read() -> ReferenceFit? {
        guard let words = slot.read() else { return nil }
        return ReferenceFit(
            group: GroupTime(nanoseconds: words.referenceHostNanoseconds, timescale: words.timescale),
            offset: words.offset, slope: words.drift)
    }
}

extension ClockEstimate {
    /// The line from this host's clock to playback time, where `fit` says how that runs; this line itself without one,
    /// or with one of another timescale. RT.
    package func following(_ fit: ReferenceFit?) -> ClockEstimate {
        guard let fit, fit.group.timescale == timescale else { return self }
        var line = self
        let anchor = Nanoseconds.add(referenceHostNanoseconds, offset)
        let span = Double(Nanoseconds.subtract(anchor, fit.group.nanoseconds)) + offsetFraction
        let moved = offsetFraction + fit.slope * span
        let whole = moved.rounded(.down)
        line.offset = Nanoseconds.add(Nanoseconds.add(offset, fit.offset), Nanoseconds.rounded(whole))
        line.offsetFraction = moved - whole
        line.drift = (1 + drift) * (1 + fit.slope) - 1
        return line
    }
}
