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
    /// It takes no node of this name.
    case refused(name: String, reason: String)

    package var description: String {
        switch self {
        case .unusable(let reason): "PipeWire's library cannot be used: \(reason)"
        case .unreachable(let reason):
            "PipeWire does not answer: \(reason); start this program in a session in which it runs"
        case .gone: "PipeWire is gone"
        case .refused(let name, let reason): "PipeWire takes no node \(name): \(reason)"
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
    private let graphEvents = UnsafeMutablePointer<pw_registry_events>.allocate(capacity: 1)
    private let registry: OpaquePointer?

    /// What the server's callbacks see.
    private struct State {
        var (hook, graphHook) = (spa_hook(), spa_hook())
        var isGone = false
        var names = ProgramNames()
        var nodes = SoundNodes()
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
        graphEvents.initialize(to: pw_registry_events())
        graphEvents.pointee.version = UInt32(PW_VERSION_REGISTRY_EVENTS)
        graphEvents.pointee.global = { data, number, _, name, _, properties in
            guard let data, let name else { return }
            let (state, type) = (data.assumingMemoryBound(to: State.self), String(cString: name))
            state.pointee.nodes.add(number, type, properties)
            guard let object = ProgramNames.Object(type, properties) else { return }
            state.pointee.names.add(object, number: number)
        }
        graphEvents.pointee.global_remove = { data, number in
            guard let state = data?.assumingMemoryBound(to: State.self) else { return }
            state.pointee.names.remove(number)
            state.pointee.nodes.remove(number)
        }
        registry = tutti_pw_watch(core, &state.pointee.graphHook, graphEvents, state)
    }

    deinit {
        if let registry { pw_proxy_destroy(registry) }
        pw_core_disconnect(core)
        pw_context_destroy(context)
        pw_loop_destroy(loop)
        events.deallocate()
        graphEvents.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// The names of the programs that play into a sink; nil for none.
    func programs(playingTo sink: SinkStream) -> String? { state.pointee.names.programs(playingTo: sink.node) }

    /// The node of a name; nil while it is not there.
    func node(named name: String) -> SoundNodes.Node? { state.pointee.nodes.node(named: name) }

    /// Readable when there is something to do.
    var descriptor: Int32 { tutti_pw_loop_descriptor(loop) }

    /// Does what there is to do.
    func turn() throws(PipeWireError) {
        tutti_pw_loop_turn(loop)
        if state.pointee.isGone { throw .gone }
    }
}

extension ProgramNames.Object {
    /// What PipeWire tells of; nil for what nobody needs.
    fileprivate init?(_ type: String, _ properties: UnsafePointer<spa_dict>?) {
        guard let properties else { return nil }
        func text(_ key: String) -> String? { spa_dict_lookup(properties, key).map { String(cString: $0) } }
        func number(_ key: String) -> UInt32? { text(key).flatMap { UInt32($0) } }
        switch type.split(separator: ":").last {
        case "Client":
            guard let name = text(PW_KEY_APP_NAME) else { return nil }
            self = .program(name: name)
        case "Node":
            guard let program = number(PW_KEY_CLIENT_ID) else { return nil }
            self = .node(program: program)
        case "Link":
            guard let from = number(PW_KEY_LINK_OUTPUT_NODE), let to = number(PW_KEY_LINK_INPUT_NODE) else {
                return nil
            }
            self = .link(from: from, to: to)
        default: return nil
        }
    }
}

extension SoundNodes {
    /// Takes what PipeWire tells of.
    fileprivate mutating func add(_ number: UInt32, _ type: String, _ properties: UnsafePointer<spa_dict>?) {
        guard type.hasSuffix(":Node"), let properties else { return }
        func text(_ key: String) -> String? { spa_dict_lookup(properties, key).map { String(cString: $0) } }
        guard let name = text("node.name"), let mediaClass = text("media.class") else { return }
        add(number, name: name, mediaClass: mediaClass, serial: text("object.serial"))
    }
}
