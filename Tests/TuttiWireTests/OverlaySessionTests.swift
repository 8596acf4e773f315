import Testing
import TuttiCore
import TuttiWire

@Suite struct OverlaySessionTests {
    private func flac() throws -> AudioFormat {
        try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
    }

    @Test func aSenderWithoutAPolicyOwnsTheRoom() throws {
        let body = Array(#"{"type":"hello","role":"control","version":1,"senderID":"desk","stream":9}"#.utf8)
        let hello = Hello(role: .control, senderID: "desk", senderName: "", stream: 9)
        #expect(try ControlMessage(parsing: body) == .hello(hello))
        #expect(hello.policy == .longForm)
        let text = String(decoding: ControlMessage.hello(hello).encodedBody(), as: UTF8.self)
        #expect(!text.contains("policy"), "older speakers are told what they know")
    }

    @Test func thePolicyTravels() throws {
        let overlay = Hello(role: .control, senderID: "desk", senderName: "", stream: 9, policy: .default)
        let body = ControlMessage.hello(overlay).encodedBody()
        #expect(String(decoding: body, as: UTF8.self).contains(#""policy":"default""#))
        #expect(try ControlMessage(parsing: body) == .hello(overlay))
        let odd = Array(#"{"type":"hello","role":"control","version":1,"senderID":"x","policy":"loud"}"#.utf8)
        #expect(throws: WireError.self) { try ControlMessage(parsing: odd) }
        var session = SenderSession(senderID: "desk", senderName: "", streamID: 9, policy: .default)
        guard case .sendControl(let bytes)? = session.controlOpened(now: HostTime(nanoseconds: 0)).first else {
            Issue.record("no hello")
            return
        }
        let said = try ControlMessage(parsing: [UInt8](bytes.dropFirst(Frame.headerBytes)))
        #expect(said == .hello(overlay))
    }

    @Test func aOverlaySitsBesideTheOwnerWithAStreamOfItsOwn() throws {
        var speaker = SpeakerHarness()
        let owner = speaker.connect("desk", stream: 9)
        let hello = Hello(role: .control, senderID: "door", senderName: "", stream: 7, policy: .default)
        let control = speaker.open()
        #expect(speaker.receive(.hello(hello), on: control) == [.overlay(0, .senderArrived(hello))])
        #expect(speaker.session.accept(SpeakerHarness.welcome, at: .overlay(0)).messages.count == 1)
        let media = speaker.open()
        let token = Hello(role: .media, senderID: "door", senderName: "", session: "000000000000feed")
        #expect(speaker.receive(.hello(token), on: media) == [.overlay(0, .mediaConnected)])
        #expect(speaker.session.senderID == "desk" && speaker.session.overlays == [0])

        // Credit, formats and generations are each one's own.
        _ = speaker.session.grant(freeBytes: 1_000, horizon: nil, to: .overlay(0))
        _ = speaker.receive(.format(id: 1, try flac()), on: control)
        #expect(
            speaker.receive(.flush(generation: 1, from: nil), on: control)
                == [.overlay(0, .flush(generation: 1, from: nil))])
        #expect(
            speaker.session.flushed(generation: 1, loaded: [], at: .overlay(0))
                == [.send(ControlMessage.flushed(generation: 1, loaded: []).encodedFrame(), on: control)])
        let spoken = speaker.receive(SpeakerHarness.packet(480, generation: 1, stream: 7, bytes: 600), on: media)
        #expect(spoken.deliveredByOverlays == [480] && spoken.delivered == [])
        #expect(speaker.session.generation == 0)
        _ = speaker.receive(.format(id: 1, try flac()), on: owner.control)
        #expect(speaker.receive(SpeakerHarness.packet(960), on: owner.media).delivered == [960])
        let excess = speaker.receive(SpeakerHarness.packet(960, generation: 1, stream: 7, bytes: 600), on: media)
        #expect(Set(excess.closed) == [control, media])
        #expect(speaker.receive(SpeakerHarness.packet(1_440), on: owner.media).delivered == [1_440])
    }

    @Test func whatAOverlaySaysIsMarkedAsItsOwn() {
        var speaker = SpeakerHarness()
        let overlay = speaker.connect("door", policy: .default)
        let timescale = TimescaleID(rawValue: 5)
        let command = TimebaseCommand(rate: 1, media: .zero, group: GroupTime(nanoseconds: 1, timescale: timescale))
        #expect(speaker.receive(.timebase(command), on: overlay.control) == [.overlay(0, .timebase(command))])
        #expect(speaker.receive(.end(media: .zero), on: overlay.control) == [.overlay(0, .end(media: .zero))])
        let clock = ClockAnnouncement(timescale: timescale, origin: "door", leaderPort: 7_701)
        #expect(
            speaker.receive(.clock(clock), on: overlay.control) == [.overlay(0, .clock(clock, from: overlay.control))])
        #expect(
            speaker.receive(.goodbye(reason: "done"), on: overlay.control).last
                == .overlay(0, .senderLeft(reason: "done")))
        #expect(speaker.session.overlays == [])
    }

    @Test func theRoomsSettingsAreNotAOverlays() {
        var speaker = SpeakerHarness()
        let overlay = speaker.connect("door", policy: .default)
        let loud = speaker.receive(.volume(VolumeCommand(percent: 100)), on: overlay.control)
        #expect(loud.messages == [.unsupported(type: "volume")] && loud.count == 1)
        let late = speaker.receive(.outputDelay(milliseconds: 5), on: overlay.control)
        #expect(late.messages == [.unsupported(type: "outputDelay")] && late.count == 1)
        #expect(speaker.session.overlays == [0])
    }

    @Test func moreOverlaysThanThereIsRoomForAreTurnedAway() {
        var speaker = SpeakerHarness()
        _ = speaker.connect("desk")
        let overlays = (0..<WireLimits.overlays).map { speaker.connect("door \($0)", policy: .default) }
        #expect(speaker.session.overlays == Array(0..<WireLimits.overlays))
        let next = Hello(role: .control, senderID: "bell", senderName: "", policy: .default)
        let third = speaker.open()
        let effects = speaker.receive(.hello(next), on: third)
        #expect(effects.messages == [.failure(code: "busy", message: "other announcements are playing here")])
        #expect(effects.closed == [third])
        // The slot of one that has left is free, and so is that of one that says nothing any more.
        _ = speaker.session.closed(overlays[0].control, now: speaker.now)
        #expect(speaker.receive(.hello(next), on: speaker.open()) == [.overlay(0, .senderArrived(next))])
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout)
        let late = Hello(role: .control, senderID: "late", senderName: "", policy: .default)
        #expect(speaker.receive(.hello(late), on: speaker.open()).last == .overlay(0, .senderArrived(late)))
    }

    @Test func anOwnerComesToARoomWithOverlaysAndNeitherIsDisturbed() {
        var speaker = SpeakerHarness()
        let overlay = speaker.connect("door", policy: .default)
        let hello = Hello(role: .control, senderID: "desk", senderName: "", stream: 9)
        #expect(speaker.receive(.hello(hello), on: speaker.open()) == [.senderArrived(hello)])
        // Not even when both have the same name.
        let twin = Hello(role: .control, senderID: "door", senderName: "", stream: 3)
        #expect(speaker.receive(.hello(twin), on: speaker.open()).messages.count == 1)
        #expect(speaker.receive(.end(media: .zero), on: overlay.control) == [.overlay(0, .end(media: .zero))])
    }

    @Test func aOverlayThatBreaksTheRulesHarmsItselfAlone() throws {
        var speaker = SpeakerHarness()
        let owner = speaker.connect("desk")
        _ = speaker.receive(.format(id: 1, try flac()), on: owner.control)
        var random = SplitMix64(seed: 8)
        for round in 0..<300 {
            let overlay = speaker.connect("door", policy: .default)
            var bytes = random.bytes(Int.random(in: 5...60, using: &random))
            if Bool.random(using: &random) { bytes = [0, 0, 0, UInt8(bytes.count), UInt8(round % 3)] + bytes }
            let target = Bool.random(using: &random) ? overlay.control : overlay.media
            let effects = speaker.receive(bytes, on: target)
            #expect(effects.closed.allSatisfy { $0 == overlay.control || $0 == overlay.media })
            #expect(effects.delivered == [])
            _ = speaker.session.closed(overlay.control, now: speaker.now)
        }
        #expect(speaker.session.overlays == [])
        #expect(speaker.receive(SpeakerHarness.packet(480), on: owner.media).delivered == [480])
    }

    @Test func aOverlayIsLostWithEitherConnectionAndWhenItIsSilent() {
        var speaker = SpeakerHarness()
        let first = speaker.connect("door", policy: .default)
        let lost = speaker.session.closed(first.media, now: speaker.now)
        #expect(Set(lost.closed) == [first.control, first.media])
        #expect(lost.last == .overlay(0, .senderLost(reason: "the connection was closed")))
        let second = speaker.connect("door", policy: .default)
        #expect(speaker.session.deadline == speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout))
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout)
        let silent = speaker.session.expired(now: speaker.now)
        #expect(silent.closed == [second.control, second.media])
        #expect(silent.last == .overlay(0, .senderLost(reason: "no message for 10 s")))
        // It comes back as a new one.
        _ = speaker.connect("door", policy: .default)
        #expect(speaker.session.overlays == [0])
    }

    @Test func aOverlayCanBeSentAway() {
        var speaker = SpeakerHarness()
        let owner = speaker.connect("desk")
        let overlay = speaker.connect("door", policy: .default)
        let effects = speaker.session.dismiss(.overlay(0), code: "busy", message: "later")
        #expect(effects.messages == [.failure(code: "busy", message: "later")])
        #expect(effects.closed == [overlay.control, overlay.media])
        #expect(effects.last == .overlay(0, .senderLost(reason: "later")))
        #expect(speaker.session.dismiss(.overlay(1), code: "busy", message: "later") == [])
        #expect(speaker.receive(.ping, on: owner.control) == [])
    }
}

extension [SpeakerEffect] {
    /// Presentation times of what overlays deliver, in frames.
    fileprivate var deliveredByOverlays: [Int64] {
        compactMap { if case .overlay(_, let effect) = $0 { effect } else { nil } }.delivered
    }
}
