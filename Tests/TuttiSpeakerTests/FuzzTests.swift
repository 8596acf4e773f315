import TestSupport
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiSpeaker
import TuttiWire

/// What a hostile peer can say, said to the machines without sockets and to a whole speaker. A failure is the end of
/// the process; the seed was printed.
@Suite(.serialized) struct FuzzTests {
    @Test(arguments: [1, 2] as [UInt64]) func aSpeakerWithoutSocketsStandsWhateverItIsTold(seed: UInt64) {
        let run = FuzzRun("a speaker's session and its sound", seed: seed)
        var peer = FuzzingPeer(run.random)
        var speaker = FuzzedSpeaker()
        var sessions = 0
        while !run.isOver {
            speaker.connect()
            peer.restart()
            sessions += 1
            speaker.begin(&peer.values)
            for _ in 0..<400 where speaker.isConnected {
                for _ in 0..<(peer.values.once(in: 3) ? 12 : 1) { speaker.hear(media: peer.media()) }
                speaker.hear(control: peer.control())
                speaker.play(&peer.values)
            }
            // The stream's limits hold whatever was said.
            #expect(speaker.heldBytes <= FuzzedSpeaker.maximumBytes + (2 << 20))
        }
        #expect(sessions > 0 && speaker.delivered > 0 && speaker.started > 0)
    }

    @Test func aSenderWithoutSocketsStandsWhateverItIsTold() {
        var run = FuzzRun("a sender's session", seed: 3)
        var values = HostileValues(run.random)
        var welcomed = 0
        while !run.isOver {
            var session = SenderSession(
                senderID: "a", senderName: "a", streamID: 1, generation: UInt32(truncatingIfNeeded: values.edge()))
            var now = HostTime(nanoseconds: Int64(run.random.next() >> 3))
            _ = session.controlOpened(now: now)
            for _ in 0..<200 where session.isControlOpen {
                let effects = session.controlReceived(Self.speakerFrame(&values), now: now)
                for case .openMedia in effects {
                    welcomed += 1
                    _ = session.mediaOpened(now: now)
                }
                if values.once(in: 5) { _ = session.flush(from: values.once(in: 2) ? nil : .zero, now: now) }
                _ = session.allows(payloadBytes: 1 << 20, presentation: .zero)
                now = now.advanced(byNanoseconds: values.number(0...1_000_000_000))
                _ = session.poll(now: now)
            }
        }
        #expect(welcomed > 0)
    }

    /// What a speaker says, mostly.
    private static func speakerFrame(_ values: inout HostileValues) -> [UInt8] {
        let time = values.time(near: 100)
        let ranges = values.once(in: 3) ? "[[\(values.edge()),1,\(values.edge()),1]]" : "[[0,1,5,1]]"
        let number = values.once(in: 8) ? values.json() : "5"
        let clock = "\"clockTime\":\(values.edge(in: -(1 << 61)...(1 << 61))),\"clockTimescale\":\"0000000000000007\""
        let body = values.one(of: [
            "{\"type\":\"welcome\",\"id\":\"k\",\"name\":\"k\",\"version\":1,\"session\":\"1\",\"bufferSeconds\":\(number),\"bufferBytes\":5,"
                + "\"generation\":\(values.number(0...Int64(UInt32.max))),\"loaded\":\(ranges),\(clock)}",
            "{\"type\":\"credit\",\"bytes\":\(values.edge(in: 0...Int64.max)),\"horizon\":\(time)}",
            "{\"type\":\"status\",\"state\":\"playing\",\"position\":\(time),\"leadMs\":\(number),\"stalls\":\(number)}",
            "{\"type\":\"flushed\",\"generation\":\(values.number(0...3)),\"loaded\":\(ranges)}",
            "{\"type\":\"event\",\"kind\":\"x\",\"message\":\"\\u001b[2J\"}", "{\"type\":\"unheard of\"}",
        ])
        return Frame.header(.control, bodyCount: body.utf8.count) + Array(body.utf8)
    }

    @Test func aMemberOfAClockStandsWhateverItIsTold() {
        var run = FuzzRun("a member of a clock", seed: 4)
        var peer = FuzzingPeer(run.random)
        let scale = TimescaleID(rawValue: 7)
        while !run.isOver {
            var member = ClockMember<Int>(seed: run.random.next())
            var now = HostTime(nanoseconds: peer.values.edge(in: 0...(1 << 61)))
            member.follow(scale, parents: [1, 2], behind: [3], now: now)
            member.isSounding = peer.values.once(in: 2)
            for _ in 0..<500 {
                if peer.values.once(in: 50) {
                    // Another order, with members that are named again and again.
                    let order = (0..<Int(peer.values.number(0...70))).map { _ in Int(peer.values.number(0...9)) }
                    let place = Int(peer.values.number(0...Int64(order.count)))
                    member.follow(scale, parents: Array(order[..<place]), behind: Array(order[place...]), now: now)
                }
                var asked = 0
                while let request = member.poll(now: now) {
                    asked += 1
                    guard asked < 1_000 else {
                        Issue.record("a member asks without end")
                        break
                    }
                    member.sent(request, key: UInt32(truncatingIfNeeded: run.random.next()), userTime: now)
                    guard peer.values.once(in: 2), let asked = try? TimingMessage(parsing: request.bytes) else {
                        continue
                    }
                    // An answer to just this question.
                    var reply = TimingMessage(
                        replyTo: asked, t2: peer.values.edge(in: -(1 << 61)...(1 << 61)),
                        hold: UInt32(clamping: peer.values.edge()))
                    reply.descent = ClockDescent(losses: 0, leader: UInt32(truncatingIfNeeded: peer.values.edge()))
                    now = now.advanced(byNanoseconds: 2_000_000)
                    _ = member.received(reply.encode(), from: request.address, at: now, now: now)
                }
                if let answer = member.received(
                    peer.datagram(), from: Int(peer.values.number(0...5)), at: now, now: now)
                {
                    member.sent(answer, key: 1, userTime: now)
                    member.transmitted(key: 1, at: now)
                }
                _ = (member.estimate?.groupTime(at: now), member.statistics(now: now))
                if peer.values.once(in: 100) { member.slept(for: peer.values.edge(in: 0...(1 << 61)), now: now) }
                now = now.advanced(byNanoseconds: peer.values.number(0...50_000_000))
            }
        }
    }

    @Test func aWholeSpeakerAnswersAfterAllThat() async throws {
        try await withSpeaker { service, _ in
            var run = FuzzRun("a whole speaker", seed: 5)
            let clock = HostClock()
            let udp = try TimestampedUDPSocket(address: nil, port: 0, clock: clock)
            var (round, sounded) = (0, false)
            while !run.isOver {
                round += 1
                let control = try #require(TestConnection(port: service.port), "nobody listens any more")
                let policy: RouteSharingPolicy = round % 3 == 0 ? .default : .longForm
                let welcome = try #require(
                    control.greet(sender: "fuzz", policy: policy), "no welcome in round \(round)")
                let media = try #require(TestConnection(port: service.port))
                media.send(.hello(Hello(role: .media, senderID: "fuzz", senderName: "", session: welcome.session)))
                var peer = FuzzingPeer(SplitMix64(seed: run.random.next()))
                let target = try #require(welcome.clockPort.flatMap { SocketAddress(host: "127.0.0.1", port: $0) })
                for _ in 0..<40 {
                    media.send((0..<20).flatMap { _ in peer.media() })
                    control.send(peer.control())
                    _ = udp.send(peer.datagram(), to: target)
                }
                try await Task.sleep(for: .milliseconds(20))
                sounded = true
            }
            #expect(sounded)
            let after = try #require(TestConnection(port: service.port))
            #expect(after.greet(sender: "fuzz") != nil)
        }
    }
}
