/// What a trace says of machines.
enum TraceText {
    /// What has changed of a sender.
    static func changes(_ sender: SenderObservation, from before: SenderObservation?) -> [String] {
        var lines: [String] = []
        if sender.isRunning != before?.isRunning || sender.incarnation != before?.incarnation {
            lines.append(process(sender.isRunning, sender.incarnation))
        }
        if sender.clocks.map(clock) != before?.clocks.map(clock) {
            lines.append(sender.clocks.isEmpty ? "no clock" : sender.clocks.map(clock).joined(separator: ", "))
        }
        lines += sender.acknowledgements.map { answer in
            "answers \(answer.group) \(answer.command): \(answer.refusal ?? "done")"
        }
        for (index, group) in sender.groups.enumerated() {
            let old = before.flatMap { $0.groups.indices.contains(index) ? $0.groups[index] : nil }
            lines += changes(group, from: old).map { "\(group.name) \($0)" }
        }
        return lines
    }

    private static func changes(_ group: GroupObservation, from before: GroupObservation?) -> [String] {
        var lines: [String] = []
        if group.isKnown != before?.isKnown { lines.append(group.isKnown ? "known" : "unknown") }
        if group.generation != before?.generation { lines.append("generation \(group.generation)") }
        if group.timebase != before?.timebase { lines.append(group.timebase.map(timebase) ?? "no timebase") }
        let state = group.state
        if state != before?.state {
            let queue = state.queue.map { "\($0.id == state.current ? ">" : "")\($0.id):\($0.song)" }
            let rooms = state.rooms.map(\.text)
            lines.append(
                "\(state.isPlaying ? "plays" : "paused") [\(queue.joined(separator: " "))] "
                    + "in \(rooms.joined(separator: ", "))"
            )
        }
        return lines
    }

    /// What has changed of a room.
    static func changes(_ room: RoomObservation, from before: RoomObservation?) -> [String] {
        var lines: [String] = []
        if room.isRunning != before?.isRunning || room.incarnation != before?.incarnation {
            lines.append(process(room.isRunning, room.incarnation))
        }
        if room.isPlugged != before?.isPlugged { lines.append(room.isPlugged ? "card plugged in" : "card unplugged") }
        if room.state != before?.state { lines.append(room.state) }
        if room.owner != before?.owner { lines.append(room.owner.map { "owned by \($0)" } ?? "no owner") }
        if room.clock.map(clock) != before?.clock.map(clock) { lines.append(room.clock.map(clock) ?? "no clock") }
        if room.timebase != before?.timebase { lines.append(room.timebase.map(timebase) ?? "no timebase") }
        if room.generation != before?.generation { lines.append("generation \(room.generation)") }
        if room.volume != before?.volume || room.isMuted != before?.isMuted {
            lines.append("volume \(Int(room.volume.rounded()))\(room.isMuted ? " muted" : "")")
        }
        let song = room.truth.played.last.map { "\($0.song) \($0.entry.map(String.init) ?? "")" }
        if let span = room.truth.played.last,
            song != before?.truth.played.last.map({ "\($0.song) \($0.entry.map(String.init) ?? "")" })
        {
            lines.append("plays: \(span.song) from \(TimeText.text(span.place))")
        }
        if room.truth.dropouts != before?.truth.dropouts ?? 0 {
            lines.append(
                "dropout \(room.truth.dropouts), silent \(TimeText.text(room.truth.silentLoaded)) loaded, "
                    + "\(TimeText.text(room.truth.silentEmpty)) empty")
        }
        if room.truth.resyncs != before?.truth.resyncs ?? 0 { lines.append("resync \(room.truth.resyncs)") }
        return lines
    }

    /// How a room is doing, once a second.
    static func figures(_ room: RoomObservation) -> String {
        let late =
            room.truth.lateness.map { "late \($0.last) ns (\($0.least) to \($0.greatest); clock \($0.clock))" }
            ?? "silent"
        let loaded = room.loaded.map { "\(TimeText.text($0.lower))–\(TimeText.text($0.upper))" }.joined(separator: " ")
        let sigma = room.clock?.sigma.map { ", sigma \($0) ns" } ?? ""
        return "\(late)\(sigma), buffers \(room.bufferedBytes) B [\(loaded)]"
    }

    private static func process(_ isRunning: Bool, _ incarnation: Int) -> String {
        isRunning ? "running, start \(incarnation)" : "not running"
    }

    private static func clock(_ clock: ClockObservation) -> String {
        let lead = clock.leader.map { "follows \($0)" } ?? "leads"
        return "\(lead) \(String(clock.timescale, radix: 16))\(clock.isCurrent ? "" : " from memory")"
    }

    private static func timebase(_ timebase: TimebaseObservation) -> String {
        "timebase \(String(timebase.stream, radix: 16)): \(TimeText.text(timebase.media)) at \(timebase.group) of "
            + "\(String(timebase.timescale, radix: 16)), rate \(timebase.rate)"
    }
}
