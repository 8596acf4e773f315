import Logging
import TuttiAssets
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Queues that do not play: what was stopped or has come to its end keeps its tracks and its place, and is resumed
/// there.
extension House {
    /// A queue that does not play.
    struct Stopped: Sendable {
        /// Later ones have greater numbers.
        let serial: Int
        let name: String
        let rows: PlayerRows
        var record: PlayerRecord
    }

    /// How many stopped queues are kept; the oldest goes first.
    private static let mostStopped = 32

    /// Keeps what is left of a queue.
    func park(_ record: PlayerRecord, _ key: String, _ name: String, _ rows: PlayerRows) {
        rows.store(record.change)
        if let old = stopped[key], old.rows !== rows { old.rows.remove() }
        stopped[key] = Stopped(serial: nextSerial(), name: name, rows: rows, record: record)
        while stopped.count > Self.mostStopped, let oldest = stopped.min(by: { $0.value.serial < $1.value.serial }) {
            dropStopped(oldest.key)
        }
    }

    /// Something else plays there now, or nothing is left of it.
    func dropStopped(_ key: String) {
        stopped.removeValue(forKey: key)?.rows.remove()
    }

    /// The queue that was stopped last.
    var latestStopped: String? { stopped.max { $0.value.serial < $1.value.serial }?.key }

    /// What to say when nothing plays.
    var nothingPlays: SenderError {
        guard let key = latestStopped, let queue = stopped[key] else { return .nothingPlaying }
        let place = queue.name.isEmpty ? "" : " in \(queue.name)"
        let count = queue.record.order.ids.count
        return .refused(
            "nothing is playing; `tutti play` resumes \(count) \(count == 1 ? "track" : "tracks")\(place)", exitCode: 5)
    }

    // MARK: Editing

    /// Commands that a stopped queue understands.
    static let edits: Set<ControlRequest.Word> = [
        .queue, .add, .insert, .remove, .move, .replace, .clear, .jump, .shuffle, .repeat, .consume, .crossfade,
        .normalise, .night, .rate, .reference, .audio, .subtitle,
    ]

    /// Does what is asked with a queue that does not play; nil when the request is for one that does.
    func editStopped(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer? {
        guard Self.edits.contains(request.word) else { return nil }
        let key: String
        if let name = request.group {
            key = Names.fold(name)
            guard playing[key] == nil else { return nil }
        } else {
            guard playing.isEmpty else { return nil }
            let place = try place(of: request)
            key = latestStopped ?? Names.fold(place ?? "")
        }
        if stopped[key] != nil { return try await edit(key, request) }
        switch request.command {
        case .player(.add(let inputs, let place)), .player(.insert(let inputs, let place)):
            return try await beginStopped(inputs, place, ofGroup: request.group)
        default: return nil
        }
    }

    /// How the group is called that a request's rooms make.
    private func place(of request: ControlRequest) throws(SenderError) -> String? {
        guard let order = request.place, !order.rooms.isEmpty || !order.groups.isEmpty else { return nil }
        return Self.name(of: order, try order.addresses())
    }

    /// How a stopped queue stands, or what becomes of it.
    func edit(_ key: String, _ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        guard let queue = stopped[key] else { throw nothingPlays }
        let player = try parked(queue.record, queue.rows)
        var answer = await PlayerControl(player).answer(request)
        let name = queue.name.isEmpty ? nil : queue.name
        answer.response.status?.group = name
        if answer.response.ok, request.word != .queue, request.word != .status {
            if let record = await player.leftover() { stopped[key]?.record = record } else { dropStopped(key) }
        }
        await player.detach()
        return answer
    }

    /// A queue for later, where nothing plays yet.
    private func beginStopped(
        _ inputs: [ControlInput], _ place: PlayOrder?, ofGroup group: String?
    ) async throws(SenderError) -> ControlAnswer {
        var order = place ?? PlayOrder(inputs: [])
        if let group, order.rooms.isEmpty, order.groups.isEmpty { order.groups = [group] }
        order.inputs = inputs
        let rooms = order.rooms.isEmpty && order.groups.isEmpty ? [] : try self.rooms(of: order)
        _ = try await book.check(rooms)
        let name = spelled(Self.name(of: order, rooms))
        var configuration = PlayerConfiguration(
            inputs: try order.assets(), rooms: rooms, encoding: try order.encoding(), allowsMissingRooms: true,
            identity: configuration.identity, clock: configuration.clock)
        configuration.crossfade = try order.crossfadeTime()
        configuration.normalization = order.normalise ?? .off
        configuration.tracks = try order.tracks()
        configuration.reference = try order.reference(among: rooms)
        let rows = PlayerRows(store, name: name)
        let player = try Player(configuration, journal: rows, isParked: true)
        let status = await player.status().labelled(name.isEmpty ? nil : name)
        if let record = await player.leftover() { park(record, Names.fold(name), name, rows) }
        await player.detach()
        return ControlAnswer(ControlResponse(status: status))
    }

    private func parked(
        _ record: PlayerRecord, _ rows: PlayerRows, _ opened: OpenedAsset? = nil
    ) throws(SenderError) -> Player {
        var configuration = try record.configuration(
            identity: configuration.identity, clock: configuration.clock)
        configuration.opened = opened
        configuration.loudness = loudnessLookup
        configuration.tags = self.configuration.tags
        return try Player(configuration, restoring: record, journal: rows)
    }

    // MARK: Resuming

    /// Resumes what is paused or stopped.
    func resume(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer {
        let place = try place(of: request)
        let name = request.group ?? place
        let key = name.map(Names.fold) ?? (playing.isEmpty ? latestStopped : nil)
        guard let key, playing[key] == nil else {
            var request = request
            if name == nil, playing.count > 1, let only = await onlyPaused(), let group = names[only] {
                request.target = .group(group)
            }
            if let name { request.target = .group(name) }
            return try await pass(request)
        }
        guard !isVisiting else {
            throw .notNow("to resume a stopped queue, start the service with `tutti serve`")
        }
        if stopped[key] != nil {
            let rooms = try request.place?.addresses() ?? []
            return try await restart(key, as: nil, in: rooms, request)
        }
        // What was added before there was a room for it.
        if let name, let order = request.place, stopped[""] != nil {
            return try await restart("", as: spelled(name), in: try rooms(of: order), request)
        }
        if let name, playing.isEmpty || request.place != nil {
            throw .refused("\(name): nothing to resume; name a file, a folder or an address", exitCode: 5)
        }
        return try await pass(request)
    }

    private func onlyPaused() async -> String? {
        var paused: [String] = []
        for (key, group) in playing where await group.player.status().state == .paused { paused.append(key) }
        return paused.count == 1 ? paused.first : nil
    }

    /// - Parameter rooms: where; empty for where it was.
    private func restart(
        _ key: String, as newName: String?, in rooms: [RoomAddress], _ request: ControlRequest
    ) async throws(SenderError) -> ControlAnswer {
        guard let queue = stopped[key] else { throw nothingPlays }
        let name = newName ?? queue.name
        var places = rooms
        if places.isEmpty {
            places = try store.groups().first { Names.areSame($0.key, name) }?.value ?? queue.record.rooms
        }
        guard !places.isEmpty else { throw .badOption("no room to play in: use --room NAME or --group NAME") }
        let plan = try await plan(queue.record.inputs, in: places, any: true)
        let player = try await inTurn { () async throws(SenderError) in
            try await self.restart(key, as: name, plan, request.place)
        }
        if let outcome = await player.started(), outcome.exitCode != 0 {
            throw outcome.error ?? .refused(outcome.message ?? "playback failed", exitCode: outcome.exitCode)
        }
        return ControlAnswer(ControlResponse(status: await player.status().labelled(name)))
    }

    private func restart(
        _ key: String, as name: String, _ plan: Takeover, _ order: PlayOrder?
    ) async throws(SenderError) -> Player {
        guard let queue = stopped[key] else { throw nothingPlays }
        let newKey = Names.fold(name)
        try await free(plan.rooms, except: newKey)
        await end(newKey, keepsQueue: false)
        let record = queue.record.moved(to: plan.rooms)
        let rows = key == newKey ? queue.rows : PlayerRows(store, name: name)
        let player = try parked(record, rows, plan.opened)
        if key != newKey { rows.store(record.change) }
        enter(Playing(serial: nextSerial(), player: player, rows: rows), as: name)
        await player.begun()
        if key == newKey { stopped[key] = nil } else { dropStopped(key) }
        logger.info("stopped queue resumed", metadata: ["group": "\(name)"])
        if let order, order.volume != nil || order.fade != nil { comeUp(order, newKey, nil) }
        return player
    }
}

extension PlayerRecord {
    /// The rooms.
    var rooms: [RoomAddress] { state.rooms.map(\.address) }

    /// The tracks, from the current one on.
    var inputs: [AssetInput] {
        let inputs = Dictionary(entries.map { ($0.id, $0.input) }) { first, _ in first }
        let place = state.current.flatMap { order.ids.firstIndex(of: $0) } ?? 0
        return (order.ids[place...] + order.ids[..<place]).compactMap { inputs[$0] }
    }
}
