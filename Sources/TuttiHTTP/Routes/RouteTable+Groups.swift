import TuttiCore
import TuttiSchema

/// All together, and groups of rooms.
extension RouteTable {
    static func general() throws -> [Endpoint] {
        [
            try Endpoint(.get, "/status", "How all groups stand, as `tutti status --json` has it") {
                call async throws(Problem) in try await call.allStatuses()
            },
            try Endpoint(.get, "/access", "What you may do here") { call async throws(Problem) in
                AccessAnswer(scope: call.permit.scope, group: call.permit.group, until: call.permit.until)
            },
            Endpoint(.get, "/events", "Events of all groups, as they happen", answer: .events),
            Endpoint(.get, "/openapi.json", "This document", answer: .document),
            Endpoint(
                .post, "/control",
                "Carries a request to the control socket and its lines back; needs `listen` or `control`, by the command",
                answer: .lines, body: .controlRequest),
            try forAll("pause", .pause), try forAll("resume", .resume()), try forAll("toggle", .toggle()),
            try forAll("stop", .stop),
        ]
    }

    private static func forAll(_ word: String, _ command: PlayerCommand) throws -> Endpoint {
        try Endpoint(.post, "/\(word)", "Does it to all groups that play") { call async throws(Problem) in
            var request = ControlRequest(command)
            request.target = .all
            return StatusAnswer(try await call.ask(request))
        }
    }

    static func uploads() throws -> [Endpoint] {
        let kept = try SchemaReader.schema(of: UploadStore.Kept.self)
        var upload = Endpoint(
            .post, "/uploads",
            "Takes in a music file, named in the query; its `uri` can be given as an input, and stays for a week or "
                + "as long as a queue or a schedule names it", answer: .json(status: 201, kept))
        (upload.file, upload.texts) = (.kept, ["name": 1...longestName])
        return [upload]
    }

    static func groups() throws -> [Endpoint] {
        let rooms = Schema.rooms
        return [
            try Endpoint(.get, "/groups", "All groups: those with a name, and those that play or can resume") {
                call async throws(Problem) in GroupsAnswer(groups: try await call.allGroups())
            },
            try Endpoint(.get, "/groups/{group}", "One group") { call async throws(Problem) in
                try await call.groupAnswer()
            },
            try Endpoint(.put, "/groups/{group}", "Makes a group, or gives it other rooms", body: rooms) {
                call async throws(Problem) in
                let body: RoomsBody = try call.decoded()
                _ = try await call.ask(ControlRequest(.group(.set(call.group, rooms: body.rooms))))
                return try await call.groupAnswer()
            },
            try Endpoint(.delete, "/groups/{group}", "Deletes a group; `notices` names schedules that go with it") {
                call async throws(Problem) in
                NoticesAnswer(
                    notices: try await call.ask(ControlRequest(.group(.delete(call.group)))).notices ?? [])
            },
            try Endpoint(.post, "/groups/{group}/rooms", "Rooms join a group", body: rooms) {
                call async throws(Problem) in
                let body: RoomsBody = try call.decoded()
                _ = try await call.ask(ControlRequest(.group(.add(call.group, rooms: body.rooms))))
                return try await call.groupAnswer()
            },
            try Endpoint(.delete, "/groups/{group}/rooms/{room}", "A room leaves a group") {
                call async throws(Problem) in
                let room = call.parameters["room"] ?? ""
                _ = try await call.ask(ControlRequest(.group(.remove(call.group, rooms: [room]))))
                return try await call.groupAnswer()
            },
        ]
    }
}

extension Schema {
    /// A request of the control socket, which checks the rest.
    fileprivate static var controlRequest: Schema {
        var fields = Fields()
        fields.known = ["command": .string(among: ControlRequest.Word.allCases.map(\.rawValue))]
        fields.required = ["command"]
        return .object(fields)
    }
}

private struct RoomsBody: Codable { var rooms: [String] }

extension Schema {
    /// `{"rooms": [NAME, …]}`.
    fileprivate static var rooms: Schema {
        var fields = Fields()
        fields.known = ["rooms": .array(.string(lengths: 1...256), counts: 1...64)]
        fields.required = ["rooms"]
        return .object(fields).closed
    }
}

extension Call {
    /// All groups by name: what the store has, and what plays.
    fileprivate func allGroups() async throws(Problem) -> [GroupAnswer] {
        let named = try await namedGroups()
        let statuses = try await allStatuses().groups
        var answers = named.map { name, rooms in
            GroupAnswer(
                name: name, rooms: rooms, isNamed: true,
                status: statuses.first { Names.areSame($0.group ?? "", name) })
        }
        for status in statuses where !answers.contains(where: { Names.areSame($0.name, status.group ?? "") }) {
            answers.append(
                GroupAnswer(
                    name: status.group ?? "", rooms: status.rooms.map(\.name), isNamed: false, status: status))
        }
        return answers.sorted { $0.name < $1.name }
    }

    fileprivate func groupAnswer() async throws(Problem) -> GroupAnswer {
        guard let answer = try await allGroups().first(where: { Names.areSame($0.name, group) }) else {
            throw Problem(.notFound, "\(group): no such group; GET \(RouteTable.prefix)/groups lists them")
        }
        return answer
    }
}
