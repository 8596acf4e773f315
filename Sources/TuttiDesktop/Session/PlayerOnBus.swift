import Dispatch
import TuttiRemote
import TuttiSchema

/// A player's connection to the bus, and the calls of it that the service has not answered yet.
final class PlayerOnBus {
    /// Actions that wait for the service at most.
    private static let mostWaiting = 128

    let bus: BusConnection
    private let busName: String
    private let key: String
    /// Commands of one player are carried out in order, and those of another do not wait for them.
    private let queue: DispatchQueue
    private var waiting: [UInt64: Waiting] = [:]
    /// The service has answered; the watch has not shown it yet.
    private var settling: [Settling] = []

    private struct Waiting {
        let message: BusMessage
        let action: PlayerAction
    }

    private struct Settling {
        let message: BusMessage
        let goal: MediaPlayer
        let deadline: Double
    }

    /// Seconds that a call waits after the answer, so that whoever reads a property then reads the new one.
    private static let settlingTime = 0.3

    /// - Parameters:
    ///   - busName: what it is called on the bus.
    ///   - key: which player it is.
    init(_ address: String, as busName: String, of key: String) throws(BusError) {
        bus = try BusConnection(address: address)
        try bus.own(busName)
        (self.busName, self.key) = (busName, key)
        queue = DispatchQueue(label: "commands of \(key)")
    }

    /// When something is to be done without anything coming in; nil for never.
    var deadline: Double? { settling.map(\.deadline).min() }

    /// Has the service carry out an action, and answers the call when it has.
    ///
    /// - Parameters:
    ///   - number: no other action's, of any player.
    ///   - report: called with what has become of it, on another thread.
    /// - Throws: that too many wait.
    func begin(
        _ action: PlayerAction, for message: BusMessage, number: UInt64, in group: HouseView.Group,
        asking client: ServiceClient, report: @escaping @Sendable (InboxContent.Completion) -> Void
    ) throws(BusFault) {
        guard waiting.count < Self.mostWaiting else {
            throw .limitsExceeded("\(Self.mostWaiting) commands wait for the service already")
        }
        waiting[number] = Waiting(message: message, action: action)
        queue.async { [key] in
            let result = Result { () throws(ServiceClient.Failure) in
                try action.carryOut(in: group) { (request) throws(ServiceClient.Failure) in try client.ask(request) }
            }
            report(InboxContent.Completion(player: key, number: number, result: result))
        }
    }

    /// Takes what has become of an action.
    ///
    /// - Parameter player: nil when it is gone.
    /// - Returns: the action, if it was carried out.
    func complete(_ completion: InboxContent.Completion, _ player: MediaPlayer?, at now: Double) -> PlayerAction? {
        guard let waiting = waiting.removeValue(forKey: completion.number) else { return nil }
        switch completion.result {
        case .failure(let failure):
            bus.refuse(waiting.message, .failed(failure.description))
            return nil
        case .success(let response):
            guard var goal = player else {
                bus.reply(to: waiting.message, [])
                return waiting.action
            }
            if let status = response.status, goal.group.status != nil, status.item != nil {
                var group = goal.group
                (group.status, group.statusTime) = (status, now)
                _ = goal.take(group, rooms: [], artwork: goal.properties.track?.artwork, at: now)
            }
            if case .command(.rate(let rate)) = waiting.action { _ = goal.noteRate(rate) }
            settling.append(Settling(message: waiting.message, goal: goal, deadline: now + Self.settlingTime))
            return waiting.action
        }
    }

    /// Answers the calls whose effects are seen, or were waited for long enough.
    func settle(_ player: MediaPlayer, at now: Double) {
        settling.removeAll { call in
            guard call.deadline <= now || call.goal.agrees(with: player, at: now) else { return false }
            bus.reply(to: call.message, [])
            return true
        }
    }

    /// Takes the player off the bus. Calls that the service has carried out are answered now, and others when it has: a
    /// player may be gone because it was stopped.
    func leave() {
        for call in settling { bus.reply(to: call.message, []) }
        settling = []
        bus.disown(busName)
        bus.exchange()
    }

    /// Sends what is still to be answered, and refuses what comes now.
    ///
    /// - Returns: whether it is through.
    func finish() -> Bool {
        bus.exchange()
        while let message = bus.next() { bus.refuse(message, .failed("this player is gone")) }
        return !bus.isConnected || waiting.isEmpty && !bus.wantsToWrite
    }
}
