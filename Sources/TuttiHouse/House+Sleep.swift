import Logging
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Sleep timers: the end of what a group plays, after a while.
extension House {
    /// Sets, shows or cancels a group's sleep timer.
    func sleep(_ seconds: Double?, _ request: ControlRequest) async throws(SenderError) -> ControlResponse {
        let key = try await key(for: request)
        if let seconds {
            guard seconds == 0 || (1...86_400).contains(seconds) else {
                throw .badOption("a sleep timer takes from a second to a day")
            }
            try forget(sleepOf: key)
            if seconds > 0 {
                let record = ScheduleRecord(
                    when: "in \(Int(seconds))s", made: Int64(configuration.wallClock()), group: key, order: nil)
                schedules[try store.addSchedule(record)] = record
            }
            wake()
        }
        var response = ControlResponse(status: await playing[key]?.player.status().labelled(names[key]))
        response.sleep = secondsToSleep(of: key)
        return response
    }

    /// Seconds until a group ends; nil without a timer.
    func secondsToSleep(of key: String) -> Double? {
        timer(of: key).flatMap { next($0.record) }.map { max(0, Double($0) - configuration.wallClock()) }
    }

    private func timer(of key: String) -> (number: Int, record: ScheduleRecord)? {
        schedules.first { $0.value.order == nil && $0.value.group == key }.map { ($0.key, $0.value) }
    }

    private func forget(sleepOf key: String) throws(SenderError) {
        guard let (number, _) = timer(of: key) else { return }
        try store.removeSchedules([number])
        schedules[number] = nil
    }

    /// The group has ended, so its timer is forgotten.
    func forgetSleep(of key: String) {
        // The store reports what it cannot write; a timer of a group that does not play does nothing.
        try? forget(sleepOf: key)
    }

    /// Fades a group out and stops it, then restores the volume of its rooms.
    func fallAsleep(_ key: String) async {
        guard let group = playing[key] else { return }
        let rooms = await group.player.status().rooms
        let volumes = Dictionary(
            rooms.compactMap { room in room.volume.map { (room.name, $0) } }, uniquingKeysWith: { $1 })
        logger.info("the sleep timer stops the music", metadata: ["group": "\(names[key] ?? key)"])
        // Without a place to remember the volumes there is no fade.
        if (try? store.beginFades(volumes)) != nil {
            for room in volumes.keys {
                try? await group.player.setVolume(.to(0), room: room, rampMs: Self.fadeOut * 1_000)
            }
            try? await Task.sleep(for: .seconds(Self.fadeOut))
        }
        guard playing[key]?.serial == group.serial else { return }
        try? await group.player.pause()
        // Until the last sound has gone.
        try? await Task.sleep(for: .milliseconds(300))
        let fading = (try? store.fades()) ?? volumes
        for (room, volume) in volumes where fading[room] != nil {
            try? await group.player.setVolume(.to(volume), room: room)
        }
        try? await Task.sleep(for: .milliseconds(100))
        _ = try? await inTurn { () async throws(SenderError) in await self.end(key) }
        try? store.endFades(Array(volumes.keys))
    }
}
