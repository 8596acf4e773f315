import TuttiCalibration
import TuttiSchema
import TuttiSender

extension MeasureReport {
    /// The report for people.
    func lines() -> [String] {
        let (offset, drift) = (figures.offsetUncertaintyUs, figures.driftUncertaintyPpm)
        var lines = [
            "\(second) is \(Self.behind(figures.offsetUs, offset)) \(first) (± \(Self.number(offset, offset)) µs)",
            entry("drift", "\(Self.number(figures.driftPpm, drift)) ± \(Self.number(drift, drift)) ppm"),
            entry("around that", text(figures.aroundMedian)), entry("|offset|", text(figures.absolute)),
        ]
        if !figures.intervals.isEmpty {
            let parts = figures.intervals.map {
                "\(Self.number($0.mtieUs, figures.repeatabilityUs)) µs within \(Int($0.seconds)) s"
            }
            lines.append(entry("moves at most", parts.joined(separator: ", ") + " (MTIE)"))
        }
        lines.append(entry(recording == nil ? "one chirp" : "one window", single))
        lines.append(entry(recording == nil ? "chirps" : "windows", counts))
        if let skew = recording?.inputSkewUs, let error = recording?.inputSkewUncertaintyUs {
            let late = "\(Self.number(skew, error)) ± \(Self.number(error, error)) µs late"
            lines.append(entry("inputs", "right is \(late); subtracted"))
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
            + "p99 \(Self.number(magnitude.p99Us, p99)) ± \(Self.number(p99, p99)) µs, "
            + "max \(Self.number(magnitude.maxUs, p99)) µs"
    }

    private var single: String {
        let repeats = "repeats to \(Self.number(figures.repeatabilityUs, figures.repeatabilityUs)) µs"
        guard let error = figures.singleUncertaintyUs else { return repeats }
        return "right to \(Self.number(error, error)) µs, \(repeats)"
    }

    private var counts: String {
        guard let recording else { return "\(figures.count) pairs" }
        let length = "\(figures.count) of \(CalibrateReport.number(recording.windowSeconds * 1000, digits: 0)) ms"
        let leftOut = recording.leftOut
        let reasons = [
            (leftOut.quiet, "quiet"), (leftOut.unlike, "unlike"), (leftOut.ambiguous, "ambiguous"),
            (leftOut.vague, "vague"),
        ]
        let parts = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "\(length), none left out" : "\(length); left out: \(parts.joined(separator: ", "))"
    }

    private var recorded: String {
        var parts = [origin]
        if let recording {
            let seconds = CalibrateReport.number(recording.seconds, digits: 1)
            parts += ["\(recording.sampleRate) Hz", "\(seconds) s"]
        }
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
