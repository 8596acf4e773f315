import Testing
import TuttiCore
import TuttiHTTP
import TuttiMetrics
import TuttiSchema

/// The figures of groups and rooms.
@Suite struct HouseMetricsTests {
    @Test("a room is told in base units; of one that is away only that")
    func rooms() throws {
        var bath = RoomStatus(name: "bath", address: "10.0.0.7:7700", state: .playing)
        (bath.volume, bath.muted, bath.bufferedBytes) = (40, false, 1_000)
        (bath.syncErrorUs, bath.dacPpm, bath.xruns) = (-2.5, 80, 3)
        bath.loaded = try #require(LoadedRanges(seconds: [[0, 300]]))
        let den = RoomStatus(name: "den", address: "10.0.0.8:7700", state: .unreachable)
        var group = PlayerStatus(
            state: .playing, position: 60, rate: 1, queue: .init(length: 2, index: 0), rooms: [bath, den])
        group.group = "all"
        group.encoding = PlayerStatus.Encoding(processorSeconds: 0.5, soundSeconds: 60)
        var metrics = MetricsText()
        metrics.add([group])
        let lines = Set(metrics.text.split(separator: "\n").map(String.init))
        let labels = #"{group="all",room="bath"}"#
        for line in [
            #"tutti_group_playing{group="all"} 1.0"#, #"tutti_group_queue_entries{group="all"} 2.0"#,
            #"tutti_group_encode_seconds_total{group="all"} 0.5"#,
            #"tutti_group_encoded_seconds_total{group="all"} 60.0"#,
            "tutti_room_up\(labels) 1.0", "tutti_room_volume_ratio\(labels) 0.4", "tutti_room_muted\(labels) 0.0",
            "tutti_room_buffered_seconds\(labels) 240.0", "tutti_room_buffered_bytes\(labels) 1000.0",
            "tutti_room_xruns_total\(labels) 3.0", "tutti_room_sync_error_seconds\(labels) -2.5e-06",
            "tutti_room_card_drift_ratio\(labels) 8e-05", #"tutti_room_up{group="all",room="den"} 0.0"#,
        ] { #expect(lines.contains(line), "\(line)\n\(metrics.text)") }
        #expect(lines.filter { $0.contains(#"room="den""#) }.count == 2)
    }
}
