import Synchronization
import TuttiCore
import TuttiMPD
import TuttiRemote
import TuttiSchema

/// A service in memory, with a queue for each group.
final class FakeHouse: MPDHouse {
    struct Group {
        var rooms: [String]
        var isNamed: Bool
        var state: PlayerStatus.State?
        var entries: [QueueListing.Entry] = []
        var current = 0
        var position = 0.0
        var repeatMode = RepeatMode.off
        var isShuffled = false
        var consumes = false
        var crossfade = 0.0
        var normalization = LoudnessNormalization.off
        var nextID: UInt64 = 0
    }

    struct State {
        var model: MPDModel
        var groups: [String: Group]
        var rooms: [RoomStatus]
        var asked: [ControlRequest] = []
        var changes: [MPDChange] = []
        var now = 100.0
        var picture: [UInt8]?
        var isGone = false
    }

    let state: Mutex<State>

    init(groups: [String: Group] = ["hall": Group(rooms: ["kitchen", "bath"], isNamed: true)]) {
        let rooms = ["kitchen", "bath", "study"].enumerated().map { number, name in
            var room = RoomStatus(name: name, address: "", state: .idle)
            (room.id, room.volume, room.muted) = ("id-\(name)", Double(40 + 10 * number), false)
            return room
        }
        state = Mutex(State(model: MPDModel(), groups: groups, rooms: rooms))
        state.withLock { Self.refresh(&$0) }
        state.withLock { $0.changes = [] }
    }

    var model: MPDModel { state.withLock(\.model) }
    var now: Double { state.withLock(\.now) }
    var asked: [ControlRequest] { state.withLock(\.asked) }

    func takeChanges() -> [MPDChange] {
        state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
    }

    /// As if somebody else did something.
    func change(_ edit: (inout State) -> Void) {
        state.withLock { state in
            edit(&state)
            Self.refresh(&state)
        }
    }

    func edit(_ change: (inout MPDModel) throws(MPDFault) -> [MPDChange]) throws(MPDFault) {
        let fault: MPDFault? = state.withLock { state in
            do throws(MPDFault) {
                state.changes += try change(&state.model)
                return nil
            } catch { return error }
        }
        if let fault { throw fault }
    }

    func kind(ofFile path: String) -> MPDFileKind {
        path.hasPrefix("/music/") ? path.hasSuffix("/") ? .folder : .file : .none
    }

    func files(in folder: String, most: Int) -> [String] { [folder + "1.flac", folder + "2.flac"] }
    func picture(ofFile path: String) -> [UInt8]? { state.withLock(\.picture) }

    func ask(_ request: ControlRequest) throws(ServiceClient.Failure) -> ControlResponse {
        let result: Result<ControlResponse, ServiceClient.Failure> = state.withLock { state in
            if state.isGone { return .failure(.unavailable) }
            state.asked.append(request)
            do throws(ServiceClient.Failure) {
                let response = try Self.answer(request, &state)
                Self.refresh(&state)
                return .success(response)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func answer(
        _ request: ControlRequest, _ state: inout State
    ) throws(ServiceClient.Failure) -> ControlResponse {
        switch request.command {
        case .group(.set(let name, let rooms)):
            state.groups[name, default: Group(rooms: [], isNamed: true)].rooms = rooms
            state.groups[name]?.isNamed = true
        case .group(.add(let name, let rooms)): state.groups[name]?.rooms += rooms
        case .group(.remove(let name, let rooms)): state.groups[name]?.rooms.removeAll { rooms.contains($0) }
        case .group(.delete(let name)): state.groups[name] = nil
        case .player(let command):
            if case .volume(let change, let room?) = command {
                for place in state.rooms.indices where state.rooms[place].name == room {
                    state.rooms[place].volume = change.applied(to: state.rooms[place].volume ?? 0)
                }
                break
            }
            let name = request.group ?? ""
            if state.groups[name] == nil, case .add(_, let place?) = command {
                state.groups[place.rooms.joined(separator: "+")] = Group(rooms: place.rooms, isNamed: false)
                var request = request
                request.target = .group(place.rooms.joined(separator: "+"))
                return try answer(request, &state)
            }
            guard var group = state.groups[name] else { throw .refused("nothing plays there", exitCode: 5) }
            try carryOut(command, &group, &state, name)
            state.groups[name] = group
            var status = self.status(group, name, state)
            status?.group = name
            return ControlResponse(status: status)
        default: break
        }
        return ControlResponse()
    }

    private static func carryOut(
        _ command: PlayerCommand, _ group: inout Group, _ state: inout State, _ name: String
    ) throws(ServiceClient.Failure) {
        func index(_ place: QueuePlace) throws(ServiceClient.Failure) -> Int {
            let index =
                switch place {
                case .index(let index): index
                case .id(let id): group.entries.firstIndex { $0.id == id } ?? -1
                }
            guard group.entries.indices.contains(index) else { throw .refused("no such entry", exitCode: 2) }
            return index
        }
        switch command {
        case .pause: group.state = .paused
        case .resume: group.state = .playing
        case .stop: group.state = .stopped
        case .next: group.current += 1
        case .seek(.to(let time)): group.position = time.seconds
        case .seek(.by(let time)): group.position += time.seconds
        case .volume(let change, nil):
            let loudest = state.rooms.filter { group.rooms.contains($0.name) }.compactMap(\.volume).max()
            for place in state.rooms.indices where group.rooms.contains(state.rooms[place].name) {
                state.rooms[place].volume = change.resolved(loudest: loudest)
                    .applied(to: state.rooms[place].volume ?? 0)
            }
        case .add(let inputs, _):
            for input in inputs {
                guard !input.uri.hasSuffix("bad") else { throw .refused("cannot be played", exitCode: 3) }
                group.entries.append(QueueListing.Entry(index: group.entries.count, id: group.nextID, uri: input.uri))
                group.nextID += 1
            }
            group.state = group.state ?? .stopped
        case .remove(let places):
            let ids = try places.map { place throws(ServiceClient.Failure) in group.entries[try index(place)].id }
            group.entries.removeAll { ids.contains($0.id) }
            if group.entries.isEmpty { group.state = nil }
        case .move(let from, let to):
            let current = group.entries.indices.contains(group.current) ? group.entries[group.current].id : nil
            group.entries.insert(group.entries.remove(at: try index(from)), at: to)
            group.current = group.entries.firstIndex { $0.id == current } ?? group.current
        case .jump(let place): (group.current, group.position) = (try index(place), 0)
        case .shuffle(let isOn): group.isShuffled = isOn
        case .consume(let isOn): group.consumes = isOn
        case .repeat(let mode): group.repeatMode = mode
        case .crossfade(let seconds):
            guard seconds <= 12 else { throw .refused("crossfade is 0-12", exitCode: 2) }
            group.crossfade = seconds
        case .normalise(let mode): group.normalization = mode
        default: throw .refused("not here", exitCode: 2)
        }
        for place in group.entries.indices { group.entries[place].index = place }
    }

    private static func status(_ group: Group, _ name: String, _ state: State) -> PlayerStatus? {
        guard let now = group.state else { return nil }
        let rooms = state.rooms.filter { group.rooms.contains($0.name) }
        var status = PlayerStatus(
            state: now, position: group.position, rate: now == .playing ? 1 : 0,
            queue: PlayerStatus.Queue(length: group.entries.count, index: group.current), rooms: rooms)
        if group.entries.indices.contains(group.current) {
            let entry = group.entries[group.current]
            status.item = PlayerStatus.Item(index: group.current, id: entry.id, duration: 60, uri: entry.uri)
        }
        return status
    }

    private static func refresh(_ state: inout State) {
        let now = state.now
        let groups = state.groups.map { name, group in
            HouseView.Group(
                name: name, rooms: group.rooms, isNamed: group.isNamed, status: status(group, name, state),
                statusTime: now)
        }
        state.changes += state.model.take(rooms: state.rooms)
        state.changes += state.model.take(groups: groups, at: now)
        for (name, group) in state.groups where group.state != nil {
            let listing = QueueListing(
                entries: group.entries, index: group.current, repeat: group.repeatMode, shuffle: group.isShuffled,
                consume: group.consumes, crossfade: group.crossfade, normalise: group.normalization)
            state.changes += state.model.take(listing, of: name, at: now)
        }
    }
}

/// A client whose commands are carried out at once.
struct TestClient {
    var connection: MPDConnection
    let commander: MPDCommander
    /// What others are told.
    var changes: [MPDChange] = []
    var isClosed = false

    init(_ commander: MPDCommander, number: UInt64 = 1, permissions: MPDPermissions = .all) {
        self.commander = commander
        connection = MPDConnection(MPDClient(number: number, permissions: permissions))
    }

    /// Sends bytes, and gives what comes back.
    mutating func send(_ bytes: [UInt8]) -> [UInt8] { perform(connection.received(bytes)) }

    /// Sends a line, and gives the lines that come back.
    @discardableResult
    mutating func ask(_ line: String) -> [String] {
        let text = String(decoding: send(Array((line + "\n").utf8)), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// The values that come back, by name.
    mutating func values(_ line: String) -> [String: String] {
        var values: [String: String] = [:]
        for pair in ask(line) {
            guard let colon = pair.firstRange(of: ": ") else { continue }
            values[String(pair[..<colon.lowerBound])] = String(pair[colon.upperBound...])
        }
        return values
    }

    mutating func hear(_ changes: [MPDChange]) -> [String] {
        var bytes: [UInt8] = []
        for change in changes { bytes += perform(connection.changed(change)) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private mutating func perform(_ effects: [MPDConnection.Effect]) -> [UInt8] {
        var bytes: [UInt8] = []
        for effect in effects {
            switch effect {
            case .send(let more): bytes += more
            case .close: isClosed = true
            case .run(let job):
                let outcome = commander.run(job)
                changes += outcome.changes
                bytes += perform(connection.finished(outcome))
            }
        }
        return bytes
    }
}
