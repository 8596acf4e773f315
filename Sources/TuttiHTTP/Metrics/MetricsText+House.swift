package import TuttiMetrics
package import TuttiSchema

extension MetricsText {
    /// Adds how the groups of a service stand, and their rooms. A room that several groups have is told in each.
    package mutating func add(_ groups: [PlayerStatus]) {
        for group in groups {
            let name = group.group ?? ""
            add(
                "tutti_group_playing", .gauge, group.state == .playing ? 1 : 0, ["group": name],
                help: "Whether the group plays.")
            add(
                "tutti_group_queue_entries", .gauge, Double(group.queue.length), ["group": name],
                help: "Entries in the group's queue.")
            add(
                "tutti_group_encode_seconds_total", .counter, group.encoding?.processorSeconds, ["group": name],
                help: "Time of a processor for reading, decoding, converting and encoding.")
            add(
                "tutti_group_encoded_seconds_total", .counter, group.encoding?.soundSeconds, ["group": name],
                help: "How much sound was encoded.")
            for room in group.rooms { add(room, of: name, at: group.position) }
        }
    }

    private mutating func add(_ room: RoomStatus, of group: String, at position: Double) {
        let labels: KeyValuePairs = ["group": group, "room": room.name]
        let isUp = room.state != .unreachable && room.state != .connecting
        add("tutti_room_up", .gauge, isUp ? 1 : 0, labels, help: "Whether the room is connected.")
        add(
            "tutti_room_playing", .gauge, room.state == .playing ? 1 : 0, labels, help: "Whether there is sound.")
        add(
            "tutti_room_volume_ratio", .gauge, room.volume.map { $0 / 100 }, labels,
            help: "How loud the room is, 0 to 1.")
        add("tutti_room_muted", .gauge, room.muted.map { $0 ? 1 : 0 }, labels, help: "Whether the room is muted.")
        if isUp { addBuffer(room, labels, position) }
        addSync(room, labels)
    }

    private mutating func addBuffer(_ room: RoomStatus, _ labels: KeyValuePairs<String, String>, _ position: Double) {
        add(
            "tutti_room_buffered_seconds", .gauge, room.loaded.seconds(ahead: position) ?? 0, labels,
            help: "How much the room holds from the place that is heard on.")
        add(
            "tutti_room_buffered_bytes", .gauge, room.bufferedBytes.map { Double($0) }, labels,
            help: "Encoded bytes that the room holds.")
        add(
            "tutti_room_stalls_total", .counter, Double(room.stalls), labels, help: "Times that audio ran out.")
        add(
            "tutti_room_xruns_total", .counter, Double(room.xruns), labels,
            help: "Times that the output device ran dry.")
    }

    private mutating func addSync(_ room: RoomStatus, _ labels: KeyValuePairs<String, String>) {
        func seconds(_ microseconds: Double?) -> Double? { microseconds.map { $0 / 1e6 } }
        func ratio(_ partsPerMillion: Double?) -> Double? { partsPerMillion.map { $0 / 1e6 } }
        add(
            "tutti_room_sync_error_seconds", .gauge, seconds(room.syncErrorUs), labels,
            help: "How late the sound was at the last measurement, by the room's own word.")
        add(
            "tutti_room_sync_error_p99_seconds", .gauge, seconds(room.syncErrorP99Us), labels,
            help: "The 99th percentile of the distance over the last minute.")
        add(
            "tutti_room_clock_uncertainty_seconds", .gauge, seconds(room.clockOffsetSigmaUs), labels,
            help: "Standard deviation of what is known of the group's clock.")
        add(
            "tutti_room_clock_drift_ratio", .gauge, ratio(room.clockDriftPpm), labels,
            help: "How much faster than the host's clock the group's clock runs.")
        add(
            "tutti_room_card_drift_ratio", .gauge, ratio(room.dacPpm), labels,
            help: "How much faster than the host's clock the output device's clock runs.")
        add(
            "tutti_room_round_trip_seconds", .gauge, seconds(room.rttUs), labels,
            help: "Round trip of the clock's messages.")
    }
}
