package import TuttiAssets
import TuttiPlayback
import TuttiProduction
package import TuttiRooms

/// What a service asks of its players.
extension Player {
    /// Waits until it runs, and what it is to play is written down.
    package func begun() async {
        while isAlive, group.members.isEmpty, lookedUp.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
        commit()
    }

    /// Plays these tracks in place of all that is in the queue; what plays is over at once.
    ///
    /// - Parameter opened: one of them that has been opened already.
    /// - Throws: `.notNow` while the rooms are being connected, `.nothingPlaying` when it has ended.
    package func replaceAll(_ inputs: [AssetInput], opened: OpenedAsset? = nil) throws(SenderError) {
        defer { commit() }
        if phase == .connecting { throw .notNow("the rooms are still connecting") }
        for room in group.members where room.isTaken { room.takeOver() }
        failures.replace(with: [])
        production.prepare(opened)
        try edit { queue in
            let old = Set(queue.ids)
            queue.append(inputs.map(QueueItem.init))
            queue.remove(old)
        }
        if phase == .paused || phase == .filling(thenPlay: false) { try resume() }
    }
}
