/// The position of a card that does not exist: frame `i` leaves at `t0 + i / (rate·(1 + ppm·10⁻⁶))`.
struct VirtualPosition: Sendable, Equatable {
    /// Raw time at which frame 0 leaves, in ns.
    let t0: Int64
    /// Frames a nanosecond.
    private let speed: Double

    init(t0: Int64, rate: Int, ppm: Double) {
        self.t0 = t0
        speed = Double(rate) * (1 + ppm * 1e-6) / 1e9
    }

    /// Frames that have left at `raw`; 0 before `t0`.
    func position(at raw: Int64) -> Int64 {
        let elapsed = raw.subtractingReportingOverflow(t0)
        guard !elapsed.overflow, elapsed.partialValue > 0 else { return 0 }
        let frames = (Double(elapsed.partialValue) * speed).rounded(.down)
        return frames < 9e18 ? Int64(frames) : .max
    }

    /// The first raw time at which `frame` frames have left.
    func time(of frame: Int64) -> Int64 {
        let elapsed = (Double(frame) / speed).rounded(.up)
        guard elapsed.magnitude < 4e18 else { return elapsed < 0 ? .min : .max }
        return t0.addingReportingOverflow(Int64(elapsed)).partialValue
    }
}
