import Testing
import TuttiCore
import TuttiWire

@Suite struct SenderSessionTests {
    private var now: HostTime { HostTime(nanoseconds: 5_000_000_000) }

    private func messages(_ effects: [SenderEffect]) -> [ControlMessage] {
        effects.compactMap { (effect) -> ControlMessage? in
            switch effect {
            case .sendControl(let bytes), .sendMedia(let bytes):
                return try? ControlMessage(parsing: [UInt8](bytes.dropFirst(Frame.headerBytes)))
            default: return nil
            }
        }
    }

    private func welcome(generation: UInt32 = 0, loaded: [TimeRange] = []) -> Welcome {
        var welcome = SpeakerHarness.welcome
        welcome.session = "feed"
        welcome.generation = generation
        welcome.loaded = loaded
        return welcome
    }

    private func connected() -> SenderSession {
        var session = SenderSession(senderID: "desk", senderName: "Desk", streamID: 9)
        _ = session.controlOpened(now: now)
        _ = session.controlReceived(ControlMessage.welcome(welcome()).encodedFrame(), now: now)
        _ = session.mediaOpened(now: now)
        return session
    }

    private func buffer(_ frame: Int64, bytes: Int = 100) throws -> SampleBuffer {
        let format = try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        return try #require(
            SampleBuffer(
                format: format, presentationTime: MediaTime(frame: frame, sampleRate: 48_000), frameCount: 480,
                data: [UInt8](repeating: 0, count: bytes)))
    }

    @Test func connectionsComeUpInOrder() {
        var session = SenderSession(senderID: "desk", senderName: "Desk", streamID: 9)
        #expect(
            messages(session.controlOpened(now: now)) == [
                .hello(Hello(role: .control, senderID: "desk", senderName: "Desk", stream: 9))
            ])
        let answer = session.controlReceived(ControlMessage.welcome(welcome()).encodedFrame(), now: now)
        #expect(answer == [.openMedia(welcome())])
        #expect(!session.isMediaOpen)
        #expect(
            messages(session.mediaOpened(now: now)) == [
                .hello(Hello(role: .media, senderID: "desk", senderName: "Desk", session: "feed"))
            ])
        #expect(session.isMediaOpen)
    }

    @Test func nothingIsSentBeyondTheCredit() throws {
        var session = connected()
        #expect(!session.allows(payloadBytes: 1, presentation: .zero))
        let horizon = MediaTime(frame: 960, sampleRate: 48_000)
        let credit = ControlMessage.credit(Credit(bytes: 250, horizon: horizon)).encodedFrame()
        #expect(session.controlReceived(credit, now: now) == [.creditGranted])
        for _ in 0..<2 {
            #expect(session.allows(payloadBytes: 100, presentation: .zero))
            _ = session.packetHeader(for: try buffer(0), formatID: 1)
        }
        #expect(!session.allows(payloadBytes: 100, presentation: .zero))
        #expect(session.allows(payloadBytes: 50, presentation: .zero))
        #expect(!session.allows(payloadBytes: 50, presentation: horizon))
    }

    @Test func aFlushHoldsPacketsUntilItsAnswer() throws {
        var session = connected()
        _ = session.controlReceived(ControlMessage.credit(Credit(bytes: 250, horizon: nil)).encodedFrame(), now: now)
        #expect(messages(session.flush(from: nil, now: now)) == [.flush(generation: 1, from: nil)])
        #expect(messages(session.flush(from: .zero, now: now)) == [.flush(generation: 2, from: .zero)])
        #expect(!session.allows(payloadBytes: 1, presentation: .zero))
        #expect(
            session.controlReceived(ControlMessage.flushed(generation: 1, loaded: []).encodedFrame(), now: now) == [])
        let loaded = [TimeRange(start: .zero, end: MediaTime(frame: 5, sampleRate: 1))]
        let answer = ControlMessage.flushed(generation: 2, loaded: loaded).encodedFrame()
        #expect(session.controlReceived(answer, now: now) == [.flushed(loaded: loaded)])
        #expect(session.allows(payloadBytes: 1, presentation: .zero))
        let header = session.packetHeader(for: try buffer(0), formatID: 1)
        #expect(try MediaPacket(parsing: Array(header.dropFirst(5))).generation == 2)
    }

    @Test func audioOfAnotherGenerationIsFlushedOnReturn() {
        var session = connected()
        _ = session.flush(from: nil, now: now)
        session.closed()
        _ = session.controlOpened(now: now)
        let loaded = [TimeRange(start: .zero, end: MediaTime(frame: 5, sampleRate: 1))]
        let stale = session.controlReceived(
            ControlMessage.welcome(welcome(generation: 0, loaded: loaded)).encodedFrame(), now: now)
        #expect(messages(stale) == [.flush(generation: 2, from: nil)])
        #expect(session.welcome?.loaded == [])
        session.closed()
        _ = session.controlOpened(now: now)
        let kept = session.controlReceived(
            ControlMessage.welcome(welcome(generation: 2, loaded: loaded)).encodedFrame(), now: now)
        #expect(kept == [.openMedia(welcome(generation: 2, loaded: loaded))])
    }

    @Test func creditThatComesWithTheAnswerToAFlushWaitsForIt() {
        var session = connected()
        _ = session.flush(from: nil, now: now)
        let credit = ControlMessage.credit(Credit(bytes: 250, horizon: nil)).encodedFrame()
        let answer = ControlMessage.flushed(generation: 1, loaded: []).encodedFrame()
        #expect(session.controlReceived(credit + answer + credit, now: now) == [.flushed(loaded: []), .creditGranted])
    }

    @Test func whatWasFlushedMeanwhileIsFlushedOnReturn() {
        var session = connected()
        session.closed()
        #expect(session.flush(from: MediaTime(frame: 3, sampleRate: 1), now: now) == [])
        #expect(session.flush(from: MediaTime(frame: 4, sampleRate: 1), now: now) == [])
        _ = session.controlOpened(now: now)
        let loaded = [TimeRange(start: .zero, end: MediaTime(frame: 5, sampleRate: 1))]
        let stale = session.controlReceived(
            ControlMessage.welcome(welcome(generation: 0, loaded: loaded)).encodedFrame(), now: now)
        // What lies before the first of the places is what it was, and is played on.
        let first = MediaTime(frame: 3, sampleRate: 1)
        #expect(messages(stale) == [.flush(generation: 3, from: first)])
        #expect(session.welcome?.loaded == [TimeRange(start: .zero, end: first)])
    }

    /// The speaker may hold what was flushed meanwhile: along a new line it would play that at another place.
    @Test func aLineIsNotToldBeforeTheWelcome() {
        var session = connected()
        session.closed()
        _ = session.controlOpened(now: now)
        let line = TimebaseCommand(
            rate: 1, media: .zero, group: GroupTime(nanoseconds: 5, timescale: TimescaleID(rawValue: 3)))
        #expect(session.send(.timebase(line), now: now) == [])
        #expect(session.send(.end(media: .zero), now: now) == [])
        #expect(session.flush(from: nil, now: now) == [])
        #expect(!session.isFlushing)
        let answer = session.controlReceived(ControlMessage.welcome(welcome()).encodedFrame(), now: now)
        #expect(messages(answer) == [.flush(generation: 2, from: nil)])
        #expect(messages(session.send(.timebase(line), now: now)) == [.timebase(line)])
    }

    @Test func moreFlushesThanAreRememberedDropEverything() {
        var session = connected()
        session.closed()
        for second in 0...Int64(SenderSession.flushMemory) {
            _ = session.flush(from: MediaTime(frame: second, sampleRate: 1), now: now)
        }
        _ = session.controlOpened(now: now)
        let stale = session.controlReceived(ControlMessage.welcome(welcome()).encodedFrame(), now: now)
        #expect(messages(stale) == [.flush(generation: UInt32(SenderSession.flushMemory) + 2, from: nil)])
    }

    @Test func aSessionGoesOnFromWhatWasWrittenDown() {
        let place = MediaTime(frame: 3, sampleRate: 1)
        var session = SenderSession(
            senderID: "desk", senderName: "Desk", streamID: 9, generation: 7,
            unanswered: [SenderSession.Flush(generation: 7, from: place)])
        _ = session.controlOpened(now: now)
        let loaded = [TimeRange(start: .zero, end: MediaTime(frame: 5, sampleRate: 1))]
        let behind = session.controlReceived(
            ControlMessage.welcome(welcome(generation: 6, loaded: loaded)).encodedFrame(), now: now)
        #expect(messages(behind) == [.flush(generation: 8, from: place)])
        #expect(!session.isBehind)
        session.closed()
        _ = session.controlOpened(now: now)
        let ahead = session.controlReceived(
            ControlMessage.welcome(welcome(generation: 11, loaded: loaded)).encodedFrame(), now: now)
        #expect(messages(ahead) == [] && session.isBehind && session.generation == 11)
    }

    @Test func aClaimIsMadeOnce() {
        var session = SenderSession(senderID: "desk", senderName: "Desk", streamID: 9)
        session.isClaim = true
        let hello = Hello(role: .control, senderID: "desk", senderName: "Desk", stream: 9, isClaim: true)
        #expect(messages(session.controlOpened(now: now)) == [.hello(hello)])
        _ = session.controlReceived(ControlMessage.welcome(welcome()).encodedFrame(), now: now)
        session.closed()
        var again = hello
        again.isClaim = false
        #expect(messages(session.controlOpened(now: now)) == [.hello(again)])
    }

    @Test func formatsAreAnnouncedOncePerConnection() throws {
        var session = connected()
        let format = try buffer(0).format
        #expect(messages(session.announce(format, id: 4, now: now)) == [.format(id: 4, format)])
        #expect(session.announce(format, id: 4, now: now) == [])
        let other = try #require(AudioFormat(codec: .mp3, sampleRate: 44_100, channelCount: 2, bitDepth: 16))
        #expect(messages(session.announce(other, id: 4, now: now)) == [.format(id: 4, other)])
        #expect(session.announce(format, id: 4, now: now).count == 1)
        session.closed()
        #expect(session.announce(format, id: 4, now: now) == [])
        _ = session.controlOpened(now: now)
        #expect(session.announce(format, id: 4, now: now).count == 1)
    }

    @Test func aSilentSpeakerIsGivenUpAndAQuietSenderPings() {
        var session = connected()
        #expect(session.poll(now: now) == [])
        let later = now.advanced(byNanoseconds: WireLimits.pingInterval)
        #expect(session.deadline == later)
        #expect(messages(session.poll(now: later)) == [.ping])
        #expect(session.poll(now: later) == [])
        let end = now.advanced(byNanoseconds: WireLimits.statusTimeout)
        #expect(session.poll(now: end) == [.close(reason: "no message for 5 s")])
        #expect(session.deadline == nil)
    }

    @Test func aSpeakerIsNotGivenUpForWhatThisHostDidNotRead() {
        var session = connected()
        let late = now.advanced(byNanoseconds: 3 * WireLimits.statusTimeout)
        session.wasHeldUp(now: late)
        #expect(messages(session.poll(now: late)) == [.ping])
        // A second to read in, and no more.
        let end = late.advanced(byNanoseconds: WireLimits.pingInterval)
        #expect(session.poll(now: end) == [.close(reason: "no message for 5 s")])
    }

    @Test func refusalsAndDisorderClose() {
        var refused = connected()
        let busy = ControlMessage.failure(code: "busy", message: "no").encodedFrame()
        #expect(
            refused.controlReceived(busy, now: now) == [.refused(code: "busy", message: "no"), .close(reason: "no")])
        #expect(!refused.isControlOpen)
        var early = SenderSession(senderID: "desk", senderName: "", streamID: 1)
        _ = early.controlOpened(now: now)
        let status = ControlMessage.status(SpeakerStatus(state: .idle)).encodedFrame()
        guard case .close? = early.controlReceived(status, now: now).last else {
            Issue.record("a status before welcome passed")
            return
        }
        var foreign = connected()
        guard case .close? = foreign.controlReceived(ControlMessage.ping.encodedFrame(), now: now).last else {
            Issue.record("a ping from a speaker passed")
            return
        }
        var media = connected()
        guard case .close? = media.mediaReceived([0, 0, 0, 2, 0, 0x7B, 0x7D], now: now).last else {
            Issue.record("a message on the media connection passed")
            return
        }
    }

    @Test func sendingResumesBehindWhatIsLoaded() {
        func time(_ seconds: Int64) -> MediaTime { MediaTime(frame: seconds, sampleRate: 1) }
        let loaded = [
            TimeRange(start: time(10), end: time(20)), TimeRange(start: time(20), end: time(30)),
            TimeRange(start: time(40), end: time(50)),
        ]
        #expect(SenderSession.resumePoint(after: loaded, playhead: time(15)) == time(30))
        #expect(SenderSession.resumePoint(after: loaded, playhead: time(35)) == time(35))
        #expect(SenderSession.resumePoint(after: [], playhead: time(35)) == time(35))
    }

    @Test func noiseNeverTraps() {
        var random = SplitMix64(seed: 6)
        let examples = (try? ControlMessageTests.examples()) ?? []
        for _ in 0..<3000 {
            var session = connected()
            var bytes = (0..<3).flatMap { _ in (examples.randomElement(using: &random) ?? .ping).encodedFrame() }
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            let effects = session.controlReceived(bytes, now: now)
            if case .close? = effects.last { #expect(!session.isControlOpen) }
            _ = session.mediaReceived(random.bytes(9), now: now)
            _ = session.poll(now: now)
        }
    }
}
