import TuttiCalibration
import TuttiSchema
import TuttiSender

extension MeasureReport {
    /// The report for people.
    func lines() -> [String] {
        var lines = [
            "\(second) is \(Self.behind(offsetUs, offsetUncertaintyUs)) \(first) (± \(Self.number(offsetUncertaintyUs, offsetUncertaintyUs)) µs)",
            entry(
                "drift",
                "\(Self.number(driftPpm, driftUncertaintyPpm)) ± \(Self.number(driftUncertaintyPpm, driftUncertaintyPpm)) ppm"
            ),
            entry("around that", text(aroundMedian)), entry("|offset|", text(absolute)),
        ]
        if !intervals.isEmpty {
            let parts = intervals.map { "\(Self.number($0.mtieUs, repeatabilityUs)) µs within \(Int($0.seconds)) s" }
            lines.append(entry("moves at most", parts.joined(separator: ", ") + " (MTIE)"))
        }
        lines.append(entry(windowSeconds == nil ? "one chirp" : "one window", single))
        lines.append(entry(windowSeconds == nil ? "chirps" : "windows", counts))
        if let inputSkewUs, let error = inputSkewUncertaintyUs {
            lines.append(
                entry(
                    "inputs",
                    "right is \(Self.number(inputSkewUs, error)) ± \(Self.number(error, error)) µs late; subtracted"
                ))
        }
        lines.append(entry("recorded", recorded))
        lines.append(entry("with", "tutti \(version), \(signal.rawValue)"))
        for room in rooms { lines.append(entry(room.name, Self.text(room))) }
        return lines + remarks.map { "note: \($0)" }
    }

    private static let width = 15

    private func entry(_ name: String, _ text: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, Self.width - name.count)))\(text)"
    }

    private func text(_ magnitude: Magnitude) -> String {
        let (p50, p99) = (magnitude.p50UncertaintyUs, magnitude.p99UncertaintyUs)
        return "p50 \(Self.number(magnitude.p50Us, p50)) ± \(Self.number(p50, p50)) µs, "
            + "p99 \(Self.number(magnitude.p99Us, p99)) ± \(Self.number(p99, p99)) µs, max \(Self.number(magnitude.maxUs, p99)) µs"
    }

    private var single: String {
        let repeats = "repeats to \(Self.number(repeatabilityUs, repeatabilityUs)) µs"
        guard let singleUncertaintyUs else { return repeats }
        return "right to \(Self.number(singleUncertaintyUs, singleUncertaintyUs)) µs, \(repeats)"
    }

    private var counts: String {
        guard let windowSeconds, let leftOut else { return "\(count) pairs" }
        let length = "\(count) of \(CalibrateReport.number(windowSeconds * 1000, digits: 0)) ms"
        let reasons = [
            (leftOut.quiet, "quiet"), (leftOut.unlike, "unlike"), (leftOut.ambiguous, "ambiguous"),
            (leftOut.vague, "vague"),
        ]
        let parts = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "\(length), none left out" : "\(length); left out: \(parts.joined(separator: ", "))"
    }

    private var recorded: String {
        var parts = [origin]
        if let sampleRate { parts.append("\(sampleRate) Hz") }
        if let seconds { parts.append("\(CalibrateReport.number(seconds, digits: 1)) s") }
        if let recorderPpm { parts.append("clock \(CalibrateReport.number(recorderPpm, digits: 1)) ppm fast") }
        return parts.joined(separator: ", ")
    }

    /// What a room says of itself.
    private static func text(_ room: RoomStatus) -> String {
        func number(_ value: Double?, _ text: (String) -> String) -> String? {
            value.map { text(CalibrateReport.number($0, digits: 1)) }
        }
        let parts: [String?] = [
            room.device.map { "card \($0)" }, room.format, room.codec,
            number(room.dacPpm) { "card's clock \($0) ppm" }, number(room.clockDriftPpm) { "host's clock \($0) ppm" },
            number(room.clockOffsetSigmaUs) { "known to \($0) µs" }, number(room.rttUs) { "round trip \($0) µs" },
            room.stamps.map { "\($0) stamps" },
            number(room.outputDelayMs) { "output delay \($0) ms" },
            number(room.syncErrorP99Us) { "says p99 \($0) µs" },
            room.xruns > 0 ? "\(room.xruns) xruns" : nil, room.stalls > 0 ? "\(room.stalls) stalls" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
