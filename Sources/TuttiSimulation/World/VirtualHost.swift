import TuttiCore
import TuttiHost

/// A host: its clock, its disk, and whether it is awake.
final class VirtualHost: @unchecked Sendable {
    let agenda: Agenda
    let number: Int
    let disk = VirtualDisk()
    private(set) var isAwake = true
    /// How often it has woken.
    private(set) var wakes = 0
    /// For how long it has slept, and since when it does, nanoseconds of true time.
    private var (slept, asleepSince): (Int64, Int64) = (0, 0)
    /// For how long it has slept the last time, nanoseconds.
    private(set) var lastSleep: Int64 = 0
    private var crystal: Crystal
    private var chance: Chance
    private var ppm: Double

    /// How far the rate wanders in `wanderInterval`, in ppm (one standard deviation).
    private static let wander = 0.01
    private static let wanderInterval: Int64 = 10_000_000_000

    /// - Parameter number: its place among the hosts, from 0.
    init(_ number: Int, ppm: Double, seed: UInt64, agenda: Agenda) {
        self.number = number
        self.agenda = agenda
        self.ppm = ppm
        chance = Chance(seed: seed, "host \(number)")
        // Hosts were switched on at different times, an hour to a month ago.
        crystal = Crystal(
            count: 3_600_000_000_000 + Int64(chance.unit() * 2.6e15), ppm: ppm)
        wanderOn()
    }

    private func wanderOn() {
        agenda.at(agenda.now + Self.wanderInterval) { [unowned self] in
            let step = chance.normal() * Self.wander
            // Held near where it belongs: a crystal in a house is some tenths of a ppm off at most.
            crystal.change(ppm: crystal.ppm + step - (crystal.ppm - ppm) * 0.02, at: agenda.now)
            wanderOn()
        }
    }

    /// The host's clock for the programs on it.
    var clock: HostClock {
        HostClock(reading: { [self] in reading }, sleeping: { [self] in slept }, boot: "host \(number)")
    }

    /// What the clock shows now, in nanoseconds.
    var reading: Int64 { crystal.reading(at: agenda.now) }

    /// What the clock shows at a true time.
    func reading(at time: Int64) -> Int64 { crystal.reading(at: time) }

    /// The true time at which the clock shows `reading`, as it runs now.
    func time(ofReading reading: Int64) -> Int64 { crystal.time(ofReading: reading) }

    /// Another rate from now on.
    func drift(ppm: Double) {
        self.ppm = ppm
        crystal.change(ppm: ppm, at: agenda.now)
    }

    /// Sleeps or wakes: the clock stands still meanwhile.
    func setAwake(_ isAwake: Bool) {
        guard isAwake != self.isAwake else { return }
        self.isAwake = isAwake
        if isAwake {
            wakes += 1
            lastSleep = agenda.now - asleepSince
            slept += lastSleep
        } else {
            asleepSince = agenda.now
        }
        crystal.run(isAwake, at: agenda.now)
    }
}
