import Testing
import TuttiCore
import TuttiWire

@Suite struct SpeakerSessionTests {
    private func flac() throws -> AudioFormat {
        try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
    }

    @Test func helloIsAnsweredWithWelcome() throws {
        var speaker = SpeakerHarness()
        let control = speaker.open()
        let hello = Hello(role: .control, senderID: "desk", senderName: "Desk", stream: 9)
        #expect(speaker.receive(.hello(hello), on: control) == [.senderArrived(hello)])
        let messages = speaker.session.accept(SpeakerHarness.welcome).messages
        guard case .welcome(let welcome) = try #require(messages.first) else {
            Issue.record("no welcome")
            return
        }
        #expect(welcome.session == "000000000000feed" && welcome.generation == 0)
        #expect(speaker.session.senderID == "desk")
    }

    @Test func whoeverOnlyLooksTakesNoSlot() {
        var speaker = SpeakerHarness()
        let first = speaker.connect()
        let hello = ControlMessage.hello(Hello(role: .look, senderID: "look", senderName: ""))
        let second = speaker.open()
        #expect(speaker.receive(hello, on: second) == [.looked(second, Look(), version: WireLimits.version)])
        #expect(speaker.receive(.goodbye(reason: ""), on: second).isEmpty)
        #expect(speaker.session.senderID == "desk")
        #expect(speaker.receive(.end(media: .zero), on: first.control) == [.end(media: .zero)])
        let old = ControlMessage.hello(Hello(role: .look, version: 2, senderID: "look", senderName: ""))
        let third = speaker.open()
        #expect(speaker.receive(old, on: third).closed == [third])
    }

    @Test func otherFirstMessagesCloseTheConnection() {
        var speaker = SpeakerHarness()
        for message in [ControlMessage.ping, .goodbye(reason: ""), .unknown(type: "dance")] {
            let connection = speaker.open()
            #expect(speaker.receive(message, on: connection).closed == [connection])
        }
        let connection = speaker.open()
        #expect(speaker.receive(SpeakerHarness.packet(), on: connection).closed == [connection])
    }

    @Test func otherVersionsAreToldSo() {
        var speaker = SpeakerHarness()
        let connection = speaker.open()
        let effects = speaker.receive(
            .hello(Hello(role: .control, version: 2, senderID: "x", senderName: "")), on: connection)
        guard case .failure(let code, _)? = effects.messages.first else {
            Issue.record("no failure")
            return
        }
        #expect(code == "version" && effects.closed == [connection])
    }

    @Test func aSecondSenderIsTurnedAway() {
        var speaker = SpeakerHarness()
        let first = speaker.connect()
        let second = speaker.open()
        let hello = ControlMessage.hello(Hello(role: .control, senderID: "other", senderName: ""))
        let effects = speaker.receive(hello, on: second)
        #expect(effects.messages == [.failure(code: "busy", message: "another sender plays here")])
        #expect(effects.closed == [second])
        #expect(speaker.receive(.end(media: .zero), on: first.control) == [.end(media: .zero)])
    }

    @Test func whomAPersonHasAskedForTakesTheRoom() {
        var speaker = SpeakerHarness()
        let first = speaker.connect()
        let second = speaker.open()
        let hello = Hello(role: .control, senderID: "other", senderName: "tablet", isClaim: true)
        let effects = speaker.receive(.hello(hello), on: second)
        #expect(effects.messages == [.failure(code: "taken", message: "tablet plays here now")])
        #expect(effects.closed == [first.control, first.media])
        #expect(effects.last == .senderArrived(hello))
        // The one that had to go comes by itself.
        let again = speaker.open()
        let back = Hello(role: .control, senderID: "desk", senderName: "", stream: 9)
        #expect(
            speaker.receive(.hello(back), on: again).messages
                == [.failure(code: "busy", message: "another sender plays here")])
    }

    @Test func aSecondSenderTakesOverFromASilentOne() {
        var speaker = SpeakerHarness()
        let first = speaker.connect()
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout)
        let second = speaker.open()
        let hello = Hello(role: .control, senderID: "other", senderName: "")
        let effects = speaker.receive(.hello(hello), on: second)
        #expect(effects.closed == [first.control, first.media])
        #expect(effects.last == .senderArrived(hello))
    }

    @Test func theSameSenderReplacesItsConnectionsAndKeepsItsGeneration() throws {
        var speaker = SpeakerHarness()
        let old = speaker.connect()
        _ = speaker.receive(.flush(generation: 5, from: nil), on: old.control)
        let control = speaker.open()
        let hello = Hello(role: .control, senderID: "desk", senderName: "", stream: 9)
        let effects = speaker.receive(.hello(hello), on: control)
        #expect(effects.closed == [old.control, old.media])
        #expect(effects.last == .senderArrived(hello))
        #expect(speaker.session.generation == 5)
        #expect(speaker.receive(.ping, on: old.control) == [])
        #expect(speaker.session.closed(old.control, now: speaker.now) == [])
        _ = speaker.session.closed(control, now: speaker.now)
        _ = speaker.connect("desk", stream: 10)
        #expect(speaker.session.generation == 0)
    }

    @Test func anOlderProgrammeOfTheSameSenderIsToldToStayAway() {
        var speaker = SpeakerHarness()
        let old = speaker.connect("desk", stream: 9)
        let control = speaker.open()
        let hello = Hello(role: .control, senderID: "desk", senderName: "", stream: 10)
        let effects = speaker.receive(.hello(hello), on: control)
        guard case .send(_, let target)? = effects.first, case .failure(let code, _)? = effects.messages.first else {
            Issue.record("nothing was said")
            return
        }
        #expect(target == old.control && code == "replaced")
        #expect(effects.closed == [old.control, old.media] && effects.last == .senderArrived(hello))
    }

    @Test func mediaNeedsTheToken() {
        var speaker = SpeakerHarness()
        _ = speaker.connect()
        for token in ["", "000000000000feee", nil] {
            let connection = speaker.open()
            let hello = Hello(role: .media, senderID: "desk", senderName: "", session: token)
            let effects = speaker.receive(.hello(hello), on: connection)
            #expect(effects.messages == [.failure(code: "session", message: "no such session")])
            #expect(effects.closed == [connection])
        }
    }

    @Test func olderGenerationsAreDroppedOnArrival() throws {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        _ = speaker.receive(.format(id: 1, try flac()), on: control)
        #expect(speaker.receive(SpeakerHarness.packet(480), on: media).delivered == [480])
        #expect(
            speaker.receive(.flush(generation: 1, from: .zero), on: control) == [.flush(generation: 1, from: .zero)])
        #expect(speaker.receive(SpeakerHarness.packet(960), on: media) == [])
        #expect(speaker.receive(SpeakerHarness.packet(0, generation: 1), on: media).delivered == [0])
        #expect(speaker.receive(SpeakerHarness.packet(0, generation: 1, stream: 8), on: media) == [])
        #expect(speaker.session.flushed(generation: 1, loaded: []).messages == [.flushed(generation: 1, loaded: [])])
    }

    @Test func mediaWaitForTheirFormatAndFlush() throws {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        let early =
            SpeakerHarness.packet(0) + SpeakerHarness.packet(480, generation: 1)
            + SpeakerHarness.packet(960, generation: 1)
        #expect(speaker.receive(early, on: media) == [.pauseReading(media)])
        #expect(speaker.receive(.format(id: 1, try flac()), on: control).delivered == [0])
        let effects = speaker.receive(.flush(generation: 1, from: nil), on: control)
        #expect(effects.first == .flush(generation: 1, from: nil))
        #expect(effects.delivered == [480, 960])
        #expect(effects.last == .resumeReading(media))
    }

    @Test func mediaThatWaitInVainEndTheSession() {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        _ = speaker.session.grant(freeBytes: 1 << 30, horizon: nil)
        var effects: [SpeakerEffect] = []
        for _ in 0..<6 { effects += speaker.receive(SpeakerHarness.packet(bytes: 1_000_000), on: media) }
        #expect(Set(effects.closed) == [control, media])
    }

    @Test func creditIsCumulativeAndEnforced() throws {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        _ = speaker.receive(.format(id: 1, try flac()), on: control)
        #expect(speaker.receive(SpeakerHarness.packet(bytes: 1 << 19), on: media).delivered == [0])
        #expect(speaker.session.grant(freeBytes: 1 << 19, horizon: nil) == [])
        let more = speaker.session.grant(freeBytes: 1 << 20, horizon: .zero).messages
        #expect(more == [.credit(Credit(bytes: 3 << 19, horizon: .zero))])
        #expect(speaker.session.grant(freeBytes: 0, horizon: .zero) == [])
        #expect(speaker.receive(SpeakerHarness.packet(bytes: 1 << 19), on: media).delivered == [0])
        #expect(speaker.receive(SpeakerHarness.packet(bytes: 1 << 19), on: media).delivered == [0])
        let effects = speaker.receive(SpeakerHarness.packet(bytes: 1), on: media)
        #expect(Set(effects.closed) == [control, media] && effects.delivered == [])
    }

    @Test func aConnectionWithoutHelloIsClosedInTime() {
        var speaker = SpeakerHarness()
        let connection = speaker.open()
        #expect(speaker.session.deadline == speaker.now.advanced(byNanoseconds: WireLimits.helloTimeout))
        #expect(speaker.session.expired(now: speaker.now) == [])
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.helloTimeout)
        #expect(speaker.session.expired(now: speaker.now).closed == [connection])
        #expect(speaker.session.deadline == nil)
    }

    @Test func aSilentSenderIsLost() {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout - 1)
        #expect(speaker.receive(.ping, on: control) == [] && speaker.session.expired(now: speaker.now) == [])
        speaker.now = speaker.now.advanced(byNanoseconds: WireLimits.silenceTimeout)
        let effects = speaker.session.expired(now: speaker.now)
        #expect(effects.closed == [control, media])
        #expect(effects.last == .senderLost(reason: "no message for 10 s"))
    }

    @Test func ofTooManyNamelessConnectionsTheOldestGoes() {
        var speaker = SpeakerHarness()
        let silent = (0..<WireLimits.anonymousConnections).map { _ in speaker.open() }
        let last = ConnectionID(rawValue: 99)
        #expect(speaker.session.opened(last, now: speaker.now).closed == [silent[0]])
        let hello = ControlMessage.hello(Hello(role: .control, senderID: "desk", senderName: "", stream: 1))
        #expect(speaker.receive(hello, on: last).contains { if case .senderArrived = $0 { true } else { false } })
        #expect(speaker.receive(hello, on: silent[0]) == [])
    }

    @Test func whoeverSaysNothingFromOneHostLocksNobodyOutOnAnother() {
        var speaker = SpeakerHarness()
        let sender = speaker.open(from: "10.0.0.2")
        // However many more come before the sender has said its hello.
        for _ in 0..<1_000 { _ = speaker.open(from: "10.0.0.66") }
        let hello = ControlMessage.hello(Hello(role: .control, senderID: "desk", senderName: "", stream: 1))
        #expect(speaker.receive(hello, on: sender).contains { if case .senderArrived = $0 { true } else { false } })
    }

    @Test func whoeverDoesNotReadIsLeft() {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        let effects = speaker.session.unread(control)
        #expect(effects.closed == [control, media] && effects.count == 3)
        #expect(effects.first == .abandon(control, reason: "the other side does not read its messages"))
        #expect(speaker.session.senderID == nil)
    }

    @Test func goodbyeIsToldFromALostConnection() {
        var speaker = SpeakerHarness()
        let first = speaker.connect()
        let left = speaker.receive(.goodbye(reason: "done"), on: first.control)
        #expect(left.last == .senderLeft(reason: "done") && left.closed == [first.control, first.media])
        #expect(left.messages == [.event(kind: "farewell", message: "done")])
        let second = speaker.connect()
        let lost = speaker.session.closed(second.media, now: speaker.now)
        #expect(lost.last == .senderLost(reason: "the connection was closed"))
        #expect(Set(lost.closed) == [second.control, second.media])
    }

    @Test func unknownTypesAreAnsweredAndForeignOnesClose() throws {
        var speaker = SpeakerHarness()
        let (control, _) = speaker.connect()
        let body = Array(#"{"type":"dance"}"#.utf8)
        let bytes = Frame.header(.control, bodyCount: body.count) + body
        #expect(speaker.receive(bytes, on: control).messages == [.unsupported(type: "dance")])
        #expect(speaker.receive(.status(SpeakerStatus(state: .idle)), on: control).closed.contains(control))
    }

    @Test func strangersCannotHarmTheSession() throws {
        var speaker = SpeakerHarness()
        let (control, media) = speaker.connect()
        _ = speaker.receive(.format(id: 1, try flac()), on: control)
        var random = SplitMix64(seed: 5)
        for round in 0..<500 {
            let stranger = speaker.open()
            var bytes = random.bytes(Int.random(in: 5...60, using: &random))
            if Bool.random(using: &random) { bytes = [0, 0, 0, UInt8(bytes.count), UInt8(round % 3)] + bytes }
            let effects = speaker.receive(bytes, on: stranger)
            #expect(effects.closed.allSatisfy { $0 == stranger })
            #expect(speaker.session.closed(stranger, now: speaker.now).closed.allSatisfy { $0 == stranger })
        }
        #expect(speaker.receive(SpeakerHarness.packet(480), on: media).delivered == [480])
    }
}
