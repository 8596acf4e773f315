import Dispatch
package import Logging
import Synchronization
import TuttiCore
import TuttiHost
package import TuttiRemote
import TuttiSchema

/// Shows a service to a broker, and gives it the commands that come from there.
///
/// Threads: the watch of the service, the broker's client, one that publishes, and those that carry out commands. The
/// model and the queue decide under a lock, and nobody waits for anybody else.
package final class HomeBridge: Sendable {
    /// Commands that are carried out at the same time: one that waits for a room that does not answer holds up others
    /// of its own line only.
    private static let runners = 3

    private struct State {
        var model: HomeModel
        var limit = LogLimit()
        /// What was said last of the connection to the broker, and of the service.
        var trouble: String?
        var isServiceThere: Bool?
    }

    private let state: Mutex<State>
    private let commands = Mutex(CommandQueue())
    private let toPublish = DispatchSemaphore(value: 0)
    private let toCarryOut = DispatchSemaphore(value: 0)
    private let broker = Mutex<BrokerClient?>(nil)
    private let client: ServiceClient
    private let logger: Logger

    /// A bridge that does nothing yet.
    package init(_ model: HomeModel, client: ServiceClient, logger: Logger) {
        state = Mutex(State(model: model))
        (self.client, self.logger) = (client, logger)
    }

    /// Begins.
    ///
    /// - Throws: `BrokerClient.Failure` for settings that cannot be used, `HostError` where there are no threads.
    package func start(_ settings: BrokerSettings) throws {
        let (topics, farewell) = state.withLock { ($0.model.topics, $0.model.farewell) }
        let broker = try BrokerClient(settings, subscriptions: topics.subscriptions, will: farewell) { self.take($0) }
        self.broker.withLock { $0 = broker }
        _ = try RealtimeThread.spawn(name: "publish", priority: nil) { self.publish(broker) }
        for number in 1...Self.runners {
            _ = try RealtimeThread.spawn(name: "command \(number)", priority: nil) { self.carryOut() }
        }
        let watch = ServiceWatch(client) { self.take($0) }
        _ = try RealtimeThread.spawn(name: "watch", priority: nil) { watch.run() }
        try broker.start()
    }

    /// Says goodbye to the broker, which does not wait for it.
    package func end() {
        let farewell = state.withLock { $0.model.farewell }
        broker.withLock { $0 }?.end(with: farewell)
    }

    // MARK: The service

    private func take(_ news: ServiceWatch.News) {
        let now = ServiceWatch.now
        let isThere: Bool
        switch news {
        case .event: return
        case .view(let view):
            isThere = true
            state.withLock { $0.model.take(view, at: now) }
        case .gone:
            isThere = false
            state.withLock { $0.model.serviceIsGone() }
        }
        toPublish.signal()
        let isNew = state.withLock { state in
            defer { state.isServiceThere = isThere }
            return state.isServiceThere != isThere
        }
        if isNew { logger.info(isThere ? "the service answers" : "the service does not answer; it is tried again") }
    }

    // MARK: The broker

    private func take(_ news: BrokerClient.News) {
        switch news {
        case .connected:
            state.withLock { state in
                state.model.connected()
                state.trouble = nil
            }
            logger.info("connected to the broker")
        case .gone(let reason):
            let isNew = state.withLock { state in
                state.model.disconnected()
                defer { state.trouble = reason }
                return state.trouble != reason
            }
            if isNew {
                logger.warning("no connection to the broker; it is tried again", metadata: ["reason": "\(reason)"])
            }
        case .message(let topic, let payload, let isRetained): take(topic, payload, isRetained)
        }
        toPublish.signal()
    }

    private func take(_ topic: String, _ payload: [UInt8], _ isRetained: Bool) {
        let now = ServiceWatch.now
        let model = state.withLock { state in
            switch state.model.topics.meaning(of: topic) {
            case .birth where !isRetained && payload == Array("online".utf8):
                state.model.homeAssistantStarted(at: now)
            case .configuration: state.model.found(topic, isEmpty: payload.isEmpty)
            default: break
            }
            return state.model
        }
        guard case .command(let place, let word) = model.topics.meaning(of: topic) else { return }
        // So somebody removes a retained message.
        if payload.isEmpty { return }
        do throws(CommandFault) {
            let command = try CommandReader(model).command(at: place, word, payload, isRetained: isRetained)
            guard commands.withLock({ $0.add(command, at: now) }) else { throw CommandFault("too many commands wait") }
            toCarryOut.signal()
        } catch {
            complain("a message was ignored", of: PeerText.shown(String(topic.prefix(256))), error.description)
        }
    }

    /// Publishes what is due, for ever.
    private func publish(_ broker: BrokerClient) -> Never {
        while true {
            let (messages, deadline) = state.withLock { state in
                (state.model.messages(at: ServiceWatch.now), state.model.deadline)
            }
            for message in messages { broker.publish(message) }
            guard let deadline else {
                toPublish.wait()
                continue
            }
            _ = toPublish.wait(timeout: .now() + max(0.01, deadline - ServiceWatch.now))
        }
    }

    // MARK: Commands

    /// Carries out commands, for ever.
    private func carryOut() -> Never {
        while true {
            toCarryOut.wait()
            let (command, late) = commands.withLock { $0.next(at: ServiceWatch.now) }
            for command in late { complain("a command was left out", of: command.name, "the service is too slow") }
            guard let command else { continue }
            do throws(ServiceClient.Failure) {
                _ = try client.ask(command.request)
                logger.debug("a command was carried out", metadata: ["command": "\(command.name)"])
            } catch {
                complain("a command was refused", of: command.name, "\(error)")
            }
            commands.withLock { $0.finished(command) }
            // Others of its line may wait.
            toCarryOut.signal()
        }
    }

    /// Logs what somebody else has done wrong, within limits.
    private func complain(_ what: Logger.Message, of name: String, _ reason: String) {
        guard let leftOut = state.withLock({ $0.limit.line(at: ServiceWatch.now) }) else { return }
        var metadata: Logger.Metadata = ["of": "\(name)", "reason": "\(reason)"]
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.notice(what, metadata: metadata)
    }
}
