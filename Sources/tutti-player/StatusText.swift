import TuttiControl
import TuttiSchema
import TuttiSender
import TuttiWire

/// A player's status in words.
enum StatusText {
    /// `1:02:03`, `4:05`.
    static func time(_ seconds: Double) -> String { StatusTime.text(seconds) }

    /// `5 s`, `2.5 s`.
    static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
    }

    /// `Title (Artist)`, `What a station plays (Station)`, or the last part of the path.
    static func name(_ item: PlayerStatus.Item) -> String {
        if item.uri == "-", item.title == nil { return "standard input" }
        let title = item.title ?? item.uri.split(separator: "/").last.map(String.init) ?? item.uri
        guard let station = item.station else { return item.artist.map { "\(title) (\($0))" } ?? title }
        return [title, item.artist].compactMap(\.self).joined(separator: ", ") + " (\(station))"
    }

    /// `1:23 of 4:05`, `1:23 of 4:05 ×1.5`.
    static func place(_ status: PlayerStatus) -> String {
        let length = status.item?.duration.map { " of \(time($0))" } ?? ""
        let rate = status.rate == 0 || status.rate == 1 ? "" : " ×\(status.rate)"
        return time(status.position) + length + rate
    }

    /// `live, 200 ms after capture`.
    static func live(_ live: PlayerStatus.Live) -> String {
        let time = live.latency < 10 ? "\(Int((live.latency * 1_000).rounded())) ms" : "\(Int(live.latency)) s"
        let lost = live.missing + live.late
        return "live, \(time) after capture" + (lost >= 0.01 ? ", \((lost * 100).rounded() / 100) s lost" : "")
    }

    /// `1:05 behind what is live`; nil where what is heard is live, or not a station.
    static func behind(_ status: PlayerStatus) -> String? {
        guard status.live == nil, let behind = status.behind, behind >= 2 else { return nil }
        return "\(time(behind)) behind what is live"
    }

    /// Seconds of audio ahead of the playhead, in the room that has buffered least.
    static func buffered(_ status: PlayerStatus) -> Int? {
        let ahead = status.rooms.filter { $0.volume != nil }.map { room in
            room.loaded.seconds(ahead: status.position) ?? 0
        }
        return ahead.min().map { Int(max(0, $0)) }
    }

    /// `kitchen playing +3 µs`.
    static func room(_ room: RoomStatus) -> String {
        var text = "\(room.name) \(room.state)"
        if room.state == .playing, let error = room.syncErrorUs { text += " \(signed(error)) µs" }
        return text
    }

    /// A line for each room.
    static func rooms(_ status: PlayerStatus) -> [String] {
        let width = status.rooms.map(\.name.count).max() ?? 0
        return status.rooms.map { line($0, position: status.position, width: width) }
    }

    private static func line(_ room: RoomStatus, position: Double, width: Int) -> String {
        parts(room, position: position, width: width).joined(separator: "  ")
    }

    /// What there is to say of a room; its name is as wide as `width`.
    static func parts(_ room: RoomStatus, position: Double, width: Int) -> [String] {
        var parts = [room.name + String(repeating: " ", count: width - room.name.count), room.state.rawValue]
        if let volume = room.volume { parts.append(room.muted == true ? "muted" : "volume \(Int(volume.rounded()))") }
        if room.announcing == true { parts.append("announcing") }
        if let ahead = room.loaded.seconds(ahead: position) { parts.append("\(Int(ahead)) s ahead") }
        if let error = room.syncErrorUs {
            let spread = room.syncErrorP99Us.map { " (99 % within \(signed($0).dropFirst()) µs)" } ?? ""
            parts.append("off by \(signed(error)) µs\(spread)")
        }
        if let clock = room.systemClock { parts.append(systemClock(clock)) }
        if room.stalls > 0 { parts.append("\(room.stalls) stalls") }
        if room.xruns > 0 { parts.append("\(room.xruns) xruns") }
        if let format = room.format { parts.append("\(room.codec ?? "?") → \(format)") }
        if let isPerfect = room.bitPerfect {
            parts.append(isPerfect ? "bit-perfect" : "not bit-perfect\(room.bitPerfectReason.map { ": \($0)" } ?? "")")
        }
        if let message = room.message { parts.append(message) }
        return parts
    }

    /// How well a room knows the clock that it shares with others.
    static func clock(of room: RoomStatus) -> String {
        guard let sigma = room.clockOffsetSigmaUs else { return "no clock yet" }
        return sigma == 0 ? "leads the clock" : "clock known within \(signed(sigma).dropFirst()) µs"
    }

    /// `system clock +3.1 ± 0.8 µs (claims 120)`, or why it is not used.
    private static func systemClock(_ clock: SystemClockStatus) -> String {
        if let reason = clock.reason { return "own clock: \(reason)" }
        let sigma = clock.offsetSigmaUs.map { " ± \(signed($0).dropFirst())" } ?? ""
        let offset = clock.offsetUs.map { " \(signed($0))\(sigma) µs" } ?? ""
        return "system clock\(offset) (claims \(signed(clock.maxErrorUs).dropFirst()))"
    }

    /// A figure with its sign and a sensible number of digits.
    static func signed(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "?" }
        let sign = value < 0 ? "-" : "+"
        let tenths = Int((abs(value) * 10).rounded())
        return tenths < 1000 ? "\(sign)\(tenths / 10).\(tenths % 10)" : "\(sign)\(tenths / 10)"
    }
}
