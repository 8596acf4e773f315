import TuttiClock
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRooms
import TuttiSender
import TuttiSpeaker
import TuttiTiming
import TuttiWire

/// What is to be seen of the house.
extension World {
    package mutating func observe() -> HouseObservation {
        // One that stands still has played as far as it got; what came of that shows when it goes on.
        for speaker in speakers where speaker.isRunning { speaker.renderer?.play(until: agenda.now) }
        var house = HouseObservation(
            at: agenda.now, rooms: speakers.map(observe), senders: senders.map(observe), sides: sides)
        house.acquaintances = acquaintances(in: house)
        return house
    }

    // MARK: Rooms

    private func observe(_ speaker: SpeakerMachine) -> RoomObservation {
        let inspection = speaker.controller?.inspect()
        let due = inspection.flatMap { dueMedia(speaker, $0) }
        var room = RoomObservation(
            name: speaker.plan.name, isRunning: speaker.isRunning, incarnation: speaker.incarnation,
            isPlugged: speaker.stage.card.isPlugged, state: inspection?.playbackState.rawValue ?? "gone",
            owner: inspection?.sender.flatMap(nameOfSender), timebase: inspection.flatMap(timebase),
            isDue: due != nil,
            clock: speaker.clock.flatMap { observe($0, of: speaker.host) })
        room.truth = speaker.stage.truth
        speaker.stage.truth.forget()
        room.queueing = network.ports[speaker.host.number].queueing(at: agenda.now)
        guard let inspection else { return room }
        room.truth.played = room.truth.played.map(named)
        room.loaded = inspection.loaded.map { MediaSpan($0.start.nanoseconds, $0.end.nanoseconds) }
        room.holdsDue = due.map { holds($0, inspection) } ?? false
        room.generation = inspection.generation
        room.bufferedBytes = Int64(inspection.bufferedBytes) * Int64(SymbolicPacket.weight)
        room.bufferBytes = speaker.plan.bufferBytes
        (room.volume, room.isMuted) = (inspection.loudness.percent, inspection.loudness.isMuted)
        return room
    }

    /// Whether a room that has broken off would go on at `due`: it waits for a second of sound, or the programme's end.
    private func holds(_ due: MediaTime, _ inspection: SpeakerInspection) -> Bool {
        let last = due + MediaTime(frame: 1, sampleRate: 1)
        return inspection.loaded.contains { span in
            span.contains(due) && (span.end >= last || inspection.end.map { span.end >= $0 } ?? false)
        }
    }

    /// With the entry of the queue in place of the world's own number of it.
    private func named(_ span: PlayedSpan) -> PlayedSpan {
        var span = span
        let number = span.entry.map { UInt32(truncatingIfNeeded: $0) }
        span.entry = number.flatMap { number in
            senders.lazy.flatMap(\.groups).compactMap { $0.ids[number] }.first
        }
        return span
    }

    private func nameOfSender(_ id: String) -> String? {
        senders.first { "sender-\($0.host.number)" == id }?.plan.name
    }

    private func timebase(_ room: SpeakerInspection) -> TimebaseObservation? {
        room.timebase.map { timebase in
            TimebaseObservation(
                stream: room.stream ?? 0, timescale: timebase.groupTime.timescale.rawValue, rate: timebase.rate,
                media: timebase.mediaTime.nanoseconds, group: timebase.groupTime.nanoseconds)
        }
    }

    /// The place in the programme that is due; nil where none is.
    private func dueMedia(_ speaker: SpeakerMachine, _ room: SpeakerInspection) -> MediaTime? {
        guard let timebase = room.timebase, timebase.rate > 0, let now = speaker.clock?.now(),
            now.timescale == timebase.groupTime.timescale, now.nanoseconds >= timebase.groupTime.nanoseconds,
            let place = timebase.mediaTime(at: now), room.end.map({ place < $0 }) ?? true
        else { return nil }
        return place
    }

    // MARK: Senders

    private func observe(_ sender: SenderMachine) -> SenderObservation {
        let groups = sender.groups.map { observe($0, of: sender) }
        let clocks = sender.clocks.filter { !$0.isStopped }.compactMap { observe($0, of: sender.host) }
        defer { sender.acknowledgements = [] }
        var observation = SenderObservation(
            name: sender.plan.name, isRunning: sender.isRunning, incarnation: sender.incarnation, groups: groups,
            acknowledgements: sender.acknowledgements, unanswered: sender.unanswered, clocks: clocks)
        observation.queueing = network.ports[sender.host.number].queueing(at: agenda.now)
        return observation
    }

    private func observe(_ group: SenderGroup, of sender: SenderMachine) -> GroupObservation {
        guard let inspection = group.inspect() else { return GroupObservation(name: group.plan.name, isKnown: false) }
        let (weight, playhead) = (Int64(SymbolicPacket.weight), inspection.playhead)
        let first = sender.scenario.senders.count
        let waiting = sender.transport?.waiting ?? [:]
        return GroupObservation(
            name: group.plan.name, isKnown: true, state: group.state,
            timebase: TimebaseObservation(
                stream: inspection.stream, timescale: playhead.group.timescale.rawValue, rate: playhead.rate,
                media: playhead.media.nanoseconds, group: playhead.group.nanoseconds),
            generation: inspection.rooms.map(\.generation).max() ?? 0,
            logBytes: Int64(inspection.logBytes) * weight, logLimit: Self.logLimit(sender.scenario),
            connections: inspection.rooms.filter(\.isUp).map { room in
                let place = roomPlaces[room.name]
                let address = place.map { network.ports[first + $0].address } ?? ""
                return ConnectionObservation(
                    room: room.name, sent: Int64(clamping: room.sentBytes) * weight,
                    granted: Int64(clamping: min(room.grantedBytes, 1 << 56)) * weight,
                    waiting: Int64(waiting[address] ?? 0))
            })
    }

    /// What the deepest room takes; before that the half minute that has played, and behind it what is made ahead:
    /// ten seconds, and forty from where the programme has just been scheduled again.
    private static func logLimit(_ scenario: Scenario) -> Int64 {
        let seconds = Double(scenario.rooms.map(\.buffer).max() ?? 0) * 1e-9 + 30 + 10 + 40 + 5
        return Int64(seconds * Double(scenario.songs.map(\.bitsPerSecond).max() ?? 0) / 8)
    }

    // MARK: Clocks

    private func observe(_ clock: GroupClock, of host: VirtualHost) -> ClockObservation? {
        guard let standing = clock.standing else { return nil }
        let parent = standing.parent.flatMap { network.place(of: $0.host) }
        let isCurrent = standing.parent == nil || parent.map { network.reaches(host.number, $0) } ?? false
        return ClockObservation(
            timescale: standing.timescale.rawValue, port: clock.port, leader: parent.flatMap(machine),
            leaderPort: standing.parent?.port ?? 0, isCurrent: isCurrent,
            sigma: clock.estimates.read().map { Int64(min($0.sigma(atHostNanoseconds: host.reading), 1e15)) })
    }

    func machine(_ number: Int) -> Machine? {
        if number < senders.count { return .sender(senders[number].plan.name) }
        let index = number - senders.count
        return speakers.indices.contains(index) ? .speaker(speakers[index].plan.name) : nil
    }

    /// The time that the leader of a timescale has, from the machine `number` up.
    static func groupTime(
        _ timescale: UInt64, at number: Int, _ speakers: [SpeakerMachine], _ senders: [SenderMachine]
    ) -> Int64? {
        var (place, port) = (number, UInt16?.none)
        for _ in 0...(speakers.count + senders.count) {
            func isWanted(_ clock: GroupClock) -> Bool {
                clock.estimates.read()?.timescaleRawValue == timescale && port.map { $0 == clock.port } ?? true
            }
            let clock =
                place < senders.count
                ? senders[place].clocks.first(where: isWanted)
                : speakers[place - senders.count].clock.flatMap { isWanted($0) ? $0 : nil }
            guard let clock else { return nil }
            guard let parent = clock.standing?.parent else { return clock.now()?.nanoseconds }
            guard let network = speakers.first?.network, let next = network.place(of: parent.host), next != place
            else { return nil }
            // Where the leader is asleep the time goes on with those who followed it.
            guard network.ports[next].host.isAwake else { return clock.now()?.nanoseconds }
            (place, port) = (next, parent.port)
        }
        return nil
    }

    // MARK: The network

    private var sides: [[Machine]] {
        var sides: [[Machine]] = []
        var numbers: [[Int]] = []
        for machine in scenario.machines {
            guard let number = number(of: machine) else { continue }
            // Who reaches one of a side reaches all of it.
            if let index = numbers.firstIndex(where: { network.reaches($0[0], number) }) {
                numbers[index].append(number)
                sides[index].append(machine)
            } else {
                numbers.append([number])
                sides.append([machine])
            }
        }
        return sides
    }
}
