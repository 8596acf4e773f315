import Testing
import TuttiClock
import TuttiCore

/// Ten thousand bad datagrams a second for a minute, at both ends: the estimate is the same to the last bit.
struct HostileFloodTests {
    private static let rate = 10_000

    /// What an attacker who cannot read requests sends, one kind after the other.
    private func forgery(_ number: Int, like genuine: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = genuine
        switch number % 10 {
        case 0: return (0..<64).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        case 1: return Array(genuine.prefix(Int(generator.next() % 64)))
        case 2: return genuine + genuine
        // A replay of a genuine reply.
        case 3: return genuine
        // Another timescale, another version, another kind.
        case 4: bytes[8] ^= 0x40
        case 5: bytes[2] = UInt8(truncatingIfNeeded: generator.next()) | 0x20
        // Guessed sequence numbers, the client and all else right.
        case 6: bytes[7] &+= UInt8(1 + generator.next() % 200)
        // Absurd stamps: far future, the ends of Int64, the epoch.
        case 7: bytes.replaceSubrange(32..<40, with: [[0x7F], [0x80], [0x1F], [0]][number / 10 % 4] + genuine[33..<40])
        // A guessed t1 and client.
        case 8: bytes.replaceSubrange(16..<32, with: (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        // Holds beyond a second.
        default: bytes.replaceSubrange(40..<48, with: [UInt8](repeating: 0xFF, count: 8))
        }
        return bytes
    }

    @Test func aFloodAtTheFollowerMovesNothing() throws {
        var quiet = ExchangeSimulation(.lan, ppm: 20, seed: 31, seconds: 80)
        var flooded = quiet
        var generator = SeededGenerator(99)
        for simulation in [20e9, 20.05e9] {
            quiet.run(until: simulation)
            flooded.run(until: simulation)
        }
        let ignored = flooded.follower.statistics.ignored
        var sent = 0
        while sent < 60 * Self.rate {
            for _ in 0..<500 {
                let time = 20.05e9 + Double(sent) * 1e9 / Double(Self.rate)
                let bytes = forgery(sent, like: flooded.lastReceived, &generator)
                let outcome = flooded.follower.received(bytes, at: flooded.hostTime(time), now: flooded.hostTime(time))
                guard case .ignored = outcome else { throw Believed(outcome: outcome) }
                sent += 1
            }
            let time = 20.05e9 + Double(sent) * 1e9 / Double(Self.rate)
            quiet.run(until: time)
            flooded.run(until: time)
            #expect(flooded.follower.estimate == quiet.follower.estimate)
        }
        #expect(flooded.follower.deadline == quiet.follower.deadline)
        #expect(flooded.follower.statistics.ignored - ignored == sent)
        #expect(flooded.follower.statistics.accepted == quiet.follower.statistics.accepted)
        #expect(flooded.follower.statistics.resets == 0)
    }

    private struct Believed: Error { let outcome: ClockFollower.Outcome }

    @Test func aFloodAtTheLeaderMovesNothing() {
        var quiet = ExchangeSimulation(.lan, ppm: -20, seed: 32, seconds: 80)
        var flooded = quiet
        var generator = SeededGenerator(98)
        quiet.run(until: 5e9)
        flooded.run(until: 5e9)
        let answered = flooded.responder.statistics.answered
        var sent = 0
        while sent < 60 * Self.rate {
            for _ in 0..<500 {
                let time = flooded.hostTime(5e9 + Double(sent) * 1e9 / Double(Self.rate))
                let bytes = forgery(sent, like: flooded.lastReceived, &generator)
                // Replies sent back to the leader, and worse.
                let reply = flooded.responder.received(bytes, from: generator.next(), at: time, now: time)
                if reply != nil { Issue.record("answered") }
                sent += 1
            }
            let time = 5e9 + Double(sent) * 1e9 / Double(Self.rate)
            quiet.run(until: time)
            flooded.run(until: time)
            #expect(flooded.follower.estimate == quiet.follower.estimate)
        }
        #expect(quiet.responder.statistics.answered == flooded.responder.statistics.answered)
        #expect(flooded.responder.statistics.answered > answered)
        let counted = flooded.responder.statistics.malformed + flooded.responder.statistics.wrongTimescale
        #expect(counted == sent)
    }

    /// Valid requests at such a rate: the budget of each address is kept, the honest follower is served on.
    @Test func aGreedyNeighbourTakesNothingFromOthers() {
        var quiet = ExchangeSimulation(.lan, ppm: -20, seed: 33, seconds: 40)
        var flooded = quiet
        for second in 1...20 {
            for number in 0..<2_000 as Range<UInt32> {
                let time = flooded.leaderTime(Double(second) * 1e9)
                let request = TimingMessage(
                    requestOn: ExchangeSimulation.timescale, clientID: 9, sequence: number, t1: 0)
                _ = flooded.responder.received(request.encode(), from: 666, at: time, now: time)
            }
            quiet.run(until: Double(second) * 1e9)
            flooded.run(until: Double(second) * 1e9)
        }
        #expect(flooded.follower.estimate == quiet.follower.estimate)
        #expect(flooded.responder.statistics.limited > 38_000)
    }

    /// Replies held back by someone in the path: late ones are slow exchanges, later ones are none.
    @Test func genuineRepliesReplayedLateMoveNothing() throws {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 34, seconds: 60)
        var captured: [[UInt8]] = []
        for step in 0..<200 {
            let time = 10e9 + Double(step) * 0.1e9
            simulation.run(until: time)
            captured.append(simulation.lastReceived)
            let before = simulation.follower.estimate
            for reply in captured.suffix(20) {
                let outcome = simulation.follower.received(
                    reply, at: simulation.hostTime(time), now: simulation.hostTime(time))
                #expect(outcome == .ignored(.unknownSequence))
            }
            #expect(simulation.follower.estimate == before)
        }
        #expect(abs(try #require(simulation.error(at: 30e9))) < 3_000)
    }
}
