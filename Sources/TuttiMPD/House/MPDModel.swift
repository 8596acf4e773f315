import TuttiCore
package import TuttiRemote
package import TuttiSchema

/// What clients are shown of a service: its groups as partitions, its rooms as outputs. It follows readings and events,
/// and says what each changed.
package struct MPDModel: Sendable {
    /// Partitions that are kept though the service does not know them (any more).
    private static let mostKept = 32
    /// Seconds by which a position may differ from what was expected and still be the same course.
    private static let leap = 0.75

    /// By name. Those that the service knows, and others that a client made or whose queue was emptied.
    package private(set) var partitions: [MPDPartition] = []
    /// All rooms.
    package private(set) var outputs: [MPDRoomOutput] = []
    /// Whether the service answers.
    package private(set) var isThere = false
    /// The group that the partition `default` stands for; nil while there is none.
    private var usual: String?
    /// The group that it is to stand for, if somebody has chosen one.
    private let chosen: String?
    private var version: UInt32 = 1
    private var nextOutput = 0

    /// - Parameter usualGroup: the group that clients begin in; nil for the one that plays.
    package init(usualGroup: String? = nil) { chosen = usualGroup }

    // MARK: Looking

    /// The partition of a name; the empty house for `default` while there is no group.
    package func partition(_ name: String) -> MPDPartition? {
        if name == MPDClient.usualPartition { return usualPartition }
        return partitions.first { Names.areSame($0.name, name) }
    }

    /// What clients are in that have chosen nothing.
    package var usualPartition: MPDPartition {
        if let usual, let known = partitions.first(where: { Names.areSame($0.name, usual) }) { return known }
        // What is added there plays in all rooms.
        var empty = MPDPartition(
            name: chosen ?? "", isNamed: false,
            rooms: outputs.filter { $0.room.state != .unreachable }.map { MPDPartition.fullName($0.room) })
        empty.queue.touch(version: version)
        return empty
    }

    /// The names that clients choose from.
    package var partitionNames: [String] {
        [MPDClient.usualPartition]
            + partitions.map(\.name).filter { !$0.isEmpty && $0 != MPDClient.usualPartition }
    }

    /// The rooms of a partition, as they stand.
    package func rooms(of partition: MPDPartition) -> [RoomStatus] {
        outputs.map(\.room).filter { partition.has($0) }
    }

    /// How loud a partition is: its loudest room, 0 … 100; nil while that is not known.
    package func volume(of partition: MPDPartition) -> Int? {
        let rooms = rooms(of: partition)
        if !rooms.isEmpty, rooms.allSatisfy({ $0.muted == true }) { return 0 }
        return MPDRoomOutput.percent(rooms.compactMap(\.volume).max())
    }

    // MARK: Readings

    /// Takes all groups as they are now.
    package mutating func take(groups: [HouseView.Group], at now: Double) -> [MPDChange] {
        var changes: [MPDChange] = isThere ? [] : [MPDChange(.all)]
        isThere = true
        let before = partitionNames
        for group in groups {
            let place = place(of: group.name, rooms: group.rooms)
            var partition = partitions[place]
            (partition.name, partition.isNamed) = (group.name, group.isNamed)
            if group.isNamed || group.status != nil { partition.isKept = false }
            if !group.rooms.isEmpty { partition.rooms = group.rooms }
            if let status = group.status {
                Self.take(status, at: group.statusTime, into: &partition)
            } else {
                partition.status = nil
            }
            changes += replace(at: place, with: partition, at: now)
        }
        for place in partitions.indices
        where !groups.contains(where: { Names.areSame($0.name, partitions[place].name) }) {
            var partition = partitions[place]
            // Where the queue of rooms is over that `default` stands for, what is added next plays there again.
            let isUsual = usual.map { Names.areSame($0, partition.name) } ?? false
            partition.isKept = partition.isKept || isUsual && !partition.isNamed && !partition.name.isEmpty
            (partition.isNamed, partition.status) = (false, nil)
            changes += replace(at: place, with: partition, at: now)
        }
        partitions.removeAll { !$0.isThere && !$0.isKept }
        partitions.sort { $0.name < $1.name }
        changes += chooseUsual()
        if partitionNames != before { changes.append(MPDChange([.partition, .output])) }
        return changes
    }

    /// Takes how one group stands.
    package mutating func take(_ status: PlayerStatus, of group: String, at now: Double) -> [MPDChange] {
        guard let place = partitions.firstIndex(where: { Names.areSame($0.name, group) }) else { return [] }
        var partition = partitions[place]
        Self.take(status, at: now, into: &partition)
        let changes = replace(at: place, with: partition, at: now)
        return changes + (status.state == .stopped ? [] : take(told: status.rooms))
    }

    /// Takes the queue of a group; nil if it has none any more.
    package mutating func take(_ listing: QueueListing?, of group: String, at now: Double) -> [MPDChange] {
        guard let place = partitions.firstIndex(where: { Names.areSame($0.name, group) }) else { return [] }
        var partition = partitions[place]
        let next = nextVersion
        if partition.queue.take(listing?.entries ?? [], version: next) { version = next }
        if let listing {
            partition.options = MPDPartition.Options(
                repeatMode: listing.repeat, isShuffled: listing.shuffle, consumes: listing.consume,
                crossfade: listing.crossfade, normalization: listing.normalise ?? .off)
        }
        return replace(at: place, with: partition, at: now)
    }

    /// Takes all rooms.
    package mutating func take(rooms: [RoomStatus]) -> [MPDChange] {
        let before = outputs
        var taken: [MPDRoomOutput] = []
        for room in rooms { taken.append(output(for: room, among: before)) }
        // A room that is away keeps its number.
        taken += before.compactMap { old in
            guard !taken.contains(where: { $0.id == old.id }) else { return nil }
            var away = old
            away.room.state = .unreachable
            return away
        }
        outputs = taken.sorted { $0.id < $1.id }
        return outputChanges(since: before)
    }

    /// The service is gone.
    package mutating func serviceIsGone() -> [MPDChange] {
        guard isThere else { return [] }
        isThere = false
        for place in partitions.indices where partitions[place].status != nil {
            partitions[place].status?.state = .stopped
        }
        return [MPDChange([.player, .output])]
    }

    /// A track of a group was not played.
    package mutating func failed(_ message: String?, in group: String) -> [MPDChange] {
        guard let place = partitions.firstIndex(where: { Names.areSame($0.name, group) }),
            partitions[place].error != message
        else { return [] }
        partitions[place].error = message
        return tell([.player], of: partitions[place])
    }

    // MARK: What clients make

    /// Gives entries of a partition's queue a priority.
    package mutating func prioritize(_ places: [Int], _ priority: UInt8, in name: String) -> [MPDChange] {
        guard let place = partitions.firstIndex(where: { Names.areSame($0.name, name) }) else { return [] }
        let next = nextVersion
        guard partitions[place].queue.prioritize(places, priority, version: next) else { return [] }
        version = next
        return tell([.playlist], of: partitions[place])
    }

    /// Makes a partition that the service does not know yet.
    package mutating func make(_ name: String) throws(MPDFault) -> [MPDChange] {
        guard (1...64).contains(name.utf8.count), name == MPDOutput.shown(name), !name.contains("/") else {
            throw MPDFault(.argument, "bad name")
        }
        guard partition(name) == nil else { throw MPDFault(.exists, "name already exists") }
        guard partitions.count(where: \.isKept) < Self.mostKept else {
            throw MPDFault(.system, "too many partitions without rooms")
        }
        var partition = MPDPartition(name: name, isNamed: false, rooms: [])
        partition.isKept = true
        partitions.append(partition)
        partitions.sort { $0.name < $1.name }
        return [MPDChange(.partition)]
    }

    /// Keeps a partition whose queue a client is about to empty: it has its rooms of nothing else.
    package mutating func keep(_ name: String) -> [MPDChange] {
        guard partitions.count(where: \.isKept) < Self.mostKept,
            let place = partitions.firstIndex(where: { Names.areSame($0.name, name) }), !partitions[place].isNamed
        else { return [] }
        partitions[place].isKept = true
        return []
    }

    /// Forgets a partition that the service does not know.
    package mutating func delete(_ name: String) -> [MPDChange] {
        partitions.removeAll { Names.areSame($0.name, name) && !$0.isThere }
        return [MPDChange(.partition)] + chooseUsual()
    }

    // MARK: Inside

    private var nextVersion: UInt32 { version < UInt32.max / 2 ? version + 1 : 2 }

    /// The place of a group's partition, made if there is none.
    private mutating func place(of name: String, rooms: [String]) -> Int {
        if let place = partitions.firstIndex(where: { Names.areSame($0.name, name) }) { return place }
        partitions.append(MPDPartition(name: name, isNamed: false, rooms: rooms))
        return partitions.endIndex - 1
    }

    private static func take(_ status: PlayerStatus, at time: Double, into partition: inout MPDPartition) {
        if status.item?.id != partition.status?.item?.id, status.state == .playing { partition.error = nil }
        (partition.status, partition.statusTime) = (status, time)
        let queue = status.queue
        if let mode = queue.repeat { partition.options.repeatMode = mode }
        if let isShuffled = queue.shuffle { partition.options.isShuffled = isShuffled }
        if let consumes = queue.consume { partition.options.consumes = consumes }
        if let crossfade = queue.crossfade { partition.options.crossfade = crossfade }
        if let normalization = queue.normalise { partition.options.normalization = normalization }
    }

    private mutating func replace(at place: Int, with new: MPDPartition, at now: Double) -> [MPDChange] {
        let old = partitions[place]
        partitions[place] = new
        if new.status == nil, !new.queue.entries.isEmpty {
            let next = nextVersion
            if partitions[place].queue.take([], version: next) { version = next }
        }
        let changed = Self.differences(old, partitions[place], at: now)
        return changed.isEmpty ? [] : tell(changed, of: partitions[place])
    }

    private static func differences(_ old: MPDPartition, _ new: MPDPartition, at now: Double) -> MPDSubsystems {
        var changed: MPDSubsystems = []
        if old.queue.version != new.queue.version { changed.insert(.playlist) }
        if old.options != new.options
            || old.status?.rate.isZero == false && new.status?.rate.isZero == false
                && old.status?.rate != new.status?.rate
        {
            changed.insert(.options)
        }
        if old.roomNames != new.roomNames { changed.formUnion([.output, .mixer]) }
        let (was, item) = (old.status?.item, new.status?.item)
        let leaps =
            new.isUnderWay && old.isUnderWay && was?.id == item?.id
            && abs(old.position(at: now) - new.position(at: now)) > leap
        if old.state != new.state || was?.id != item?.id || was?.title != item?.title
            || was?.artist != item?.artist || old.error != new.error || leaps
        {
            changed.insert(.player)
        }
        return changed
    }

    /// A change of one partition, for those in it by either name.
    private func tell(_ subsystems: MPDSubsystems, of partition: MPDPartition) -> [MPDChange] {
        var changes = [MPDChange(subsystems, .partition(partition.name))]
        if usual.map({ Names.areSame($0, partition.name) }) ?? false {
            changes.append(MPDChange(subsystems, .partition(MPDClient.usualPartition)))
        }
        return changes
    }

    /// Decides which group `default` stands for: the chosen one; else the only one that plays; else the one that it was;
    /// else the first that plays, has a queue, has a name.
    private mutating func chooseUsual() -> [MPDChange] {
        let old = usual
        let playing = partitions.filter(\.isUnderWay)
        if let chosen {
            usual = chosen
        } else if playing.count == 1 {
            usual = playing[0].name
        } else if let old, partitions.contains(where: { $0.name == old }) {
            usual = old
        } else {
            usual = (playing.first ?? partitions.first { $0.status != nil } ?? partitions.first { $0.isNamed })?.name
        }
        guard usual != old else { return [] }
        // Versions of two queues have nothing to do with each other: everything is another one now.
        version = nextVersion
        if let usual, let place = partitions.firstIndex(where: { Names.areSame($0.name, usual) }) {
            partitions[place].queue.touch(version: version)
        }
        return [MPDChange(.ofPartition, .partition(MPDClient.usualPartition))]
            + (usual.map { [MPDChange(.playlist, .partition($0))] } ?? [])
    }

    // MARK: Rooms

    private mutating func output(for room: RoomStatus, among known: [MPDRoomOutput]) -> MPDRoomOutput {
        let same = known.first { known in
            known.room.id == nil || room.id == nil
                ? Names.areSame(known.room.name, room.name) : known.room.id == room.id
        }
        if let same {
            var room = room
            // A room that is connecting has not said yet what was known of it.
            if room.volume == nil { (room.volume, room.muted) = (same.room.volume, same.room.muted) }
            return MPDRoomOutput(id: same.id, room: room)
        }
        defer { nextOutput += 1 }
        return MPDRoomOutput(id: nextOutput, room: room)
    }

    /// Takes rooms as a player has them, who knows them best.
    package mutating func take(told rooms: [RoomStatus]) -> [MPDChange] {
        let before = outputs
        for room in rooms where room.state != .taken {
            let output = output(for: room, among: outputs)
            if let place = outputs.firstIndex(where: { $0.id == output.id }) {
                outputs[place] = output
            } else {
                outputs.append(output)
            }
        }
        return outputChanges(since: before)
    }

    private func outputChanges(since before: [MPDRoomOutput]) -> [MPDChange] {
        var changes: [MPDChange] = []
        if before.map(\.id) != outputs.map(\.id) || before.map(\.room.name) != outputs.map(\.room.name) {
            changes.append(MPDChange(.output))
        }
        let levels = outputs.map { [$0.room.volume ?? -1, $0.room.muted == true ? 1 : 0] }
        if before.map({ [$0.room.volume ?? -1, $0.room.muted == true ? 1 : 0] }) != levels {
            changes.append(MPDChange(.mixer))
        }
        return changes
    }
}
