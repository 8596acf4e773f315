import Glibc
import TuttiCore
import TuttiScreen

/// A display and its driver, by seed, in virtual time.
struct SimulatedDisplay {
    enum Driver: Sendable {
        /// Swaps wait for refreshes; so many pictures may wait in a queue beside the one that is seen.
        case waiting(queue: Int)
        /// Swaps return after so many ns, with a relative spread.
        case immediate(Double, spread: Double)
        /// Each picture is shown at once, but no sooner than a refresh after the one before.
        case variable
    }

    var driver: Driver
    /// Nanoseconds from a refresh to the next.
    var period: Double
    /// How late the program is woken after a refresh, in ns: in general, and one time in `outlierRate`.
    var (noise, outlier, outlierRate) = (60_000.0, 3_000_000.0, 0.05)
    private let phase: Double
    private var flips: [Double] = []
    private var random: SplitMix64

    init(_ driver: Driver, rate: Double, seed: UInt64) {
        (self.driver, period) = (driver, 1e9 / rate)
        random = SplitMix64(seed: seed)
        phase = random.unit() * period
    }

    /// The refresh next to a time.
    func nearestRefresh(to time: HostTime) -> Double {
        phase + ((Double(time.nanoseconds) - phase) / period).rounded() * period
    }

    private func refresh(notBefore time: Double) -> Double { phase + ((time - phase) / period).rounded(.up) * period }

    private mutating func wakeUp() -> Double {
        let late = random.unit() < outlierRate ? random.unit() * outlier : 0
        return noise * (0.3 - 0.7 * log(1 - random.unit())) + late
    }

    /// A picture is handed over.
    ///
    /// - Returns: when the swap returns, and when the picture comes to light.
    mutating func swap(_ time: HostTime) -> (returned: HostTime, light: HostTime) {
        let now = Double(time.nanoseconds)
        var (returned, light) = (now, now)
        switch driver {
        case .waiting(let queue):
            light = refresh(notBefore: max(now, (flips.last ?? -.infinity) + 0.5 * period))
            flips.append(light)
            let awaited = flips.count > queue ? flips[flips.count - 1 - queue] : now
            returned = max(now + 200_000, awaited)
            flips.removeFirst(max(flips.count - 8, 0))
        case .immediate(let duration, let spread):
            returned = now + duration * (1 + spread * (2 * random.unit() - 1))
            light = returned
        case .variable:
            light = max(now, (flips.last ?? -.infinity) + period)
            returned = light
            flips = [light]
        }
        return (HostTime(nanoseconds: Int64(returned + wakeUp())), HostTime(nanoseconds: Int64(light)))
    }
}

/// What draws on it.
struct SimulatedLoop {
    struct Swap {
        let (planned, light): (HostTime, HostTime)
        let standing: RefreshClock.Standing
    }

    var display: SimulatedDisplay
    var clock: RefreshClock
    var now = HostTime(nanoseconds: 3_000_000_000_000)
    private var random: SplitMix64

    init(_ display: SimulatedDisplay, statedRate: Double?, seed: UInt64) {
        (self.display, clock) = (display, RefreshClock(statedRate: statedRate, seed: seed))
        random = SplitMix64(seed: seed ^ 77)
    }

    /// Shows pictures at one refresh after the other.
    @discardableResult
    mutating func run(_ count: Int, preparation: Double = 1_200_000) -> [Swap] {
        (0..<count).map { _ in
            let refresh = clock.nextRefresh(
                after: now, usual: Int64(preparation * 0.9), longest: Int64(preparation * 1.1))
            let start = max(now, refresh.drawing).advanced(byNanoseconds: Int64(random.unit() * 80_000))
            let drawn = start.advanced(byNanoseconds: Int64(preparation * (0.8 + 0.2 * random.unit())))
            let handover = max(drawn, refresh.handover)
            let (returned, light) = display.swap(handover)
            let standing = clock.standing
            clock.swapped(handedOver: handover, returned: returned)
            now = returned.advanced(byNanoseconds: 50_000)
            return Swap(planned: refresh.light, light: light, standing: standing)
        }
    }

    mutating func rest(_ nanoseconds: Int64) { now = now.advanced(byNanoseconds: nanoseconds) }
}
