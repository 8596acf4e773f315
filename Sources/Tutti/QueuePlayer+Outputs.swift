import Synchronization
import TuttiRooms
import TuttiSender

/// Outputs that come and go while it plays.
extension QueuePlayer {
    /// Where it plays.
    public var outputs: [Output] { places.withLock { $0 } }

    /// Plays in one more place: it falls in where the others are, within a second or two.
    ///
    /// - Throws: `output` when a device of this host cannot be opened, `invalid` for the name of another local output,
    ///   `notNow` when it plays there already, `ended`.
    public func add(_ output: Output) async throws(QueuePlayerError) {
        guard await player.isAlive else { throw .ended }
        guard let room = output.localRoom else {
            guard let address = output.address else { return }
            try await ask { player throws(SenderError) in try await player.addRoom(address) }
            return places.withLock { $0.append(output) }
        }
        let address = try await local.add(room)
        do {
            try await ask { player throws(SenderError) in try await player.addRoom(address) }
        } catch {
            await local.remove(room.name)
            throw error
        }
        places.withLock { $0.append(output) }
    }

    /// Plays there no more: it fades out, and the others play on.
    ///
    /// - Throws: `room` when it does not play there, `notNow` before `play()` and when it is the only output, `ended`.
    public func remove(_ output: Output) async throws(QueuePlayerError) {
        guard outputs.contains(output) else { throw .room("\(output.label): no such output") }
        guard isRunning else { throw .notNow("outputs can be removed only while the player runs") }
        try await ask { player throws(SenderError) in try await player.removeRoom(output.label) }
        places.withLock { $0.removeAll { $0 == output } }
        if let room = output.localRoom { await local.remove(room.name) }
    }

    /// How well the pictures are shown on a screen of this program's; nil for any other output.
    public func videoPerformance(of output: Output) -> VideoPerformance? {
        output.localRoom.flatMap { local.videoPerformance(of: $0.name) }
    }
}
