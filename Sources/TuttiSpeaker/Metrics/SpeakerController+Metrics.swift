import Synchronization
import TuttiCore
import TuttiHost
package import TuttiMetrics
import TuttiRendering
import TuttiSchema
import TuttiWire

/// The speaker's figures for Prometheus.
extension SpeakerController {
    /// All of them. Names and units are the service's where it has the same figure.
    package func metrics() -> MetricsText {
        let (status, _) = status(of: .owner)
        let labels: KeyValuePairs = ["room": name]
        var text = MetricsText()
        text.add(
            "tutti_speaker_info", .gauge, 1,
            ["room": name, "device": configuration.device, "version": ProgramVersion.current],
            help: "Which speaker this is.")
        text.add(
            "tutti_speaker_playing", .gauge, status.state == .playing ? 1 : 0, labels, help: "Whether there is sound.")
        text.add(
            "tutti_speaker_output_up", .gauge, renderer.trouble.isEmpty ? 1 : 0, labels,
            help: "Whether the output device works.")
        text.add(
            "tutti_speaker_senders", .gauge, Double(occupied.count), labels,
            help: "Senders that are connected, announcements included.")
        text.add("tutti_speaker_volume_ratio", .gauge, status.volume / 100, labels, help: "How loud it is, 0 to 1.")
        text.add("tutti_speaker_muted", .gauge, status.isMuted ? 1 : 0, labels, help: "Whether it is muted.")
        addSync(status, labels, to: &text)
        addStream(status, labels, to: &text)
        return text
    }

    private func addSync(
        _ status: SpeakerStatus, _ labels: KeyValuePairs<String, String>, to text: inout MetricsText
    ) {
        func seconds(_ microseconds: Double?) -> Double? { microseconds.map { $0 / 1e6 } }
        func ratio(_ partsPerMillion: Double?) -> Double? { partsPerMillion.map { $0 / 1e6 } }
        let history = renderer.counters.history
        text.add(
            "tutti_speaker_sync_error_seconds",
            MetricsHistogram(bounds: history.errors.bounds, counts: history.errors.counts, sum: history.errors.sum),
            labels, help: "How far the sound was from its place, measured with each period of the output device.")
        text.add(
            "tutti_speaker_sync_error_p99_seconds", .gauge, seconds(status.syncErrorP99Us), labels,
            help: "The 99th percentile of the distance over the last minute.")
        text.add(
            "tutti_speaker_clock_uncertainty_seconds", .gauge, seconds(status.clockOffsetSigmaUs), labels,
            help: "Standard deviation of what is known of the group's clock.")
        text.add(
            "tutti_speaker_clock_drift_ratio", .gauge, ratio(status.clockDriftPpm), labels,
            help: "How much faster than the host's clock the group's clock runs.")
        text.add(
            "tutti_speaker_card_drift_ratio", .gauge, ratio(status.dacPpm), labels,
            help: "How much faster than the host's clock the output device's clock runs.")
        text.add(
            "tutti_speaker_round_trip_seconds", .gauge, seconds(status.rttUs), labels,
            help: "Round trip of the clock's messages.")
    }

    private func addStream(
        _ status: SpeakerStatus, _ labels: KeyValuePairs<String, String>, to text: inout MetricsText
    ) {
        let counters = renderer.counters
        text.add(
            "tutti_speaker_buffered_seconds", .gauge,
            status.position.flatMap { status.loaded.seconds(ahead: $0.seconds) } ?? 0, labels,
            help: "How much it holds from the place that is heard on.")
        text.add(
            "tutti_speaker_buffered_bytes", .gauge, Double(status.bufferedBytes), labels,
            help: "Encoded bytes that it holds.")
        text.add(
            "tutti_speaker_stalls_total", .counter, Double(status.stalls), labels, help: "Times that audio ran out.")
        text.add(
            "tutti_speaker_xruns_total", .counter, Double(status.xruns), labels,
            help: "Times that the output device ran dry.")
        text.add(
            "tutti_speaker_received_bytes_total", .counter, Double(receivedBytes), labels,
            help: "Bytes that have come from senders.")
        text.add(
            "tutti_speaker_decode_seconds_total", .counter,
            Double(counters.decoding.load(ordering: .relaxed)) / 1e9, labels, help: "Time that decoding has taken.")
        text.add(
            "tutti_speaker_decoded_seconds_total", .counter,
            Double(counters.decoded.load(ordering: .relaxed)) / 1e9, labels, help: "How much sound was decoded.")
    }
}
