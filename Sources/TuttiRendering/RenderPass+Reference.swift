import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime

/// The reference line, as the render thread has to do with it.
extension RenderPass {
    /// Sets where on `line` a period lies whose first frame plays at the host's `instant` + `fraction`.
    func place(
        _ period: inout RenderPeriod, on line: ClockEstimate, left instant: Int64, _ fraction: Double,
        _ card: DACEstimate
    ) {
        (period.groupNanoseconds, period.groupFraction) = line.groupNanoseconds(
            atHostNanoseconds: instant, fraction: fraction)
        period.groupNanosecondsPerFrame = (1 + line.drift) / card.framesPerNanosecond
    }

    /// Reports where the card stands, for the line to follow, and what becomes of the source's bits.
    ///
    /// - Parameters:
    ///   - period: the period as it was rendered, in playback time.
    ///   - own: the same period in group time.
    ///   - timescale: the clock of both; nil while none is known.
    /// - Returns: whether a card of this width gets all bits of what sounds, where that is not altered; true in a room
    ///   that is no reference.
    func noteReference(
        _ period: RenderPeriod, _ own: RenderPeriod, _ timescale: TimescaleID?, _ report: RenderReport
    ) -> Bool {
        guard period.isReference else { return true }
        let fits = reference.fits(bits: shape.sampleBits)
        reference.fidelity = fidelity(report, fits: fits)
        if period.isClockValid, isSettled, let timescale {
            let nominal = 1e9 / Double(shape.sampleRate)
            let ahead = Int64(min(max(report.referenceNanoseconds, -1e9), 1e9).rounded())
            reference.card.publish(
                ReferenceFit(
                    group: GroupTime(nanoseconds: own.groupNanoseconds, timescale: timescale),
                    offset: period.groupNanoseconds &- own.groupNanoseconds &+ ahead,
                    slope: nominal / own.groupNanosecondsPerFrame - 1))
        }
        return report.audibleDecks == 0 || fits == true
    }

    private func fidelity(_ report: RenderReport, fits: Bool?) -> Fidelity {
        if report.audibleDecks == 0 { return .silent }
        if report.hasOtherRate { return .sampleRate }
        if report.isResampled { return .aligning }
        if report.soundingOverlays != 0 { return .announcement }
        if report.isScaled { return .volume }
        if shape.channels == 1 { return .channels }
        guard let fits else { return .codec }
        guard fits else { return .bitDepth }
        return report.isBitExact ? .exact : .fade
    }
}
