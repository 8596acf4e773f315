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
    /// Nanoseconds without a word from the sender after which the room is no reference: nobody tells the others of its card then.
    private static let patience: Int64 = 3_000_000_000
    /// Nanoseconds between two reports of the card, and between two of one whose rate is news, before anything plays.
    private static let (interval, newsInterval): (Int64, Int64) = (240_000_000, 50_000_000)
    /// How far the card's rate may be from the line's slope for the room to be ready, as a plain ratio.
    private static let rateTolerance = 2e-6

    /// The sender has said how playback time runs.
    func takeReference(_ command: ReferenceCommand) {
        let room = programme.reference
        if let fit = command.fit { room.line.publish(fit) } else { room.line.clear() }
        referenceHeard = clock.now()
        setReference(command.isReference)
    }

    private func setReference(_ isReference: Bool) {
        let room = programme.reference
        guard room.isReference.load(ordering: .relaxed) != isReference else { return }
        room.isReference.store(isReference, ordering: .relaxed)
        cardReported = nil
        onNews?()
        logger.info(isReference ? "this room is the reference" : "this room is no longer the reference")
    }

    /// Tells the sender where the card stands, when it is time.
    func reportCard(now: HostTime) {
        guard isReference else { return }
        if let heard = referenceHeard, now.nanoseconds(since: heard) > Self.patience { return setReference(false) }
        guard let fit = freshCard else { return }
        if let last = cardReported {
            let isNews = !isSounding(.owner) && abs(fit.slope - last.fit.slope) > Self.rateTolerance / 4
            guard now.nanoseconds(since: last.at) >= (isNews ? Self.newsInterval : Self.interval) else { return }
        }
        cardReported = (fit, now)
        perform(session.send(.cardFit(fit), to: .owner))
    }

    /// Whether this room is the reference.
    var isReference: Bool { programme.reference.isReference.load(ordering: .relaxed) }

    /// Whether the line runs as the card does, where this room is the reference: then it plays frame for frame from the first one on.
    var isAtReferenceRate: Bool {
        guard isReference else { return true }
        guard let card = freshCard else { return false }
        return abs(card.slope - (programme.reference.line.read()?.slope ?? 0)) < Self.rateTolerance
    }

    /// Where the card stands, if the render thread has said so lately: it says nothing while the card is gone, and what it said when this room was
    /// the reference before is of no use.
    private var freshCard: ReferenceFit? {
        guard let fit = programme.reference.card.read(), let now = groupClock.now(),
            now.timescale == fit.group.timescale, abs(now.nanoseconds(since: fit.group)) < Self.longestAge
        else { return nil }
        return fit
    }

    /// Nanoseconds after which what the render thread has said does not count.
    private static let longestAge: Int64 = 1_000_000_000

    /// What a reference room says of the source's bits.
    func fillReference(_ status: inout SpeakerStatus) {
        guard isReference else { return }
        let fidelity = freshCard == nil ? .silent : programme.reference.fidelity
        status.isBitPerfect = fidelity == .exact
        status.bitPerfectReason = fidelity.reason
    }
}
