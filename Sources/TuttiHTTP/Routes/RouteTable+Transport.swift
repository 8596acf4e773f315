import TuttiCore
import TuttiSchema

/// What a group that plays is told.
extension RouteTable {
    static func transport() throws -> [Endpoint] {
        var endpoints = [
            try Endpoint(.get, "/groups/{group}/status", "How a group stands") { call async throws(Problem) in
                try await call.status(ControlRequest(.status, group: call.group))
            },
            try Endpoint(
                .post, "/groups/{group}/play",
                "Plays tracks in place of what the group plays; answers when they sound", body: try .order()
            ) { call async throws(Problem) in
                let order = try await call.placed(try call.decoded())
                return try await call.status(ControlRequest(.play(order, name: call.group, detach: true)))
            },
            try Endpoint(.post, "/say", "Makes an announcement in rooms or groups", body: try .order()) {
                call async throws(Problem) in
                var order: PlayOrder = try call.decoded()
                if let guest = call.permit.group { order.groups = [guest] }
                return try await call.status(ControlRequest(.say(order, detach: true)))
            },
            try Endpoint(.post, "/groups/{group}/seek", "Moves within the track", body: .seek) {
                call async throws(Problem) in
                let body: SeekBody = try call.decoded()
                let text =
                    body.to ?? body.by.map { ($0 < 0 ? "" : "+") + "\(Int64($0 * 1000).thousandths)" }
                    ?? "\(Int64((body.position ?? 0) * 1000).thousandths)"
                guard let target = SeekTarget(parsing: text) else {
                    throw Problem(.invalid, "a position is a number of seconds, or live")
                }
                return try await call.command(.seek(target))
            },
            try Endpoint(.post, "/groups/{group}/chapter", "Goes to a chapter of the track", body: .chapter) {
                call async throws(Problem) in
                let body: ChapterBody = try call.decoded()
                guard let target = ChapterTarget(parsing: body.to ?? "\(body.number ?? 0)") else {
                    throw Problem(.invalid, "a chapter is a number from 1, next or previous")
                }
                return try await call.command(.chapter(target))
            },
        ]
        var artwork = Endpoint(
            .get, "/groups/{group}/artwork",
            "The picture of what a group plays, about `size` pixels wide or high (80, 160, 320, 640 or 1280)",
            answer: .picture
        ) { call async throws(Problem) in
            guard let item = try await call.status(ControlRequest(.status, group: call.group)).item else {
                throw Problem(.notFound, "nothing plays here")
            }
            return Array(item.pictured.utf8)
        }
        artwork.query["size"] = 16...1_280
        endpoints.append(artwork)
        for (word, summary, command) in simple {
            endpoints.append(
                try Endpoint(.post, "/groups/{group}/\(word)", summary) { call async throws(Problem) in
                    try await call.command(command)
                })
        }
        return endpoints + (try settings())
    }

    private static let simple: [(word: String, summary: String, command: PlayerCommand)] = [
        ("pause", "Pauses all rooms of a group at the same instant", .pause),
        ("resume", "Resumes what is paused or stopped", .resume()), ("toggle", "Pauses or resumes", .toggle()),
        ("stop", "Stops, and keeps queue and place", .stop), ("next", "Goes to the next track", .next),
        ("previous", "Goes to the start of the track, or to the one before", .previous),
    ]

    private static func settings() throws -> [Endpoint] {
        [
            try Endpoint(.put, "/groups/{group}/rate", "Sets how fast tracks play, pitch kept", body: .rate) {
                call async throws(Problem) in
                let body: RateBody = try call.decoded()
                return try await call.command(.rate(body.rate))
            },
            try Endpoint(
                .put, "/groups/{group}/reference", "Sets the reference room, or none with null", body: .reference
            ) { call async throws(Problem) in
                let body: ReferenceBody = try call.decoded()
                return try await call.command(.reference(body.room))
            },
            try Endpoint(.get, "/groups/{group}/sleep", "The sleep timer") { call async throws(Problem) in
                SleepAnswer(seconds: try await call.ask(ControlRequest(.sleep(seconds: nil), group: call.group)).sleep)
            },
            try Endpoint(.put, "/groups/{group}/sleep", "Fades out and stops after so many seconds", body: .sleep) {
                call async throws(Problem) in
                let body: SleepBody = try call.decoded()
                let request = ControlRequest(.sleep(seconds: body.seconds), group: call.group)
                return SleepAnswer(seconds: try await call.ask(request).sleep)
            },
            Endpoint(.delete, "/groups/{group}/sleep", "Cancels the sleep timer", answer: .empty) {
                call async throws(Problem) in
                _ = try await call.ask(ControlRequest(.sleep(seconds: 0), group: call.group))
                return []
            },
        ]
    }
}

private struct SeekBody: Codable {
    var position: Double?
    var by: Double?
    var to: String?
}

private struct ChapterBody: Codable {
    var number: Int?
    var to: String?
}

private struct RateBody: Codable { var rate: Double }
private struct ReferenceBody: Codable { var room: String? }
private struct SleepBody: Codable { var seconds: Double }

extension Int64 {
    /// Thousandths as a decimal number, which no exponent can be in.
    fileprivate var thousandths: String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest + 1000).dropFirst()
        return (self < 0 ? "-" : "") + "\(whole).\(digits)"
    }
}

extension Schema {
    /// An object of these fields and no others.
    static func body(_ known: [String: Schema], required: Set<String>) -> Schema {
        var fields = Fields()
        (fields.known, fields.required) = (known, required)
        return .object(fields).closed
    }

    /// An object of one or more of these fields, and no others.
    package static func choice(_ known: [String: Schema], exclusive: [String] = []) -> Schema {
        var fields = Fields()
        (fields.known, fields.minimum, fields.exclusive) = (known, 1, exclusive)
        return .object(fields).closed
    }

    /// An order with at least one input.
    package static func order() throws -> Schema {
        try SchemaReader.schema(of: PlayOrder.self).closed.changed { fields in
            fields.known["inputs"] = fields.known["inputs"].flatMap { Schema.inputs($0) }
            for list in ["rooms", "groups"] { fields.known[list] = .array(.string(), counts: 0...64) }
            fields.required = ["inputs"]
        }
    }

    /// One or more inputs; at most what a body can have.
    private static func inputs(_ schema: Schema) -> Schema? {
        switch schema {
        case .nullable(let inner): inputs(inner)
        case .array(let element, _): .array(element, counts: 1...100_000)
        default: nil
        }
    }

    fileprivate static let day = 0...86_400.0
    fileprivate static let seek = choice(
        ["position": .number(day), "by": .number(-86_400...86_400), "to": .string(among: ["live"])],
        exclusive: ["position", "by", "to"])
    fileprivate static let chapter = choice(
        ["number": .integer(1...256), "to": .string(among: ["next", "previous"])], exclusive: ["number", "to"])
    fileprivate static let rate = body(["rate": .number(0.5...2)], required: ["rate"])
    fileprivate static let reference = body(["room": .nullable(.string(lengths: 1...256))], required: ["room"])
    fileprivate static let sleep = body(["seconds": .number(1...86_400)], required: ["seconds"])
}

extension Call {
    /// An order with a place: if it names none, the rooms of the path's group, or else the room of that name.
    fileprivate func placed(_ order: PlayOrder) async throws(Problem) -> PlayOrder {
        guard order.rooms.isEmpty, order.groups.isEmpty else { return order }
        var placed = order
        if try await namedGroups().keys.contains(where: { Names.areSame($0, group) }) {
            placed.groups = [group]
        } else if let known = try await allStatuses().groups.first(where: { Names.areSame($0.group ?? "", group) }) {
            placed.rooms = known.rooms.map { room in
                room.address.isEmpty ? room.name : "\(room.name)@\(room.address)"
            }
        } else if permit.group == nil {
            placed.rooms = [group]
        } else {
            throw Problem(.notFound, "\(group): there is no such group any more")
        }
        return placed
    }
}
