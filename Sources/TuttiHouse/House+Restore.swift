import Logging
import TuttiCore
import TuttiRooms
import TuttiSender
import TuttiStore

/// Continuing where an earlier process of the service stopped or died.
extension House {
    /// Makes a player for each that the store has and that is wanted; stopped queues stay stopped.
    func restore(_ isWanted: (HouseStore.StoredPlayer) async -> Bool) async throws(SenderError) {
        for stored in try store.players().found {
            let rows = PlayerRows(store, name: stored.name, number: stored.number)
            if stored.record.state.isStopped == true {
                stopped[Names.fold(stored.name)] = Stopped(
                    serial: nextSerial(), name: stored.name, rows: rows, record: stored.record)
                continue
            }
            guard await isWanted(stored) else { continue }
            // It waited for an instant that its schedule knows, so the schedule starts it again.
            if isAwaited(stored) {
                rows.remove()
                continue
            }
            do throws(SenderError) {
                var configuration = try stored.record.configuration(
                    identity: configuration.identity, clock: configuration.clock)
                configuration.loudness = loudnessLookup
                configuration.tags = self.configuration.tags
                let player = try Player(configuration, restoring: stored.record, journal: rows)
                enter(Playing(serial: nextSerial(), player: player, rows: rows), as: stored.name)
                let rooms = stored.record.state.rooms.map(\.address.label).joined(separator: " ")
                logger.info(
                    "playback continues after a restart", metadata: ["group": "\(stored.name)", "rooms": "\(rooms)"])
            } catch {
                rows.remove()
                logger.error("cannot continue playback: \(error)", metadata: ["group": "\(stored.name)"])
            }
        }
        if !isVisiting { finishFades() }
    }

    private func isAwaited(_ stored: HouseStore.StoredPlayer) -> Bool {
        guard stored.record.state.line.rate == 0, !stored.record.state.isHeld else { return false }
        let now = configuration.wallClock()
        return schedules.values.contains { schedule in
            guard schedule.order != nil, Names.areSame(schedule.group, stored.name),
                let next = next(schedule)
            else { return false }
            return Double(next) - now < House.lead + 1
        }
    }
}
