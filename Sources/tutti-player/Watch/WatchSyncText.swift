import TuttiSchema
import TuttiSender

/// How well a room keeps time, in one line.
enum WatchSyncText {
    /// `0:12  kitchen  +3.1 µs  p99 7.9 µs  drift -11.21 ± 0.12 ppm  dac +42.73 ± 0.31 ppm  rtt 210 µs  kernel stamps`,
    /// with the place in the track before it.
    static func line(_ room: RoomStatus, at position: Double) -> String {
        "\(StatusText.time(position))  \(parts(room).joined(separator: separator))"
    }

    /// The same without the place, in as many lines as it takes in `width` columns.
    static func lines(_ room: RoomStatus, width: Int) -> [String] {
        var lines: [String] = []
        for part in parts(room) {
            if let last = lines.last, last.count + separator.count + part.count <= width {
                lines[lines.count - 1] = last + separator + part
            } else {
                lines.append(String((lines.isEmpty ? part : separator + part).prefix(max(0, width))))
            }
        }
        return lines
    }

    private static let separator = "  "

    private static func parts(_ room: RoomStatus) -> [String] {
        var parts = [room.state == .playing ? room.name : "\(room.name) \(room.state)"]
        if let error = room.syncErrorUs { parts.append("\(StatusText.signed(error)) µs") }
        if let error = room.syncErrorP99Us { parts.append("p99 \(unsigned(error)) µs") }
        if let drift = room.clockDriftPpm { parts.append("drift \(ppm(drift, room.clockDriftSigmaPpm))") }
        if let rate = room.dacPpm { parts.append("dac \(ppm(rate, room.dacSigmaPpm))") }
        if let trip = room.rttUs { parts.append("rtt \(unsigned(trip)) µs") }
        if let stamps = room.stamps { parts.append("\(stamps) stamps") }
        if let message = room.message { parts.append(message) }
        return parts
    }

    private static func unsigned(_ value: Double) -> String { String(StatusText.signed(abs(value)).dropFirst()) }

    private static func ppm(_ value: Double, _ sigma: Double?) -> String {
        "\(hundredths(value)) \(sigma.map { "± \(hundredths($0).dropFirst()) " } ?? "")ppm"
    }

    /// `+42.73`.
    private static func hundredths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "+?" }
        let whole = Int((abs(value) * 100).rounded())
        let rest = whole % 100
        return "\(value < 0 ? "-" : "+")\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
