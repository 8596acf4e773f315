import Foundation
import Synchronization
package import TuttiSender

/// A journal that lasts as long as the test, and forgets nothing: each state that a player could be found in.
package final class MemoryJournal: PlayerJournal {
    private let state = Mutex<(record: PlayerRecord?, changes: [PlayerChange])>((nil, []))

    /// A journal that has a record already.
    package init(_ record: PlayerRecord? = nil) { state.withLock { $0.record = record } }

    /// Stores what has changed.
    package func store(_ change: PlayerChange) {
        state.withLock { state in
            state.record = PlayerRecord.applying(change, to: state.record)
            state.changes.append(change)
        }
    }

    /// What another player would find, as a file would give it back.
    package var record: PlayerRecord? {
        get throws {
            guard let record = state.withLock({ $0.record }) else { return nil }
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            return PlayerRecord(
                state: try decoder.decode(PlayerRecord.State.self, from: encoder.encode(record.state)),
                order: try decoder.decode(PlayerRecord.Order.self, from: encoder.encode(record.order)),
                entries: try decoder.decode([PlayerRecord.Entry].self, from: encoder.encode(record.entries)))
        }
    }

    /// All that was stored, in order.
    package var changes: [PlayerChange] { state.withLock { $0.changes } }
}
