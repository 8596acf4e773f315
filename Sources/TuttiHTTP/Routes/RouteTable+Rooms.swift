import TuttiChain
import TuttiCore
import TuttiSchema

/// Rooms, how loud they are, and what is to be played later.
extension RouteTable {
    static func rooms() throws -> [Endpoint] {
        [
            try Endpoint(.get, "/rooms", "All rooms that are known and answer, with their volumes") {
                call async throws(Problem) in
                let rooms = try await call.status(ControlRequest(.levels(room: nil))).rooms
                guard call.permit.group != nil else { return RoomsAnswer(rooms: rooms) }
                let own = try await call.guestRooms()
                return RoomsAnswer(rooms: rooms.filter { room in own.contains { Names.areSame($0, room.name) } })
            },
            try Endpoint(.get, "/rooms/{room}", "One room") { call async throws(Problem) in
                let response = try await call.ask(ControlRequest(.levels(room: call.room)))
                return try call.room(in: response)
            },
            try Endpoint(
                .patch, "/rooms/{room}", "Sets a room's volume, mute or output delay, or gives it another name",
                body: .choice(
                    [
                        "volume": .number(0...100), "by": .number(-100...100), "muted": .boolean,
                        "outputDelayMs": .number(-5000...5000), "name": .string(lengths: 1...63),
                    ], exclusive: ["volume", "by"])
            ) { call async throws(Problem) in try await call.setRoom() },
            try Endpoint(.get, "/rooms/{room}/effects", "What the sound of a room goes through") {
                call async throws(Problem) in try await call.effects(nil)
            },
            try Endpoint(
                .put, "/rooms/{room}/effects",
                "Changes what the sound of a room goes through; the words are those of `tutti room`",
                body: .body(
                    [
                        "edit": .string(among: EffectEdit.Kind.allCases.map(\.rawValue)),
                        "setting": .string(lengths: 1...65_536),
                    ], required: ["edit", "setting"])
            ) { call async throws(Problem) in
                let body: EffectsBody = try call.decoded()
                return try await call.effects(body)
            },
            try effectsFile(),
            try Endpoint(
                .put, "/stereo-pairs/{left}/{right}",
                "Makes two rooms a stereo pair: one plays the left side, one the right; both do, or neither"
            ) { call async throws(Problem) in try await call.stereo(isPair: true) },
            try Endpoint(
                .delete, "/stereo-pairs/{left}/{right}", "Has both rooms of a stereo pair play both sides again"
            ) { call async throws(Problem) in try await call.stereo(isPair: false) },
            try Endpoint(.get, "/groups/{group}/volume", "How loud a group is") { call async throws(Problem) in
                try await call.volume()
            },
            try Endpoint(
                .put, "/groups/{group}/volume",
                "Sets the volume of a group's loudest room; the others keep their distance to it",
                body: .choice(
                    ["volume": .number(0...100), "by": .number(-100...100)], exclusive: ["volume", "by"])
            ) { call async throws(Problem) in try await call.setVolume() },
            try Endpoint(
                .put, "/groups/{group}/muted", "Mutes or unmutes all rooms of a group",
                body: .body(["muted": .boolean], required: ["muted"])
            ) { call async throws(Problem) in
                let body: LevelBody = try call.decoded()
                return VolumeAnswer(try await call.command(.mute(body.muted == true, room: nil)).rooms)
            },
        ]
    }

    /// Bytes of a file that sets a room's sound: more than the longest impulse response has.
    private static let soundBytes = 32 << 20

    private static func effectsFile() throws -> Endpoint {
        var endpoint = try Endpoint(
            .put, "/rooms/{room}/effects/file",
            "Has the sound of a room go through what a file describes, which is named in the query: a chain of effects, "
                + "whichever program's, or an impulse response"
        ) { call async throws(Problem) in
            let request = ControlRequest(.effectsFile(room: call.room, path: call.file ?? ""))
            return try call.effects(in: try await call.ask(request))
        }
        (endpoint.file, endpoint.texts) = (.lent(mostBytes: soundBytes), ["name": 1...longestName])
        return endpoint
    }

    static func stations() throws -> [Endpoint] {
        [
            try Endpoint(.get, "/stations", "Radio stations by name; `station:NAME` can be given as an input") {
                call async throws(Problem) in try await call.stations(.list)
            },
            try Endpoint(
                .put, "/stations/{name}", "Keeps a station, or gives it another address",
                body: .body(["uri": .string(lengths: 1...4_096)], required: ["uri"])
            ) { call async throws(Problem) in
                let body: StationBody = try call.decoded()
                return try await call.stations(.set(call.parameters["name"] ?? "", uri: body.uri))
            },
            try Endpoint(.delete, "/stations/{name}", "Forgets a station") { call async throws(Problem) in
                try await call.stations(.remove(call.parameters["name"] ?? ""))
            },
        ]
    }

    static func schedules() throws -> [Endpoint] {
        [
            try Endpoint(.get, "/schedules", "What is to be played later") { call async throws(Problem) in
                SchedulesAnswer(schedules: try await call.ask(ControlRequest(.schedules)).schedules ?? [])
            },
            try Endpoint(
                .post, "/schedules", "Plays something later; `when` is as `tutti at` takes it", status: 201,
                body: .body(
                    [
                        "when": .string(lengths: 1...256), "order": try .order(),
                        "group": .string(lengths: 1...256),
                    ], required: ["when", "order"])
            ) { call async throws(Problem) in
                let body: ScheduleBody = try call.decoded()
                let response = try await call.ask(
                    ControlRequest(.at(when: body.when, body.order, name: body.group)))
                return SchedulesAnswer(schedules: response.schedules ?? [], notices: response.notices)
            },
            Endpoint(.delete, "/schedules/{number}", "Cancels a schedule", answer: .empty) {
                call async throws(Problem) in
                _ = try await call.ask(ControlRequest(.cancel([try call.number("number")])))
                return []
            },
        ]
    }
}

private struct ScheduleBody: Codable {
    var when: String
    var order: PlayOrder
    var group: String?
}

private struct StationBody: Codable { var uri: String }

/// How the effects of a stereo pair stand, first those of the left room.
private struct PairAnswer: Codable { var rooms: [EffectsListing] }

private struct EffectsBody: Codable {
    var edit: String
    var setting: String
}

private struct LevelBody: Codable {
    var volume: Double?
    var by: Double?
    var muted: Bool?
    var outputDelayMs: Double?
    var name: String?

    var change: VolumeChange? { volume.map { .to($0) } ?? by.map { .by($0) } }
}

extension Call {
    fileprivate func stations(_ command: ControlRequest.StationCommand) async throws(Problem) -> StationsAnswer {
        StationsAnswer(stations: try await ask(ControlRequest(.station(command))).stations ?? [])
    }

    fileprivate var room: String { parameters["room"] ?? "" }

    /// The room that an answer is about.
    fileprivate func room(in response: ControlResponse) throws(Problem) -> RoomStatus {
        let name = response.room ?? room
        guard let status = response.status?.rooms.first(where: { Names.areSame($0.name, name) }) else {
            throw Problem(.notFound, "\(room): no such room; GET \(RouteTable.prefix)/rooms lists them")
        }
        return status
    }

    /// - Parameter body: what is to change; nil to be told only.
    fileprivate func effects(_ body: EffectsBody?) async throws(Problem) -> EffectsListing {
        var edit: EffectEdit?
        if let body, let kind = EffectEdit.Kind(rawValue: body.edit) {
            do throws(ChainError) {
                edit = try EffectEdit(kind, parsing: body.setting)
            } catch {
                throw Problem(.invalid, "\(error)")
            }
        }
        return try effects(in: try await ask(ControlRequest(.effects(room: room, edit))))
    }

    fileprivate func effects(in response: ControlResponse) throws(Problem) -> EffectsListing {
        guard let effects = response.effects else {
            throw Problem(.notFound, "\(room): the service does not know its effects")
        }
        return effects
    }

    fileprivate func stereo(isPair: Bool) async throws(Problem) -> PairAnswer {
        let (left, right) = (parameters["left"] ?? "", parameters["right"] ?? "")
        return PairAnswer(
            rooms: try await ask(ControlRequest(.stereo(left: left, right: right, isPair: isPair))).pair ?? [])
    }

    fileprivate func setRoom() async throws(Problem) -> RoomStatus {
        let body: LevelBody = try decoded()
        var commands: [PlayerCommand] = []
        if let change = body.change { commands.append(.volume(change, room: room)) }
        if let isMuted = body.muted { commands.append(.mute(isMuted, room: room)) }
        if let delay = body.outputDelayMs { commands.append(.delay(milliseconds: delay, room: room)) }
        if let name = body.name { commands.append(.name(name, room: room)) }
        var response = ControlResponse()
        for command in commands { response = try await ask(ControlRequest(command)) }
        return try room(in: response)
    }

    fileprivate func volume() async throws(Problem) -> VolumeAnswer {
        VolumeAnswer(try await status(ControlRequest(.levels(room: nil), group: group)).rooms)
    }

    fileprivate func setVolume() async throws(Problem) -> VolumeAnswer {
        let body: LevelBody = try decoded()
        let change = body.volume.map { VolumeChange.balanced($0) } ?? .by(body.by ?? 0)
        return VolumeAnswer(try await command(.volume(change, room: nil)).rooms)
    }
}
