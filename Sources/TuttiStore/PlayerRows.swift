import GRDB
import Synchronization
package import TuttiSender

/// The rows of the store in which one player writes down what it would need to go on.
///
/// What cannot be stored is kept here, and stored with the next change that can be.
package final class PlayerRows: PlayerJournal {
    private let store: HouseStore
    private let name: String
    private let state = Mutex(State())

    private struct State {
        /// The player's number in the store, once it has rows.
        var number: Int64?
        /// What has not been stored.
        var pending = PlayerChange()
        /// Whether the player is over, and nothing of it is kept any more.
        var isOver = false
    }

    /// Rows for a player of the group `name`.
    ///
    /// - Parameter number: its number, when it has been stored before.
    package init(_ store: HouseStore, name: String, number: Int64? = nil) {
        self.store = store
        self.name = name
        state.withLock { $0.number = number }
    }

    package func store(_ change: PlayerChange) {
        state.withLock { state in
            guard !state.isOver else { return }
            let all = state.pending.followed(by: change)
            do {
                state.number = try store.store(all, of: name, number: state.number)
                state.pending = PlayerChange()
            } catch {
                // The store has reported it.
                state.pending = all
            }
        }
    }

    /// Takes everything out of the store, for good.
    package func remove() {
        state.withLock { state in
            state.isOver = true
            if let number = state.number { try? store.removePlayer(number) }
        }
    }
}

extension PlayerChange {
    /// Both changes in one.
    func followed(by later: PlayerChange) -> PlayerChange {
        guard !later.isWhole else { return later }
        var both = self
        both.state = later.state ?? state
        both.order = later.order ?? order
        if !later.entries.isEmpty || !later.removed.isEmpty {
            let replaced = Set(later.removed + later.entries.map(\.id))
            both.entries = entries.filter { !replaced.contains($0.id) } + later.entries
            let present = Set(later.entries.map(\.id))
            both.removed = removed.filter { !present.contains($0) } + later.removed
        }
        return both
    }
}
