import TuttiCore
import TuttiPlayback
import TuttiSchema
import TuttiSender

/// What `tutti status` prints for people: lines that fit the terminal, broken between words.
enum StatusReport {
    /// The report on one group.
    ///
    /// - Parameter width: columns; nil for a pipe, where every line stays whole.
    static func text(_ status: PlayerStatus, width: Int?) -> String {
        let group = status.group.map { "\($0): " } ?? ""
        var lines = [["\(group)\(status.state.rawValue)", StatusText.place(status)]]
        if let item = status.item {
            let chapter = item.tracks?.chapter(at: status.position).map { chapter in
                "chapter \(chapter.number)" + (chapter.title.map { ": \($0)" } ?? "")
            }
            let place = "[\(status.queue.index + 1) of \(status.queue.length)]"
            let live = status.live.map(StatusText.live)
            let behind = StatusText.behind(status)
            lines.append([StatusText.name(item), chapter, live, behind, place].compactMap(\.self))
        }
        let modes = modes(status)
        if !modes.isEmpty { lines.append(modes) }
        let nameWidth = status.rooms.map(\.name.count).max() ?? 0
        lines += status.rooms.map { StatusText.parts($0, position: status.position, width: nameWidth) }
        return lines.map { wrapped($0, width: width) + "\n" }.joined()
    }

    /// A line for each idle room.
    static func idle(_ rooms: [RoomStatus], width: Int?) -> String {
        let nameWidth = rooms.map(\.name.count).max() ?? 0
        return rooms.map { room in
            let parts = StatusText.parts(room, position: 0, width: nameWidth) + [StatusText.clock(of: room)]
            return wrapped(parts, width: width) + "\n"
        }.joined()
    }

    /// What is not as it is at first.
    private static func modes(_ status: PlayerStatus) -> [String] {
        var modes: [String] = []
        if let mode = status.queue.repeat, mode != .off { modes.append("repeat \(mode.rawValue)") }
        if status.queue.shuffle == true { modes.append("shuffle") }
        if status.queue.consume == true { modes.append("consume") }
        if let crossfade = status.queue.crossfade, crossfade > 0 {
            modes.append("crossfade \(StatusText.seconds(crossfade))")
        }
        if let mode = status.queue.normalise, mode != .off { modes.append("normalise \(mode.rawValue)") }
        if status.queue.night == true { modes.append("night mode") }
        if let track = status.queue.audioTrack, track != "auto" { modes.append("audio track \(track)") }
        if let subtitle = status.queue.subtitle, subtitle != "auto" { modes.append("subtitles \(subtitle)") }
        if let reference = status.reference { modes.append("reference \(reference)") }
        if let message = status.referenceMessage { modes.append("no reference room: \(message)") }
        if let sleep = status.sleep { modes.append("stops in \(StatusText.time(sleep))") }
        return modes
    }

    /// Parts with two spaces between them: a part goes on the next line when it does not fit, and is broken between
    /// words when it is wider than a line. Lines after the first are set in.
    static func wrapped(_ parts: [String], width: Int?) -> String {
        guard let width, width > 2 * indent.count else { return parts.joined(separator: "  ") }
        var lines: [String] = []
        var line = ""
        for part in parts {
            if !line.isEmpty, line.count + 2 + part.count > width {
                lines.append(line)
                line = indent
            }
            for (index, word) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                let gap = line.isEmpty || line == indent ? "" : index == 0 ? "  " : " "
                if !gap.isEmpty, line.count + gap.count + word.count > width {
                    lines.append(line)
                    line = indent + word
                } else {
                    line += gap + word
                }
            }
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }

    private static let indent = "    "
}
