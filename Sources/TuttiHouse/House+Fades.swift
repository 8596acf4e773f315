import Logging
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Rooms that become louder or softer bit by bit. How loud they are to be in the end is stored before it begins, so
/// that no room stays silent when this process dies in the midst of it.
extension House {
    /// Seconds at the end of a sleep timer in which the rooms become silent.
    static let fadeOut = 10.0
    /// Seconds of one step of a fade: the longest that rooms go by themselves.
    private static let step = 10.0
    /// Seconds for which the rooms of a new player are waited for.
    private static let timeout = 60.0

    /// Sets the rooms of a group that is about to begin to the volume of an order, at once or by and by.
    func comeUp(_ order: PlayOrder, _ key: String, _ start: HostTime?) {
        guard let serial = playing[key]?.serial else { return }
        Task { await self.comeUp(order, key, serial, start) }
    }

    private func comeUp(_ order: PlayOrder, _ key: String, _ serial: Int, _ start: HostTime?) async {
        guard let player = playing[key]?.player, await isConnected(player, key, serial) else { return }
        var targets: [String: Double] = [:]
        // Whoever is to be woken hears it.
        if start != nil { await raise(player, order) }
        for room in await player.status().rooms {
            // Its own volume, if the store knows better than a room that was left in the midst of a fade.
            let own = (try? store.fades()[room.name]) ?? room.volume
            if let volume = order.volume ?? own { targets[room.name] = min(volume, room.maxVolume ?? 100) }
        }
        guard let length = order.fade, length > 0 else {
            for (room, volume) in targets { try? await player.setVolume(.to(volume), room: room) }
            return
        }
        do throws(SenderError) { try store.beginFades(targets) } catch { return }
        for room in targets.keys { try? await player.setVolume(.to(0), room: room) }
        if let start {
            let wait = start.nanoseconds(since: configuration.clock.now())
            try? await Task.sleep(for: .nanoseconds(max(0, wait)))
        }
        await climb(targets, length: length, key, serial)
    }

    private func climb(_ targets: [String: Double], length: Double, _ key: String, _ serial: Int) async {
        let began = configuration.clock.now()
        var reached = 0.0
        while reached < length, let group = playing[key], group.serial == serial {
            let fading = (try? store.fades()) ?? [:]
            reached = min(length, reached + Self.step)
            let elapsed = Double(configuration.clock.now().nanoseconds(since: began)) / 1e9
            let ramp = max(50, (reached - elapsed) * 1_000)
            // Rooms that somebody has set meanwhile are left alone.
            for (room, volume) in targets where fading[room] != nil {
                try? await group.player.setVolume(.to(volume * reached / length), room: room, rampMs: ramp)
            }
            try? await Task.sleep(for: .milliseconds(Int64(ramp)))
        }
        try? store.endFades(Array(targets.keys))
    }

    /// Somebody has said how loud rooms are to be: their fades are over.
    func settleFades(of room: String?, in key: String) {
        if let levels = try? store.alarmLevels(), !levels.isEmpty {
            try? store.endAlarm(levels.keys.filter { room == nil || Names.areSame($0, room ?? "") })
        }
        guard let fading = try? store.fades(), !fading.isEmpty else { return }
        let ended = fading.keys.filter { room == nil || Names.areSame($0, room ?? "") }
        if !ended.isEmpty { try? store.endFades(ended) }
    }

    /// Brings rooms to the volume that they were on their way to when the last house ended.
    func finishFades() {
        guard let fading = try? store.fades(), !fading.isEmpty else { return }
        for (key, group) in playing {
            Task {
                guard await self.isConnected(group.player, key, group.serial) else { return }
                let present = await group.player.status().rooms.filter { fading[$0.name] != nil }
                for room in present {
                    try? await group.player.setVolume(.to(fading[room.name] ?? 0), room: room.name, rampMs: 1_000)
                }
                try? self.store.endFades(present.map(\.name))
            }
        }
    }

    /// Waits until the rooms of a player are there.
    private func isConnected(_ player: Player, _ key: String, _ serial: Int) async -> Bool {
        let deadline = configuration.clock.now().advanced(byNanoseconds: Int64(Self.timeout * 1e9))
        while playing[key]?.serial == serial, configuration.clock.now() < deadline {
            let status = await player.status()
            let isThere = !status.rooms.isEmpty && status.rooms.allSatisfy { $0.volume != nil }
            if isThere || status.state == .playing { return true }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
