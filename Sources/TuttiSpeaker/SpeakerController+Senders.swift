import Logging
import Synchronization
import TuttiClock
import TuttiCore
import TuttiDecoding
import TuttiHost
import TuttiPlayback
import TuttiRendering
import TuttiTiming
import TuttiWire

/// The room's owner comes and goes.
extension SpeakerController {
    /// Whoever is connected.
    var occupied: [Slot] { (session.senderID == nil ? [] : [.owner]) + session.overlays.map(Slot.overlay) }

    func senderArrived(_ hello: Hello) {
        logger.info("sender connected", metadata: ["sender": "\(hello.senderName)"])
        streams.take(hello, of: session.identity(at: .owner)?.nodeID)
        renderer.counters.history.forget()
        reports.forgetDistance()
        keepDevice()
        var welcome = welcome
        present(&welcome, to: session.identity(at: .owner))
        perform(session.accept(welcome))
        if let handover = trust?.handover, session.identity(at: .owner) != nil {
            perform(session.send(.trust(handover)))
        }
        report(to: .owner, isDue: true)
    }

    /// What the owner is told.
    var welcome: Welcome {
        let actual = renderer.actual
        let stream = streams.owner
        let held = stream.state.withLock { (loaded: $0.store.loadedTimeRanges, timebase: $0.timebase, end: $0.end) }
        return Welcome(
            id: memory.state.id, name: name, bufferSeconds: configuration.bufferSeconds,
            bufferBytes: UInt64(configuration.bufferBytes), codecs: Decoders.decodable.map(\.rawValue),
            pictureCodecs: stream.pictures?.codecs.map(\.rawValue) ?? [],
            device: configuration.device, deviceFormat: actual.map(Self.format) ?? "",
            clockPort: configuration.isPrivate ? nil : groupClock.port,
            clock: configuration.isPrivate ? nil : knownClock,
            loaded: held.loaded,
            timebase: held.timebase.map {
                TimebaseCommand(rate: $0.rate, media: $0.mediaTime, group: $0.groupTime)
            }, end: held.end, reference: stream.reference.line.read(),
            features: Welcome.allFeatures + (stream.pictures?.showsCaptions == true ? [Welcome.captionsFeature] : []))
    }

    /// Gives back the program's pages that a handshake has touched, some 4 MB, unless there is sound: then even a page
    /// that comes back within a microsecond may come late.
    func leaveHandshakeBehind() {
        guard !configuration.isPrivate, !isToSound else { return }
        ProgramPages.giveBack()
    }

    func senderLost(_ reason: String) {
        logger.warning("sender lost; playing from the buffer", metadata: ["reason": "\(reason)"])
        rememberRates()
    }

    func senderLeft(_ reason: String) {
        logger.info("sender left", metadata: ["reason": "\(reason)"])
        rememberRates()
        streams.release()
    }
}

/// Announcements: senders that sit beside the one who owns the room, and whose sound is mixed in.
///
/// An overlay has a stream, a decode worker and decks of its own, so what it does or fails to do reaches nothing of the
/// owner's. It brings no settings, and a clock only into a room that has none.
extension SpeakerController {
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
        logger.info("announcement connected", metadata: ["sender": "\(hello.senderName)"])
        streams[slot].clear()
        keepDevice()
        let room = room(for: slot)
        var welcome = welcome
        (welcome.bufferSeconds, welcome.bufferBytes, welcome.loaded) = (room.seconds, UInt64(room.bytes), [])
        (welcome.timebase, welcome.end, welcome.pictureCodecs) = (nil, nil, [])
        present(&welcome, to: session.identity(at: slot))
        perform(session.accept(welcome, at: slot))
        report(to: slot, isDue: true)
    }

    /// Whether an effect still counts: one that has been sent away meanwhile has no more to say.
    func counts(_ effect: SpeakerEffect, of overlay: Int) -> Bool {
        switch effect {
        case .senderLeft, .senderLost: true
        default: session.overlays.contains(overlay)
        }
    }

    /// Whatever the reason: what it has not said yet is faded out.
    func overlayGone(_ reason: String, from slot: Slot) {
        logger.info("announcement ended", metadata: ["reason": "\(reason)"])
        streams[slot].clear()
        membership.left(slot)
        if occupied.isEmpty { rememberRates() }
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
