import Logging
package import NIOCore
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The regular look at what there is to do and to tell, as seldom as nobody misses it.
extension SpeakerController {
    /// From one look to the next while a stream is about to start, usually, and while it plays from plenty.
    package static let pauses = (
        awaited: TimeAmount.milliseconds(20), usual: TimeAmount.milliseconds(100), calm: TimeAmount.seconds(1)
    )

    /// Regular work: what is due, credit, and a status when it is time or something has changed.
    ///
    /// - Returns: when to come again: soon while a stream is about to start, so that the sender hears at once that the
    ///   room is ready.
    package func tick() -> TimeAmount {
        let now = clock.now()
        if let deadline = session.deadline, deadline <= now { perform(session.expired(now: now)) }
        for slot in [.owner] + session.overlays.map(Slot.overlay) {
            if let playhead = playhead(of: slot) { streams[slot].trim(playhead: playhead) }
            updateCredit(of: slot)
        }
        leadPictures()
        noticeReset()
        reviewDevice(now: now)
        takeMixer(now: now)
        reportCard(now: now)
        report()
        reportDamage()
        rememberRatesRegularly(now: now)
        noteParent()
        for remark in groupClock.takeRemarks() { logger.info("\(remark)") }
        reviewClock(now: now)
        let soundingStates: [SpeakerStatus.State] = [.playing, .stalled]
        groupClock.setSounding(
            soundingStates.contains(playbackState(of: .owner, position: playhead())) || isAnnouncing)
        return pause(after: now)
    }

    /// Tells the screen where the stream stands by now.
    func leadPictures() {
        let delay = memory.state.outputDelayMilliseconds * 1e6
        streams.owner.leadPictures(groupClock.estimates, delay: Int64(delay.rounded()))
    }

    /// How long nothing is missed, if `onEvent` is called when there is something.
    private func pause(after now: HostTime) -> TimeAmount {
        if reports.isStartAwaited(in: occupied) { return Self.pauses.awaited }
        guard onEvent != nil, occupied == [.owner], reports.isCalm(.owner), isSounding(.owner), !isReference
        else { return Self.pauses.usual }
        guard let deadline = session.deadline else { return Self.pauses.calm }
        return min(Self.pauses.calm, max(Self.pauses.awaited, .nanoseconds(deadline.nanoseconds(since: now))))
    }
}
