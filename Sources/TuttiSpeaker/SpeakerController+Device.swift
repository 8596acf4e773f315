import Synchronization
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// When the output device is open.
extension SpeakerController {
    /// Opens the device, if it is not: somebody has come, or something is about to play.
    func keepDevice() {
        device.note(now: clock.now())
        if !isDeviceWanted { renderer.setWanted(true) }
        groupClock.setIdle(false)
    }

    /// Sees whether the device is still needed.
    func reviewDevice(now: HostTime) {
        if device.isNeeded(isOccupied: !occupied.isEmpty, isSounding: needsSound) { device.note(now: now) }
        let isOpen = device.isOpen(now: now)
        guard isOpen != isDeviceWanted else { return }
        renderer.setWanted(isOpen)
        // Whoever is here needs to know how long it takes now until something plays.
        for slot in occupied { reports.expire(slot) }
    }

    /// Whether the owner's stream plays, or is to begin at an instant that it was told and that may be a while ahead.
    var isToSound: Bool {
        if [.playing, .stalled].contains(playbackState(of: .owner, position: playhead())) { return true }
        return streams.owner.state.withLock { ($0.timebase?.rate ?? 0) > 0 }
    }

    /// Whether the device is to be open.
    var isDeviceWanted: Bool { renderer.counters.isWanted.load(ordering: .relaxed) }

    /// Nanoseconds that a change needs until it is heard: more while the device is let go.
    var changeLead: Int64 {
        renderer.counters.changeLead + (isDeviceWanted ? 0 : DeviceUse.openingTime)
    }

    /// Whether something has sound for the device that has not been played.
    private var needsSound: Bool {
        if !session.overlays.isEmpty { return true }
        guard isToSound, playbackState(of: .owner, position: playhead()) != .ended else { return false }
        // A stream whose sender is gone is over with what is held.
        return session.senderID != nil || !hasRunOut
    }

    private var hasRunOut: Bool {
        streams.hasRunOut(playhead: playhead(), isClockKnown: groupClock.now() != nil, now: clock.now())
    }
}
