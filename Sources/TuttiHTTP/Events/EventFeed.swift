package import NIOCore
import Synchronization
import TuttiSchema

/// One watch at the service's socket, for all listeners. Each listener reads from the same ring at its own pace, so
/// nothing is kept for one of them.
package final class EventFeed: Sendable {
    /// What a listener is to do next.
    package enum Step: Sendable {
        /// These bytes, and to be where the cursor is; without bytes, there is nothing for it on the way there.
        case send(ByteBuffer, EventRing.Cursor)
        /// Nothing has happened for a while; a comment shows that the connection lives.
        case keepAlive
        /// The program ends.
        case end
    }

    private struct Listener {
        let channel: any Channel
        /// The only group that it may hear of; nil for one that may hear everything.
        let group: String?
        /// Since when it has been sent something that it does not read; nil while it waits for events.
        var writing: NIODeadline?
        /// When it was last sent something.
        var sent: NIODeadline
        var waiter: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var ring = EventRing(epoch: .random(in: 1 ... .max))
        var listeners: [Int: Listener] = [:]
        var lastListener = 0
        var isEnding = false
    }

    /// Listeners at a time.
    package static let mostListeners = 256
    private static let keepAlive = TimeAmount.seconds(15)
    /// How long a listener may leave unread what it is sent.
    private static let patience = TimeAmount.seconds(10)

    private let link: ServiceLink
    private let state = Mutex(State())

    /// The events of a service.
    package init(_ link: ServiceLink) { self.link = link }

    /// Listeners now.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    // MARK: The watch

    /// Watches the service, again and again, until the task is cancelled.
    package func run() async {
        async let sweeping: Void = sweep()
        var pause = 100
        while !Task.isCancelled {
            let began = NIODeadline.now()
            try? await watch()
            // What lasted was well; what failed at once is tried less and less often.
            pause = NIODeadline.now() - began > .seconds(5) ? 100 : min(pause * 2, 2_000)
            try? await Task.sleep(for: .milliseconds(pause))
        }
        await sweeping
    }

    private func watch() async throws {
        var request = ControlRequest(.watch)
        request.target = .all
        try await link.connect().executeThenClose { [request] inbound, outbound in
            try await outbound.write(ServiceLink.line(request))
            var lines = LineSplitter(limit: ServiceLink.longestLine)
            var isAnswered = false
            defer { if isAnswered { add(Array(#"{"event":"service","running":false}"#.utf8)) } }
            for try await buffer in inbound {
                for line in try lines.split(buffer.readableBytesView) {
                    if isAnswered {
                        add(line)
                        continue
                    }
                    guard let response: ControlResponse = JSONLine.decode(line), response.ok else { return }
                    isAnswered = true
                    renew()
                }
            }
        }
    }

    /// What an event is called, and who gets it.
    package static func address(of line: [UInt8]) -> (name: String, audience: EventRing.Audience) {
        struct Event: Decodable { let event: String, group: String?, what: String? }
        let event: Event? = JSONLine.decode(line)
        guard let event, event.event.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return ("message", .household) }
        if let group = event.group { return (event.event, .group(group)) }
        // These say no more than that something is to be read again.
        let isOpen = event.event == "service" || event.event == "changed" && event.what == "rooms"
        return (event.event, isOpen ? .all : .household)
    }

    /// Begins anew: nobody knows what has happened meanwhile.
    private func renew() { change { $0 = EventRing(epoch: .random(in: 1 ... .max)) } }

    private func add(_ line: [UInt8]) {
        let (name, audience) = Self.address(of: line)
        change { $0.append(name, line, for: audience) }
    }

    private func change(_ body: (inout EventRing) -> Void) {
        let waiters = state.withLock { state in
            body(&state.ring)
            return Self.takeWaiters(&state) { _ in true }
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func takeWaiters(
        _ state: inout State, where isDue: (Listener) -> Bool
    ) -> [CheckedContinuation<Void, Never>] {
        var waiters: [CheckedContinuation<Void, Never>] = []
        for (number, listener) in state.listeners where isDue(listener) {
            guard let waiter = listener.waiter else { continue }
            waiters.append(waiter)
            state.listeners[number]?.waiter = nil
        }
        return waiters
    }

    // MARK: Listeners

    /// Adds a listener.
    ///
    /// - Parameter group: the only group that it may hear of; nil for one that may hear everything.
    /// - Returns: its number; nil if there are too many.
    package func enter(on channel: any Channel, group: String? = nil) -> Int? {
        state.withLock { state in
            guard state.listeners.count < Self.mostListeners, !state.isEnding else { return nil }
            state.lastListener += 1
            state.listeners[state.lastListener] = Listener(channel: channel, group: group, sent: .now())
            return state.lastListener
        }
    }

    /// Removes a listener.
    package func leave(_ number: Int) {
        let waiter = state.withLock { $0.listeners.removeValue(forKey: number)?.waiter }
        waiter?.resume()
    }

    /// Waits for what a listener is to be sent.
    package func step(of number: Int, after cursor: EventRing.Cursor?) async -> Step {
        if let step = due(number, cursor) { return step }
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                guard !state.isEnding, state.ring.end == cursor, state.listeners[number] != nil else { return true }
                state.listeners[number]?.waiter = continuation
                return false
            }
            if isLate { continuation.resume() }
        }
        return due(number, cursor) ?? .keepAlive
    }

    private func due(_ number: Int, _ cursor: EventRing.Cursor?) -> Step? {
        state.withLock { state in
            guard !state.isEnding, let listener = state.listeners[number] else { return .end }
            let (bytes, next) = state.ring.next(after: cursor, for: listener.group)
            if bytes.readableBytes > 0 { return .send(bytes, next) }
            if next == cursor { return nil }
            // Others are told something all the time, and this one is not.
            return NIODeadline.now() - listener.sent > Self.keepAlive ? .keepAlive : .send(bytes, next)
        }
    }

    /// Notes that a listener is being sent something, or has taken it.
    package func note(_ number: Int, isWriting: Bool) {
        state.withLock { state in
            state.listeners[number]?.writing = isWriting ? .now() : nil
            state.listeners[number]?.sent = .now()
        }
    }

    /// Drops listeners that do not read, and wakes those that have heard nothing for a while.
    private func sweep() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let now = NIODeadline.now()
            let (waiters, stuck) = state.withLock { state in
                let stuck = state.listeners.values.filter { $0.writing.map { now - $0 > Self.patience } ?? false }
                return (
                    Self.takeWaiters(&state) { now - $0.sent > Self.keepAlive }, stuck.map(\.channel)
                )
            }
            for channel in stuck { channel.close(promise: nil) }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Lets all listeners go.
    package func end() {
        let waiters = state.withLock { state in
            state.isEnding = true
            return Self.takeWaiters(&state) { _ in true }
        }
        for waiter in waiters { waiter.resume() }
    }
}
