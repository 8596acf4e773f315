/// The oscillator of a host or a card: how far it has counted by a true time. It may change its rate, and stand still.
struct Crystal {
    private var (origin, count): (Int64, Int64)
    /// How much faster than true time it counts, in ppm.
    private(set) var ppm: Double
    private(set) var isRunning = true

    /// A crystal that has counted to `count` nanoseconds at time 0.
    init(count: Int64, ppm: Double) {
        origin = 0
        self.count = count
        self.ppm = ppm
    }

    private var rate: Double { isRunning ? 1 + ppm * 1e-6 : 0 }

    /// What it counts at a true time, in nanoseconds.
    func reading(at time: Int64) -> Int64 {
        guard isRunning else { return count }
        let elapsed = time - origin
        return count + elapsed + Int64((Double(elapsed) * ppm * 1e-6).rounded())
    }

    /// The true time at which it counts `reading`; as it runs now.
    func time(ofReading reading: Int64) -> Int64 {
        guard isRunning else { return .max / 4 }
        let distance = Double(reading - count)
        return origin + (reading - count) - Int64((distance * ppm * 1e-6 / (1 + ppm * 1e-6)).rounded())
    }

    /// Runs at another rate from now on.
    mutating func change(ppm: Double, at time: Int64) {
        (count, origin) = (reading(at: time), time)
        self.ppm = ppm
    }

    /// Stands still, or goes on.
    mutating func run(_ isRunning: Bool, at time: Int64) {
        (count, origin) = (reading(at: time), time)
        self.isRunning = isRunning
    }
}
