import Dispatch
import Glibc
package import Logging
import TuttiHost
import TuttiRemote
import TuttiSchema

/// The groups of a service as sinks of a session's PipeWire, for as long as the program runs.
///
/// One thread keeps all state and turns PipeWire's loop. It waits for that, for sockets and for the inbox, and for nothing
/// else. A watch of the service and its answers come from other threads; samples come from PipeWire's real-time thread.
package final class PipeWireSession {
    /// What to serve.
    package struct Configuration: Sendable {
        /// Finds the service's control socket.
        package var socket: @Sendable () -> String
        /// Where the sockets with samples are.
        package var folder: String
        /// Seconds from when a program plays something until it is heard.
        package var latency: Double
        /// Seconds without sound after which a group is silent.
        package var idle: Double
        /// What people see that plays.
        package var title: String
        /// Sources and sinks whose sound services can have.
        package var inputs: [OfferedInput] = []

        /// What to serve.
        package init(
            socket: @escaping @Sendable () -> String, folder: String, latency: Double, idle: Double, title: String
        ) {
            (self.socket, self.folder, self.latency, self.idle, self.title) = (socket, folder, latency, idle, title)
        }
    }

    private static let mostRereadings = 3

    private let server: PipeWireServer
    private let queue = DispatchQueue(label: "levels")
    private let inbox: Inbox
    private let configuration: Configuration
    private let logger: Logger

    private var sinks = SinkSet()
    private var outlets: [String: SinkOutlet] = [:]
    private var inputs: [InputOutlet] = []
    private var client: ServiceClient?
    private var view: HouseView?
    private var numbers = 0
    /// When the service is asked again how loud rooms are, and how often it is until there is other news of it.
    private var rereadAt: Double?
    private var rereadings = 0

    /// Connects to PipeWire. The folder for the sockets is there.
    ///
    /// - Throws: `PipeWireError`, or `HostError` where this host lacks something.
    package init(_ configuration: Configuration, logger: Logger) throws {
        server = try PipeWireServer()
        inbox = try Inbox(InboxContent())
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// Ends `run`, from any thread.
    package var end: @Sendable () -> Void { { [inbox] in inbox.put { $0.isOver = true } } }

    /// Serves until `end` is called.
    ///
    /// - Throws: `PipeWireError.gone` when PipeWire is gone, `HostError` where the kernel makes no thread.
    package func run() throws {
        defer { (outlets, inputs) = ([:], []) }
        inputs = configuration.inputs.map {
            InputOutlet($0, folder: configuration.folder, bell: inbox.bell, at: ServiceWatch.now, logger: logger)
        }
        let watch = ServiceWatch(locating: configuration.socket) { [inbox] client, news in
            switch news {
            case .view(let view): inbox.put { $0.house = (client, view) }
            case .gone: inbox.put { $0.house = (client, nil) }
            case .event: break
            }
        }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
        logger.info("ready", metadata: ["socket": "\(configuration.socket())", "folder": "\(configuration.folder)"])
        while true {
            let content = inbox.take()
            if content.isOver { return }
            try server.turn()
            let now = ServiceWatch.now
            take(content, at: now)
            if let client, let rereadAt, now >= rereadAt { reread(client) }
            for (key, outlet) in outlets where !outlet.serve(client, at: now) {
                outlets[key] = nil
                sinks.forget(key)
            }
            for input in inputs { input.serve(server, at: now) }
            wait()
        }
    }

    private func wait() {
        var places = [
            pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        places += outlets.values.flatMap(\.places) + inputs.flatMap(\.places)
        let deadline = (outlets.values.map(\.deadline) + inputs.map(\.deadline) + [rereadAt]).compactMap(\.self).min()
        let left = deadline.map { max(0, ($0 - ServiceWatch.now) * 1000).rounded(.up) }
        poll(&places, nfds_t(places.count), left.map { Int32(min($0, 60_000)) } ?? -1)
    }

    // MARK: What comes in

    private func take(_ content: InboxContent, at now: Double) {
        for completion in content.completions {
            // One that is gone needs no answer.
            outlets.values.first { $0.number == completion.outlet }?.complete(completion.kind, client, at: now)
        }
        if let levels = content.levels {
            view?.add(levels: levels)
            show(at: now)
        }
        guard let (client, view) = content.house else { return }
        if view == nil { noteAbsence(of: client) }
        if view != nil, self.view == nil { logger.info("service found", metadata: ["socket": "\(client.path)"]) }
        (self.client, self.view) = (view == nil ? nil : client, view)
        rereadings = 0
        show(at: now)
    }

    /// Shows what is known now.
    private func show(at now: Double) {
        for effect in sinks.take(view, isComplete: rereadings >= Self.mostRereadings) { carryOut(effect, at: now) }
        rereadAt = nil
        guard let view, !sinks.unknown(in: view).isEmpty, rereadings < Self.mostRereadings else { return }
        rereadings += 1
        rereadAt = now + Double(rereadings)
    }

    private func reread(_ client: ServiceClient) {
        rereadAt = nil
        let names = view.map { sinks.unknown(in: $0).map(\.name) } ?? []
        queue.async { [inbox] in
            let requests = names.map { ControlRequest(.levels(room: nil), group: $0.isEmpty ? nil : $0) }
            let rooms = requests.flatMap { (try? client.ask($0))?.status?.rooms ?? [] }
            inbox.put { $0.levels = rooms }
        }
    }

    private func noteAbsence(of client: ServiceClient) {
        let isForbidden = access(client.path, W_OK) != 0 && errno == EACCES
        let reason =
            isForbidden
            ? "you may not open the service's socket: join the group that owns it"
            : "no service answers; waiting for one"
        logger.notice("\(reason)", metadata: ["socket": "\(client.path)"])
    }

    private func carryOut(_ effect: SinkSet.Effect, at now: Double) {
        switch effect {
        case .appear(let key):
            guard let sink = sinks.sinks[key] else { return }
            numbers += 1
            do {
                outlets[key] = try SinkOutlet(
                    numbers, sink, on: server, configuration, inbox: inbox, logger: logger)
                logger.info("sink", metadata: ["name": "\(sink.node)"])
            } catch {
                logger.warning("a group is no sink: \(error)", metadata: ["name": "\(sink.node)"])
                sinks.forget(key)
            }
        case .vanish(let key):
            guard let outlet = outlets.removeValue(forKey: key) else { return }
            logger.info("sink gone", metadata: ["name": "\(outlet.sink.node)"])
        case .change(let key):
            guard let outlet = outlets[key], let sink = sinks.sinks[key] else { return }
            outlet.take(sink, client, at: now)
        }
    }
}
