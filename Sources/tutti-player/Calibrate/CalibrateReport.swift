import TuttiCalibration

/// What a calibration by microphone found out, for people and programs. The names are those of `docs/json.md`.
struct CalibrateReport: Encodable {
    struct Room: Encodable {
        let name: String
        /// Heard so much later than the reference, as things are set now.
        let lateMs: Double
        /// Standard deviation of a single chirp.
        let spreadMs: Double
        /// Standard error of `lateMs`.
        let uncertaintyMs: Double
        let snrDb: Double
        let heard: Int
        let chirps: Int
        let confidence: String
        var previousOutputDelayMs: Double?
        var outputDelayMs: Double?
        var stored = false
    }

    let reference: String
    let recorderPpm: Double
    var rooms: [Room]

    init(_ result: Calibration.Result, rooms: CalibrateRooms) {
        reference = rooms.name(rooms.reference)
        recorderPpm = Self.rounded(result.recorderPpm, 1e1)
        self.rooms = result.rooms.map { room in
            Room(
                name: rooms.name(room.room),
                lateMs: Self.rounded((room.seconds - rooms.flightTime(of: room.room)) * 1e3, 1e3),
                spreadMs: Self.rounded(room.spread * 1e3, 1e4),
                uncertaintyMs: Self.rounded(room.uncertainty * 1e3, 1e4),
                snrDb: Self.rounded(room.signalToNoise, 1e1), heard: room.heard, chirps: rooms.schedule.repeats,
                confidence: room.confidence.rawValue)
        }
    }

    /// A line for each room.
    func lines() -> [String] {
        let width = rooms.map(\.name.count).max() ?? 0
        return rooms.map { room in
            let name = room.name + String(repeating: " ", count: width - room.name.count)
            let detail =
                "± \(Self.number(room.uncertaintyMs, digits: 3)) ms  (\(room.heard) of \(room.chirps) chirps, "
                + "\(Self.number(room.snrDb, digits: 0)) dB above the noise, spread "
                + "\(Self.number(room.spreadMs, digits: 3)) ms, \(room.confidence))"
            guard room.name != reference else { return "\(name)  reference  \(detail)" }
            let amount = Self.number(abs(room.lateMs), digits: 2)
            return "\(name)  \(amount) ms \(room.lateMs < 0 ? "earlier" : "later") than \(reference)  \(detail)"
        }
    }

    private static func rounded(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }

    /// A number with so many decimals.
    static func number(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "?" }
        let steps = (0..<digits).reduce(1.0) { result, _ in result * 10 }
        let whole = Int((abs(value) * steps).rounded())
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let rest = String(whole % Int(steps))
        return "\(sign)\(whole / Int(steps)).\(String(repeating: "0", count: digits - rest.count))\(rest)"
    }
}
