import TuttiCore
import TuttiSchema

/// A group's queue. Entries are named by their ids, which stay their own wherever somebody moves them.
extension RouteTable {
    static func queue() throws -> [Endpoint] {
        let path = "/groups/{group}/queue"
        let input = try SchemaReader.schema(of: ControlInput.self).closed
        return [
            try Endpoint(.get, path, "The queue, as `tutti queue --json` has it") { call async throws(Problem) in
                try await call.queue()
            },
            try Endpoint(
                .post, path, "Adds tracks at the end, or after the current one with `next`",
                body: .body(
                    ["inputs": .array(input, counts: 1...100_000), "next": .boolean], required: ["inputs"])
            ) { call async throws(Problem) in
                let body: AddBody = try call.decoded()
                return try await call.edit(body.next == true ? .insert(body.inputs) : .add(body.inputs))
            },
            try Endpoint(.delete, path, "Removes everything except the current track") { call async throws(Problem) in
                try await call.edit(.clear)
            },
            try Endpoint(
                .patch, path, "Sets repeat, shuffle, consume, crossfade, normalise, night and tracks of films",
                body: .modes
            ) {
                call async throws(Problem) in try await call.setModes()
            },
            try Endpoint(.put, path + "/{entry}", "Puts a track in the place of an entry", body: input) {
                call async throws(Problem) in
                let input: ControlInput = try call.decoded()
                return try await call.edit(.replace(try call.place(), with: input))
            },
            try Endpoint(.delete, path + "/{entry}", "Removes an entry") { call async throws(Problem) in
                try await call.edit(.remove([try call.place()]))
            },
            try Endpoint(
                .post, path + "/{entry}/move", "Moves an entry to another index",
                body: .body(["to": .integer(0...1_000_000)], required: ["to"])
            ) { call async throws(Problem) in
                let body: MoveBody = try call.decoded()
                return try await call.edit(.move(from: try call.place(), to: body.to))
            },
            try Endpoint(.post, path + "/{entry}/jump", "Goes to an entry") { call async throws(Problem) in
                try await call.edit(.jump(try call.place()))
            },
        ]
    }
}

private struct AddBody: Codable {
    var inputs: [ControlInput]
    var next: Bool?
}

private struct MoveBody: Codable { var to: Int }

private struct ModesBody: Codable {
    var `repeat`: RepeatMode?
    var shuffle: Bool?
    var consume: Bool?
    var crossfade: Double?
    var normalise: LoudnessNormalization?
    var night: Bool?
    var audioTrack: String?
    var subtitle: String?
}

extension Schema {
    fileprivate static let modes = choice([
        "repeat": .string(among: RepeatMode.allCases.map(\.rawValue)), "shuffle": .boolean, "consume": .boolean,
        "crossfade": .number(0...12),
        "audioTrack": .string(lengths: 1...35), "subtitle": .string(lengths: 1...4_096), "night": .boolean,
        "normalise": .string(among: LoudnessNormalization.allCases.map(\.rawValue)),
    ])
}

extension Call {
    fileprivate func queue() async throws(Problem) -> QueueListing {
        guard let queue = try await ask(ControlRequest(.queue, group: group)).queue else {
            throw Problem(.unavailable, "the service's answer cannot be read; is it another version?")
        }
        return queue
    }

    /// Edits the queue, and says what it is then.
    fileprivate func edit(_ command: PlayerCommand) async throws(Problem) -> QueueListing {
        _ = try await ask(ControlRequest(command, group: group))
        return try await queue()
    }

    /// The path's entry.
    fileprivate func place() throws(Problem) -> QueuePlace { .id(UInt64(try number("entry"))) }

    /// - Throws: `.invalid` for what is no choice.
    private static func choice(_ text: String, of kind: TrackChoice.Kind) throws(Problem) -> TrackChoice {
        do throws(TrackChoiceError) {
            return try TrackChoice(parsing: text, of: kind)
        } catch {
            throw Problem(.invalid, error.description)
        }
    }

    fileprivate func setModes() async throws(Problem) -> QueueListing {
        let body: ModesBody = try decoded()
        var commands: [PlayerCommand] = []
        if let mode = body.repeat { commands.append(.repeat(mode)) }
        if let isOn = body.shuffle { commands.append(.shuffle(isOn)) }
        if let isOn = body.consume { commands.append(.consume(isOn)) }
        if let seconds = body.crossfade { commands.append(.crossfade(seconds)) }
        if let mode = body.normalise { commands.append(.normalise(mode)) }
        if let isOn = body.night { commands.append(.night(isOn)) }
        if let text = body.audioTrack { commands.append(.audio(try Self.choice(text, of: .audio))) }
        if let text = body.subtitle { commands.append(.subtitle(try Self.choice(text, of: .subtitle))) }
        for command in commands { _ = try await ask(ControlRequest(command, group: group)) }
        return try await queue()
    }
}
