import Testing
import TuttiClock
import TuttiCore

/// Stamps of network interfaces in the clock exchange.
struct HardwareStampTests {
    /// An ordinary interface: 4 µs from the kernel's stamp to the wire, and on the way back 12 µs and what interrupts
    /// add.
    private static let driver = (send: 4_000.0, receive: 12_000.0, interrupt: 9_000.0)

    private func simulation(
        _ profile: NetworkProfile = .lan, seed: UInt64, host: StampKind, leader: StampKind, seconds: Int = 70
    ) -> ExchangeSimulation {
        var simulation = ExchangeSimulation(profile, ppm: Double(seed % 7) * 20 - 60, seed: seed, seconds: seconds)
        simulation.driver = Self.driver
        (simulation.hostStamps, simulation.leaderStamps) = (host, leader)
        return simulation
    }

    /// The value below which 99 % of the differences of neighbours lie, µs, between 5 and 15 s.
    private func pairs(_ profile: NetworkProfile, host: StampKind, leader: StampKind, count: UInt64 = 4) -> Double {
        let errors = (0..<count).map { seed in
            var simulation = simulation(profile, seed: seed, host: host, leader: leader)
            return stride(from: 5.0, to: 15, by: 0.5).map { time in
                simulation.run(until: time * 1e9)
                return (simulation.error(at: time * 1e9) ?? .infinity) / 1000
            }
        }
        let differences = errors.indices.flatMap { index in
            zip(errors[index], errors[(index + 1) % errors.count]).map { abs($0 - $1) }
        }
        return percentile(differences, 0.99)
    }

    @Test func hardwareStampsBringRoomsCloser() {
        let hardware = pairs(.direct, host: .hardware, leader: .hardware)
        let software = pairs(.direct, host: .kernel, leader: .kernel)
        #expect(hardware < software / 2)
        #expect(hardware < 1)
    }

    @Test func statisticsTellTheLesserKindOfEachDirection() {
        var simulation = simulation(seed: 1, host: .hardware, leader: .kernel)
        simulation.run(until: 2e9)
        #expect(simulation.follower.statistics.forwardStamps == .kernel)
        #expect(simulation.follower.statistics.returnStamps == .kernel)
        simulation = self.simulation(seed: 1, host: .hardware, leader: .hardware)
        simulation.run(until: 2e9)
        #expect(simulation.follower.statistics.forwardStamps == .hardware)
        #expect(simulation.follower.statistics.returnStamps == .hardware)
    }

    @Test func stampsThatAreMissingNowAndThenAreNotReplaced() {
        var simulation = simulation(.direct, seed: 5, host: .hardware, leader: .hardware)
        simulation.missing = 0.3
        simulation.run(until: 5e9)
        var worst = 0.0
        for time in stride(from: 5.0, to: 15, by: 0.5) {
            simulation.run(until: time * 1e9)
            worst = max(worst, abs(simulation.error(at: time * 1e9) ?? .infinity))
        }
        #expect(worst < 1_500)
        #expect(simulation.follower.statistics.unusualStamps > 20)
        #expect(simulation.follower.statistics.resets == 0)
    }

    /// One end after the other turns to hardware and back: what is known moves by no more than half of what the kinds
    /// differ by, and is as good as ever a little later.
    @Test(arguments: 1..<3 as Range<UInt64>) func aChangeOfKindIsNoStep(seed: UInt64) throws {
        var simulation = simulation(seed: seed, host: .kernel, leader: .kernel, seconds: 40)
        let turns: [(time: Double, host: StampKind, leader: StampKind)] = [
            (6, .hardware, .kernel), (12, .hardware, .hardware), (18, .kernel, .hardware), (24, .kernel, .kernel),
        ]
        var next = turns[...]
        var last = 0.0
        for time in stride(from: 4.0, to: 30, by: 0.1) {
            if let turn = next.first, time >= turn.time {
                (simulation.hostStamps, simulation.leaderStamps) = (turn.host, turn.leader)
                next.removeFirst()
            }
            simulation.run(until: time * 1e9)
            let error = try #require(simulation.error(at: time * 1e9)) / 1000
            if time > 4 { #expect(abs(error - last) < 9, "at \(time) s") }
            // The kernel's stamps at one end alone make the ways differ by 8 µs and the interrupts' least.
            #expect(abs(error) < 10, "at \(time) s")
            last = error
        }
        #expect(simulation.follower.statistics.resets == 0)
    }

    @Test func messagesCarryTheKindAndOlderOnesHaveNone() throws {
        let request = TimingMessage(
            requestOn: TimescaleID(rawValue: 1), clientID: 2, sequence: 3, t1: 4)
        var reply = TimingMessage(replyTo: request, t2: 5, hold: 6)
        for (arrival, departure) in [(false, false), (true, false), (false, true), (true, true)] {
            (reply.hasHardwareArrival, reply.hasHardwareDeparture) = (arrival, departure)
            for descent in [nil, ClockDescent(losses: 1, leader: 7)] {
                reply.descent = descent
                #expect(try TimingMessage(parsing: reply.encode()) == reply)
            }
        }
        var bytes = request.encode()
        bytes[48] |= 12
        #expect(try TimingMessage(parsing: bytes) == request)
    }
}

extension NetworkProfile {
    /// A cable between two hosts, or a switch that is idle.
    static let direct = NetworkProfile(name: "direct", base: (12_000, 12_000), jitter: 1_500)
}
