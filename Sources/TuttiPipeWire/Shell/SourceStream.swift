import CPipeWire
import Glibc
import TuttiHost
import TuttiRealtime

/// A stream that captures what a node of the graph gives, for as long as it lives.
final class SourceStream {
    /// Frames that wait at most: more than a second.
    private static let capacity = 1 << 16
    /// Frames that come at once, if nobody on the graph needs more.
    private static let period = 480

    let ring = PCMRing(minimumFrames: SourceStream.capacity)
    /// Why it gives nothing more; nil while it does.
    private(set) var failure: String?
    private let bell: Bell
    private let stream: OpaquePointer
    private let hook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)

    /// Functions that PipeWire calls, which live as long as the program.
    private nonisolated(unsafe) static let events: UnsafeMutablePointer<pw_stream_events> = {
        let events = UnsafeMutablePointer<pw_stream_events>.allocate(capacity: 1)
        events.initialize(to: pw_stream_events())
        events.pointee.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.pointee.state_changed = { data, _, state, error in
            guard let data, state == PW_STREAM_STATE_ERROR || state == PW_STREAM_STATE_UNCONNECTED else { return }
            let stream = Unmanaged<SourceStream>.fromOpaque(data).takeUnretainedValue()
            stream.failure = error.map { String(cString: $0) } ?? "it was taken off the graph"
        }
        events.pointee.process = { data in
            guard let data else { return }
            Unmanaged<SourceStream>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.process() }
        }
        return events
    }()

    /// Begins to capture a node.
    ///
    /// - Parameter bell: is rung when there is more.
    init(_ server: PipeWireServer, _ node: SoundNodes.Node, name: String, bell: Bell) throws(PipeWireError) {
        guard let properties = tutti_pw_properties() else { throw .unusable(String(cString: strerror(errno))) }
        let own = "tutti.input.\(name)"
        for (key, value) in [
            ("media.type", "Audio"), ("media.category", "Capture"), ("media.role", "Music"), ("node.name", own),
            ("node.description", "Tutti input \(name)"), ("target.object", node.serial ?? node.name),
            ("node.latency", "\(Self.period)/\(SinkStream.rate)"), ("state.restore-props", "false"),
            // It is this node or none: nobody wants another microphone.
            ("node.dont-reconnect", "true"), ("stream.capture.sink", node.isSink ? "true" : "false"),
        ] {
            pw_properties_set(properties, key, value)
        }
        guard let stream = pw_stream_new(server.core, own, properties) else {
            throw .refused(name: own, reason: String(cString: strerror(errno)))
        }
        (self.stream, self.bell) = (stream, bell)
        hook.initialize(to: spa_hook())
        pw_stream_add_listener(stream, hook, Self.events, Unmanaged.passUnretained(self).toOpaque())
        let result = tutti_pw_connect_source(stream, UInt32(SinkStream.rate))
        guard result >= 0 else { throw .refused(name: own, reason: String(cString: strerror(-result))) }
    }

    deinit {
        pw_stream_destroy(stream)
        hook.deallocate()
    }

    /// RT: PipeWire's own thread calls it.
    private func process() {
        // What does not fit is lost: its reader is much too slow.
        StreamBuffers.take(from: stream) { _ = ring.write($0.span) }
        bell.ring()
    }
}
