import TuttiCalibration

/// What a recording told about a screen, for people and programs. The names are those of `docs/json.md`.
struct CalibrateScreenReport: Encodable {
    let screen: String
    /// Pictures are seen so much later than their sound is heard at the loudspeaker, as things are set now.
    let lateMs: Double
    /// Standard deviation of a single flash.
    let spreadMs: Double
    /// How far `lateMs` may be off.
    let uncertaintyMs: Double
    let seen: Int
    let heard: Int
    let flashes: Int
    let frameRate: Double
    var previousOutputDelayMs: Double?
    var outputDelayMs: Double?
    var stored = false

    /// - Parameter flightTime: seconds that the sound needs from the loudspeaker to the telephone.
    init(screen: String, _ lateness: PictureLateness, flightTime: Double) {
        self.screen = screen
        lateMs = Self.rounded((lateness.seconds + flightTime) * 1e3, 1e1)
        spreadMs = Self.rounded(lateness.spread * 1e3, 1e2)
        uncertaintyMs = Self.rounded(lateness.uncertainty * 1e3, 1e1)
        seen = lateness.seen
        heard = lateness.heard
        flashes = FlashPattern.instants.count
        frameRate = Self.rounded(lateness.frameRate, 1e2)
    }

    /// One line.
    var text: String {
        let number = CalibrateReport.number
        return "\(screen): pictures are \(number(abs(lateMs), 1)) ms \(lateMs < 0 ? "early" : "late") ± "
            + "\(number(uncertaintyMs, 1)) ms  (\(seen) of \(flashes) flashes, \(heard) chirps, "
            + "\(number(frameRate, 2)) pictures a second, spread \(number(spreadMs, 1)) ms)"
    }

    private static func rounded(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }
}
