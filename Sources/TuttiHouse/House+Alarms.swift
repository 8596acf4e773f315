import Logging
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Alarms must play: a sleeping user cannot see that one will fail.
extension House {
    /// Checks a minute before a start whether it will play, and reports if not.
    func examine(_ number: Int, at time: Int64) async {
        guard let schedule = schedules[number], let order = schedule.order else { return }
        var problem: String?
        do throws(SenderError) {
            problem = try await plan(order, any: true).absences.first.map { "some rooms will be missing: \($0)" }
        } catch {
            problem = "\(error)"
        }
        guard schedules[number] != nil, schedules[number]?.problem != problem else { return }
        schedules[number]?.problem = problem
        if let record = schedules[number] { try? store.updateSchedule(number, record) }
        if let problem { await shout("will not play: \(problem)", number, schedule) }
    }

    /// Reports to the log and to everyone who watches what plays.
    func shout(_ text: String, _ number: Int, _ schedule: ScheduleRecord) async {
        let line = "schedule \(number) (\(schedule.when), \(schedule.group)) \(text)"
        logger.error("\(line)")
        for group in playing.values { await group.player.tell(line) }
    }

    /// What is wrong with schedules, a line each; `tutti status` shows it.
    var alarmProblems: [String] {
        schedules.sorted { $0.key < $1.key }.compactMap { number, schedule in
            schedule.problem.map { "schedule \(number) (\(schedule.when), \(schedule.group)): \($0)" }
        }
    }

    // MARK: Levels

    /// Makes an alarm's rooms audible, and remembers how they were.
    func raise(_ player: Player, _ order: PlayOrder) async {
        var before: [String: HouseStore.Level] = [:]
        var muted: [String] = []
        for room in await player.status().rooms {
            guard let volume = room.volume else { continue }
            let isMuted = room.muted ?? false
            if isMuted { muted.append(room.name) }
            if isMuted || order.volume != nil { before[room.name] = .init(volume: volume, isMuted: isMuted) }
        }
        guard !before.isEmpty else { return }
        // The store reports what it cannot write. Being audible matters more than restoring the volume.
        try? store.beginAlarm(before)
        for room in muted { try? await player.setMuted(false, room: room) }
    }

    /// What a group plays now is no longer an alarm.
    func putBackLevels(of key: String) {
        guard let player = playing[key]?.player else { return }
        Task { self.putBackLevels(in: await player.status().rooms.map(\.name)) }
    }

    /// An alarm is over: its rooms get back their volume, unless it was changed since.
    ///
    /// - Parameter rooms: nil for all that no alarm plays in, as after a start of the service.
    func putBackLevels(in rooms: [String]? = nil) {
        guard let levels = try? store.alarmLevels(), !levels.isEmpty else { return }
        Task {
            var busy: [String] = []
            if rooms == nil {
                for group in self.playing.values { busy += await group.player.status().rooms.map(\.name) }
            }
            for (room, level) in levels where rooms?.contains(room) ?? !busy.contains(room) {
                await self.putBack(level, in: room)
            }
        }
    }

    private func putBack(_ level: HouseStore.Level, in room: String) async {
        for _ in 0..<Self.attempts {
            if let key = await self.key(ofRoom: room), let player = playing[key]?.player {
                // The end of the next alarm puts it back.
                if playing[key]?.isAlarm == true { return }
                try? await player.setVolume(.to(level.volume), room: room, rampMs: 1_000)
                try? await player.setMuted(level.isMuted, room: room)
                break
            }
            let change = IdleRooms.Change.level(volume: level.volume, isMuted: level.isMuted)
            if (try? await idle.set(change, of: RoomAddress(name: room))) != nil { break }
            try? await Task.sleep(for: .seconds(1))
        }
        try? store.endAlarm([room])
    }

    private static let attempts = 10
}
