import TuttiHouse
import TuttiSchema
import TuttiSender

/// A schedule in words.
enum ScheduleText {
    /// `3  Mon 2026-11-23 07:00  (mon-fri 07:00)  bedroom: radio.m3u  volume 25  fade 60 s`.
    static func line(_ schedule: ScheduleListing) -> String {
        var parts = ["\(schedule.number)"]
        parts.append(schedule.next.map(LocalZone.text) ?? "never")
        if schedule.when.contains(" ") { parts.append("(\(schedule.when))") }
        parts.append("\(schedule.group): \(pieces(schedule.order))")
        if let volume = schedule.order.volume { parts.append("volume \(Int(volume))") }
        if let fade = schedule.order.fade { parts.append("fade \(StatusText.seconds(fade))") }
        if let missed = schedule.missed { parts.append("missed \(LocalZone.text(missed))") }
        if let problem = schedule.problem { parts.append("problem: \(problem)") }
        return parts.joined(separator: "  ")
    }

    private static func pieces(_ order: PlayOrder) -> String {
        guard let first = order.inputs.first else { return "" }
        let name = first.title ?? first.uri.split(separator: "/").last.map(String.init) ?? first.uri
        return order.inputs.count == 1 ? name : "\(name) and \(order.inputs.count - 1) more"
    }
}
