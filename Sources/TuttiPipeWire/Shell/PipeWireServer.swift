import CPipeWire
import Glibc

/// Why there are no sinks.
package enum PipeWireError: Error, Equatable, CustomStringConvertible {
    /// The library cannot be used; its own words.
    case unusable(String)
    /// No server answers.
    case unreachable(String)
    /// The server is gone.
    case gone
    /// It takes no sink of this name.
    case refused(name: String, reason: String)

    package var description: String {
        switch self {
        case .unusable(let reason): "PipeWire's library cannot be used: \(reason)"
        case .unreachable(let reason):
            "PipeWire does not answer: \(reason); start this program in a session in which it runs"
        case .gone: "PipeWire is gone"
        case .refused(let name, let reason): "PipeWire takes no sink \(name): \(reason)"
        }
    }
}

/// A connection to the session's PipeWire. All calls are made by one thread, which also turns the loop.
final class PipeWireServer {
    private let loop: UnsafeMutablePointer<pw_loop>
    private let context: OpaquePointer
    let core: OpaquePointer
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    private let events = UnsafeMutablePointer<pw_core_events>.allocate(capacity: 1)

    /// What the server's callbacks see.
    private struct State {
        var hook = spa_hook()
        var isGone = false
    }

    init() throws(PipeWireError) {
        tutti_pw_init()
        guard let loop = tutti_pw_loop() else { throw .unusable(Self.reason) }
        guard let context = pw_context_new(loop, nil, 0) else {
            let reason = Self.reason
            pw_loop_destroy(loop)
            throw .unusable(reason)
        }
        guard let core = pw_context_connect(context, nil, 0) else {
            let reason = Self.reason
            pw_context_destroy(context)
            pw_loop_destroy(loop)
            throw .unreachable(reason)
        }
        (self.loop, self.context, self.core) = (loop, context, core)
        state.initialize(to: State())
        events.initialize(to: pw_core_events())
        events.pointee.version = UInt32(PW_VERSION_CORE_EVENTS)
        events.pointee.error = { data, id, _, result, _ in
            guard id == PW_ID_CORE, result == -EPIPE, let data else { return }
            data.assumingMemoryBound(to: State.self).pointee.isGone = true
        }
        tutti_pw_listen(core, &state.pointee.hook, events, state)
    }

    deinit {
        pw_core_disconnect(core)
        pw_context_destroy(context)
        pw_loop_destroy(loop)
        events.deallocate()
        state.deallocate()
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// Readable when there is something to do.
    var descriptor: Int32 { tutti_pw_loop_descriptor(loop) }

    /// Does what there is to do.
    func turn() throws(PipeWireError) {
        tutti_pw_loop_turn(loop)
        if state.pointee.isGone { throw .gone }
    }
}
