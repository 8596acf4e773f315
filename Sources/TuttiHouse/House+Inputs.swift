import Logging
import TuttiAssets
import TuttiCore
package import TuttiRooms
import TuttiSchema
import TuttiSender

/// Live inputs that begin when something sounds.
extension House {
    /// How an input stands in its group.
    package enum InputStanding: Sendable, Equatable {
        /// It does not play there.
        case absent
        /// It plays, and has been silent for so many seconds.
        case playing(silence: Double)
    }

    /// The inputs that the settings name.
    package nonisolated var inputs: [LiveInput] { configuration.inputs }

    /// Plays an input in its group.
    ///
    /// - Throws: `.notNow` where another one plays there, or anything that it is not to interrupt.
    package func begin(_ input: LiveInput) async throws(SenderError) {
        guard let group = input.group else { return }
        let asset = AssetInput(uri: input.uri, title: input.name)
        if let player = playing[Names.fold(group)]?.player, await player.isAlive {
            let status = await player.status()
            let isIdle = status.state == .ended || status.state == .paused
            if let item = status.item, item.uri != input.uri, !isIdle {
                if let other = inputs.first(where: { $0.uri == item.uri }) {
                    throw .notNow("\(other.name) plays in \(group)")
                }
                if !input.interrupts { throw .notNow("something else plays in \(group)") }
            }
            return try await player.interrupt(with: asset)
        }
        var order = PlayOrder(inputs: [ControlInput(asset, directory: "/")])
        order.groups = [group]
        let (kept, plan) = (order, try await plan(order))
        _ = try await inTurn { () async throws(SenderError) in
            try await self.play(kept, plan, as: nil, keepsStopped: true)
        }
    }

    /// Whether a queue is nothing but an input of the settings: that leaves a stopped queue as it is.
    func isInput(_ record: PlayerRecord) -> Bool {
        record.inputs.allSatisfy { input in inputs.contains { $0.uri == input.uri } }
    }

    /// How an input stands.
    package func standing(of input: LiveInput) async -> InputStanding {
        guard let group = input.group, let player = playing[Names.fold(group)]?.player,
            let silence = await player.silence(of: input.uri)
        else { return .absent }
        return .playing(silence: silence)
    }

    /// An input is over: what it interrupted goes on.
    package func end(_ input: LiveInput) async throws(SenderError) {
        guard let group = input.group, let player = playing[Names.fold(group)]?.player else { return }
        try await player.endInterruption(by: input.uri)
    }
}
