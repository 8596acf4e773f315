import TuttiCore
import TuttiRooms
import TuttiSchema
package import TuttiSender

/// What those hear who watch all groups at once.
extension House {
    /// Begins to watch all groups, those that will play later too. First comes how each of them stands.
    package func watchAll() async -> ControlAnswer {
        let events = watchers.add { [weak self] number in
            Task { await self?.forgetWatcher(number) }
        }
        for (key, group) in playing {
            let status = await group.player.status().labelled(names[key] ?? key)
            watchers.tell(ControlEvent(ControlEvent.Kind.progress(status), group: names[key] ?? key))
        }
        return ControlAnswer(ControlResponse(), events: events)
    }

    /// What the groups are called that play.
    package var playingNames: Set<String> { Set(playing.keys.map { names[$0] ?? $0 }) }

    private func forgetWatcher(_ number: Int) { watchers.remove(number) }

    /// Tells of something that happened to a player.
    func pass(_ event: PlayerEvent, of key: String, _ serial: Int) {
        guard !watchers.isEmpty, playing[key]?.serial == serial else { return }
        watchers.tell(ControlEvent(event, group: names[key] ?? key))
    }

    /// Tells at once what a request has changed: the next progress of a player may be a second away.
    func tellWatchers(of request: ControlRequest, _ response: ControlResponse) {
        guard !watchers.isEmpty else { return }
        switch request.command {
        case .status, .queue, .watch, .levels, .schedules, .group(.list), .station(.list), .say, .effects(_, nil):
            return
        case .effects, .effectsFile, .stereo: return watchers.tell(ControlEvent(.changed(.rooms)))
        case .station: return watchers.tell(ControlEvent(.changed(.stations)))
        case .library(let command):
            if case .favourite = command { libraryChanged() }
            return
        case .playlist(let command):
            if !command.isReading { watchers.tell(ControlEvent(.changed(.playlists))) }
            return
        case .at, .cancel: return watchers.tell(ControlEvent(.changed(.schedules)))
        case .group(let command):
            watchers.tell(ControlEvent(.changed(.groups), group: command.name))
            if case .delete = command { watchers.tell(ControlEvent(.changed(.schedules))) }
            return
        case .player, .play, .sleep: break
        }
        let statuses = response.playing ?? response.status.map { [$0] } ?? []
        for var status in statuses {
            guard let name = status.group else {
                watchers.tell(ControlEvent(.changed(.rooms)))
                continue
            }
            status.sleep = secondsToSleep(of: Names.fold(name))
            watchers.tell(ControlEvent(ControlEvent.Kind.progress(status), group: name))
            if Self.edits.contains(request.word) || request.word == .play {
                watchers.tell(ControlEvent(.changed(.queue), group: name))
            }
        }
    }

    /// How the queues stand that are kept and do not play, the one that stopped last first.
    var stoppedStatuses: [PlayerStatus] {
        stopped.values.sorted { $0.serial > $1.serial }.map { queue in
            var status = PlayerStatus(queue.record, [])
            (status.state, status.rate) = (.stopped, 0)
            status.rooms = queue.record.rooms.map { room in
                RoomStatus(name: room.label, address: room.endpoint, state: .idle)
            }
            return status.labelled(queue.name.isEmpty ? nil : queue.name)
        }
    }
}
