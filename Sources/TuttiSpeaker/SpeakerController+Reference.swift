import Logging
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The reference line: this room follows it, or its card leads it.
extension SpeakerController {
    /// The sender has said how playback time runs.
    func takeReference(_ command: ReferenceCommand) {
        let room = streams.owner.reference
        if let fit = command.fit { room.line.publish(fit) } else { room.line.clear() }
        room.captureLatency.store(command.captureLatency ?? 0, ordering: .relaxed)
        cardReports.heardSender(now: clock.now())
        setReference(command.isReference)
    }

    private func setReference(_ isReference: Bool) {
        let room = streams.owner.reference
        guard room.isReference.load(ordering: .relaxed) != isReference else { return }
        room.isReference.store(isReference, ordering: .relaxed)
        cardReports.restart()
        onEvent?()
        logger.info(isReference ? "this room is the reference" : "this room is no longer the reference")
    }

    /// Tells the sender where the card stands, when it is time.
    func reportCard(now: HostTime) {
        guard isReference else { return }
        guard !cardReports.isSenderSilent(now: now) else { return setReference(false) }
        guard let fit = freshCard, cardReports.isDue(fit, isSounding: isSounding(.owner), now: now) else { return }
        perform(session.send(.cardFit(fit), to: .owner))
    }

    /// Whether this room is the reference.
    var isReference: Bool { streams.owner.reference.isReference.load(ordering: .relaxed) }

    /// Whether the line runs as the card does, where this room is the reference: then it plays frame for frame from the
    /// first one on.
    var isAtReferenceRate: Bool {
        guard isReference else { return true }
        guard let card = freshCard else { return false }
        return abs(card.slope - (streams.owner.reference.line.read()?.slope ?? 0)) < CardReports.rateTolerance
    }

    /// Where the card stands, if the render thread has said so lately: it says nothing while the card is gone, and what
    /// it said when this room was the reference before is of no use.
    private var freshCard: ReferenceFit? {
        guard let fit = streams.owner.reference.card.read(), let now = groupClock.now(),
            now.timescale == fit.group.timescale, abs(now.nanoseconds(since: fit.group)) < Self.longestAge
        else { return nil }
        return fit
    }

    /// Nanoseconds after which what the render thread has said does not count.
    private static let longestAge: Int64 = 1_000_000_000

    /// What a reference room says of the source's bits.
    func fillReference(_ status: inout SpeakerStatus) {
        guard isReference else { return }
        let fidelity = freshCard == nil ? .silent : streams.owner.reference.fidelity
        status.isBitPerfect = fidelity == .exact
        status.bitPerfectReason = fidelity.reason
    }
}
