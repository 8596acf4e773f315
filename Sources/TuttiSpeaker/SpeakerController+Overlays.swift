import Logging
import Synchronization
import TuttiCore
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// Announcements: senders that sit beside the one who owns the room, and whose sound is mixed in.
///
/// An overlay has a stream, a decode worker and decks of its own, so what it does or fails to do reaches nothing of the
/// owner's. It brings no settings, and a clock only into a room that has none.
extension SpeakerController {
    /// The stream of whoever sits there.
    func stream(of slot: Slot) -> StreamBuffer {
        switch slot {
        case .owner: stream
        case .overlay(let number): overlays[number]
        }
    }

    /// How much of its stream may be held.
    func room(for slot: Slot) -> (seconds: Double, bytes: Int) {
        switch slot {
        case .owner: (configuration.bufferSeconds, configuration.bufferBytes)
        case .overlay:
            (
                min(configuration.bufferSeconds, SpeakerConfiguration.overlayBufferSeconds),
                min(configuration.bufferBytes, SpeakerConfiguration.overlayBufferBytes)
            )
        }
    }

    // MARK: Coming and going

    func overlayArrived(_ hello: Hello, at slot: Slot) {
        logger.info("guest connected", metadata: ["sender": "\(hello.senderName)"])
        stream(of: slot).clear()
        keepDevice()
        let room = room(for: slot)
        var welcome = welcome
        (welcome.bufferSeconds, welcome.bufferBytes, welcome.loaded) = (room.seconds, UInt64(room.bytes), [])
        (welcome.timebase, welcome.end) = (nil, nil)
        perform(session.accept(welcome, at: slot))
        report(to: slot, isDue: true)
    }

    /// Whether an effect still counts: one that has been sent away meanwhile has no more to say.
    func isHeard(_ effect: SpeakerEffect, from overlay: Int) -> Bool {
        switch effect {
        case .senderLeft, .senderLost: true
        default: session.overlays.contains(overlay)
        }
    }

    /// Whatever the reason: what it has not said yet is faded out.
    func overlayGone(_ reason: String, from slot: Slot) {
        logger.info("guest gone", metadata: ["reason": "\(reason)"])
        stream(of: slot).clear()
        if clockGiver == slot { clockGiver = nil }
        guard occupied.isEmpty else { return }
        rememberRates()
        scheduleRelease()
    }

    // MARK: Clock

    /// Follows the owner's clock, and an overlay's if the room has no other.
    func take(_ announcement: ClockAnnouncement, from connection: ConnectionID, at slot: Slot) {
        let isOther = announcement.timescale != self.announcement?.timescale
        guard slot != .owner else {
            clockGiver = nil
            follow(announcement, from: connection)
            // Overlays stand on the clock before; they find the new one when they come again.
            if isOther { for overlay in session.overlays { dismiss(.overlay(overlay)) } }
            return
        }
        if occupied == [slot], groupClock.standing == nil || clockGiver == slot {
            clockGiver = slot
            follow(announcement, from: connection)
        } else if isOther {
            dismiss(slot)
        }
    }

    private func dismiss(_ overlay: Slot) {
        let message = "the room has only just got another clock"
        perform(session.dismiss(overlay, code: ControlMessage.FailureCode.busy, message: message))
    }

    // MARK: Sound

    /// Whether any overlay sounds.
    var isAnnouncing: Bool { renderer.counters.soundingOverlays.load(ordering: .relaxed) != 0 }

    /// Whether what comes from there sounds, without a lack of data.
    func isSounding(_ slot: Slot) -> Bool {
        let counters = renderer.counters
        switch slot {
        case .owner:
            return counters.audibleDecks.load(ordering: .relaxed) > 0 && !counters.isStarved.load(ordering: .relaxed)
        case .overlay(let number):
            return counters.soundingOverlays.load(ordering: .relaxed) >> UInt8(number & 7) & 1 == 1
        }
    }
}
