import CPipeWire
import Glibc
import TuttiRemote

/// A sink on the graph.
final class SinkStream {
    /// What has happened since it was last asked for.
    struct News {
        /// Whether programs' sound comes in now, where that has changed.
        var isStreaming: Bool?
        /// What somebody has set.
        var level: GroupLevel?
        /// Why it is off the graph.
        var failure: String?
    }

    /// Samples a second.
    static let rate = 48_000

    private let tap: SinkTap
    private let stream: OpaquePointer
    private let hook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
    private var shown = tutti_pw_volume(volume: 1, muted: false)
    private var news = News()

    /// Functions that PipeWire calls, which live as long as the program.
    private nonisolated(unsafe) static let events: UnsafeMutablePointer<pw_stream_events> = {
        let events = UnsafeMutablePointer<pw_stream_events>.allocate(capacity: 1)
        events.initialize(to: pw_stream_events())
        events.pointee.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.pointee.state_changed = { data, _, state, error in
            guard let data else { return }
            let stream = Unmanaged<SinkStream>.fromOpaque(data).takeUnretainedValue()
            stream.stateChanged(state, error.map { String(cString: $0) })
        }
        events.pointee.param_changed = { data, id, parameter in
            guard let data, id == SPA_PARAM_Props.rawValue else { return }
            Unmanaged<SinkStream>.fromOpaque(data).takeUnretainedValue().volumeChanged(parameter)
        }
        events.pointee.process = { data in
            guard let data else { return }
            Unmanaged<SinkStream>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.process() }
        }
        return events
    }()

    /// Puts a sink on the graph.
    ///
    /// - Parameter latency: seconds from when sound comes until it is heard.
    init(_ server: PipeWireServer, _ sink: SinkSet.Sink, tap: SinkTap, latency: Double) throws(PipeWireError) {
        guard let properties = tutti_pw_properties() else { throw .unusable(String(cString: strerror(errno))) }
        for (key, value) in [
            ("media.class", "Audio/Sink"), ("node.name", sink.node), ("node.description", sink.description),
            ("media.icon-name", "audio-speakers"), ("node.virtual", "true"), ("audio.channels", "2"),
            // It does not become the usual output where there is another one.
            ("priority.session", "100"), ("state.restore-props", "false"),
        ] {
            pw_properties_set(properties, key, value)
        }
        guard let stream = pw_stream_new(server.core, sink.description, properties) else {
            throw .refused(name: sink.node, reason: String(cString: strerror(errno)))
        }
        (self.tap, self.stream) = (tap, stream)
        hook.initialize(to: spa_hook())
        pw_stream_add_listener(stream, hook, Self.events, Unmanaged.passUnretained(self).toOpaque())
        let result = tutti_pw_connect_sink(stream, UInt32(Self.rate), UInt64(latency * 1e9))
        guard result >= 0 else { throw .refused(name: sink.node, reason: String(cString: strerror(-result))) }
    }

    deinit {
        pw_stream_destroy(stream)
        hook.deallocate()
    }

    /// Takes what has happened.
    func takeNews() -> News {
        defer { news = News() }
        return news
    }

    /// Its number on the graph.
    var node: UInt32 { pw_stream_get_node_id(stream) }

    /// Whether it can show a volume yet.
    var isReady: Bool { tutti_pw_has_volume(stream) }

    /// Shows a volume, and leaves the samples as they are.
    func show(_ level: GroupLevel) {
        shown = tutti_pw_volume(volume: CubicVolume.linear(ofPercent: level.volume), muted: level.isMuted)
        tutti_pw_show_volume(stream, shown)
    }

    private func stateChanged(_ state: pw_stream_state, _ error: String?) {
        switch state {
        case PW_STREAM_STATE_STREAMING: news.isStreaming = true
        case PW_STREAM_STATE_PAUSED: news.isStreaming = false
        case PW_STREAM_STATE_ERROR, PW_STREAM_STATE_UNCONNECTED: news.failure = error ?? "it was taken off the graph"
        default: break
        }
    }

    /// Whoever sets a volume means the rooms': the samples, which PipeWire would scale by it, keep theirs.
    private func volumeChanged(_ parameter: UnsafePointer<spa_pod>?) {
        guard tutti_pw_read_volume(parameter, &shown) else { return }
        if isReady { tutti_pw_show_volume(stream, shown) }
        news.level = GroupLevel(volume: CubicVolume.percent(ofLinear: shown.volume), isMuted: shown.muted)
    }

    /// RT: PipeWire's own thread calls it.
    private func process() {
        StreamBuffers.take(from: stream) { tap.take($0) }
    }
}
