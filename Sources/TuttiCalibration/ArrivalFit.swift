/// The line that arrivals lie on: recorded time = (1 + rate error) · played time + one offset for each room.
struct ArrivalFit {
    /// When one chirp was heard.
    struct Arrival {
        var room: Int
        /// When it was played, in seconds of the schedule.
        var played: Double
        /// When it was heard, in seconds of the recording.
        var heard: Double
    }

    /// How much faster the recorder counts seconds than the rooms, less one.
    private(set) var rateError = 0.0
    /// Seconds for each room.
    private(set) var offsets: [Int: Double] = [:]
    /// The arrivals that lie on the line.
    private(set) var kept: [Arrival]
    private let arrivals: [Arrival]

    /// Recorders' clocks are better than this.
    static let largestRateError = 500e-6
    /// Seconds that an arrival may lie off the line in any case.
    private static let tolerance = 50e-6
    /// The same as a multiple of what is usual.
    private static let deviations = 4.0

    /// Fits a line and leaves out what does not lie on it.
    init(_ arrivals: [Arrival]) {
        self.arrivals = arrivals
        kept = arrivals
        rateError = Self.slope(of: arrivals)
        offsets = Self.medians(of: arrivals, rateError: rateError)
        for _ in 0..<4 {
            let errors = arrivals.map { abs(error(of: $0)) }.sorted()
            guard !errors.isEmpty else { return }
            let limit = max(Self.tolerance, Self.deviations * 1.48 * errors[errors.count / 2])
            kept = arrivals.filter { abs(error(of: $0)) <= limit }
            fit()
        }
    }

    /// Seconds by which an arrival is later than the line says.
    func error(of arrival: Arrival) -> Double {
        arrival.heard - (1 + rateError) * arrival.played - (offsets[arrival.room] ?? 0)
    }

    /// How far a room's arrivals usually lie off the line, those left out included, in seconds.
    func usualError(ofRoom room: Int) -> Double {
        let errors = arrivals.filter { $0.room == room }.map { abs(error(of: $0)) }.sorted()
        return errors.isEmpty ? 0 : errors[errors.count / 2]
    }

    /// Least squares over what is kept.
    private mutating func fit() {
        let rooms = Dictionary(grouping: kept, by: \.room)
        let middles = rooms.mapValues { room in
            (
                played: room.reduce(0) { $0 + $1.played } / Double(room.count),
                heard: room.reduce(0) { $0 + $1.heard } / Double(room.count)
            )
        }
        var (above, below) = (0.0, 0.0)
        for arrival in kept {
            guard let middle = middles[arrival.room] else { continue }
            let distance = arrival.played - middle.played
            above += distance * (arrival.heard - middle.heard - distance)
            below += distance * distance
        }
        if below > 0 { rateError = Self.clamped(above / below) }
        offsets = middles.mapValues { $0.heard - (1 + rateError) * $0.played }
    }

    /// The median slope between arrivals of the same room: half of them may be wrong.
    private static func slope(of arrivals: [Arrival]) -> Double {
        var slopes: [Double] = []
        for (index, first) in arrivals.enumerated() {
            for second in arrivals[..<index] where second.room == first.room {
                let distance = first.played - second.played
                if abs(distance) > 1 { slopes.append((first.heard - second.heard) / distance - 1) }
            }
        }
        guard !slopes.isEmpty else { return 0 }
        slopes.sort()
        return clamped(slopes[slopes.count / 2])
    }

    private static func medians(of arrivals: [Arrival], rateError: Double) -> [Int: Double] {
        Dictionary(grouping: arrivals, by: \.room).mapValues { room in
            let offsets = room.map { $0.heard - (1 + rateError) * $0.played }.sorted()
            return offsets[offsets.count / 2]
        }
    }

    private static func clamped(_ rate: Double) -> Double { min(max(rate, -largestRateError), largestRateError) }
}
