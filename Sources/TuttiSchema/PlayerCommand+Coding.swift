import TuttiCore

extension PlayerCommand {
    /// Reads what belongs to a player's command.
    ///
    /// - Returns: nil for a word that is for no player, and for `volume` without a volume, which asks for the levels.
    /// - Throws: `RequestFault` where something is missing, `DecodingError` where it is of another kind.
    init?(_ word: ControlRequest.Word, _ fields: RequestFields) throws {
        switch word {
        case .pause: self = .pause
        case .resume: self = .resume(place: try fields.place)
        case .toggle: self = .toggle(place: try fields.place)
        case .stop: self = .stop
        case .next: self = .next
        case .previous: self = .previous
        case .seek:
            guard let place = SeekTarget(parsing: try fields.text(.position) ?? "") else {
                throw RequestFault("a place is T, +T or -T, in seconds or M:SS, or live")
            }
            self = .seek(place)
        case .volume:
            guard let text = try fields.text(.volume) else { return nil }
            guard var change = VolumeChange(parsing: text) else {
                throw RequestFault("a volume is 0-100, +N or -N")
            }
            let keepsBalance = try fields.decodeIfPresent(Bool.self, forKey: .balance) ?? false
            if keepsBalance, case .to(let volume) = change { change = .balanced(volume) }
            self = .volume(change, room: try fields.text(.room))
        case .mute:
            self = .mute(
                try fields.decodeIfPresent(Bool.self, forKey: .muted) ?? true, room: try fields.text(.room))
        case .delay:
            let fault = "an output delay needs a room and milliseconds"
            self = .delay(
                milliseconds: try fields.required(.outputDelayMs, fault), room: try fields.required(.room, fault))
        case .name:
            let fault = "a name needs a room and the name"
            self = .name(try fields.required(.name, fault), room: try fields.required(.room, fault))
        case .reference: self = .reference(try fields.text(.room))
        case .rate: self = .rate(try fields.required(.rate, "a rate is from 0.5 to 2"))
        case .crossfade: self = .crossfade(try fields.required(.seconds, "a crossfade is from 0 to 12 s"))
        case .normalise:
            guard let mode = LoudnessNormalization(rawValue: try fields.text(.mode) ?? "") else {
                throw RequestFault("normalise is off, track or album")
            }
            self = .normalise(mode)
        case .night: self = .night(try fields.isOn)
        case .audio: self = .audio(try fields.choice(of: .audio))
        case .subtitle: self = .subtitle(try fields.choice(of: .subtitle))
        case .chapter:
            guard let target = ChapterTarget(parsing: try fields.text(.choice) ?? "") else {
                throw RequestFault("a chapter is a number from 1, next or previous")
            }
            self = .chapter(target)
        default:
            guard let edit = try Self.edit(word, fields) else { return nil }
            self = edit
        }
    }

    /// Edits of the queue.
    private static func edit(_ word: ControlRequest.Word, _ fields: RequestFields) throws -> PlayerCommand? {
        switch word {
        case .add: return .add(try fields.inputs, place: try fields.place)
        case .insert: return .insert(try fields.inputs, place: try fields.place)
        case .remove: return .remove(try fields.places("the entries are missing"))
        case .move:
            if let ids = try fields.ids("one id is needed", count: 1) {
                return .move(from: ids[0], to: try fields.entries("one entry is needed: where to", count: 1)[0])
            }
            let entries = try fields.entries("two entries are needed: from and to", count: 2)
            return .move(from: .index(entries[0]), to: entries[1])
        case .replace:
            let inputs = try fields.inputs
            guard inputs.count == 1 else { throw RequestFault("a track can be replaced with one track only") }
            return .replace(try fields.places("one entry is needed", count: 1)[0], with: inputs[0])
        case .clear: return .clear
        case .jump: return .jump(try fields.places("one entry is needed", count: 1)[0])
        case .shuffle: return .shuffle(try fields.isOn)
        case .consume: return .consume(try fields.isOn)
        case .repeat:
            guard let mode = RepeatMode(rawValue: try fields.text(.mode) ?? "") else {
                throw RequestFault("repeat is off, all, one or single")
            }
            return .repeat(mode)
        default: return nil
        }
    }

    /// Writes the fields that belong to it.
    func encode(to fields: inout RequestWriter) throws {
        switch self {
        case .pause, .stop, .next, .previous, .clear: break
        case .resume(let place), .toggle(let place): try fields.encodeIfPresent(place, forKey: .order)
        case .seek(let target): try fields.encode(target.description, forKey: .position)
        case .volume(let change, let room):
            try fields.encode(change.description, forKey: .volume)
            if case .balanced = change { try fields.encode(true, forKey: .balance) }
            try fields.encodeIfPresent(room, forKey: .room)
        case .mute(let isMuted, let room):
            try fields.encode(isMuted, forKey: .muted)
            try fields.encodeIfPresent(room, forKey: .room)
        case .delay(let milliseconds, let room):
            try fields.encode(milliseconds, forKey: .outputDelayMs)
            try fields.encode(room, forKey: .room)
        case .name(let name, let room):
            try fields.encode(name, forKey: .name)
            try fields.encode(room, forKey: .room)
        case .reference(let room): try fields.encodeIfPresent(room, forKey: .room)
        case .rate(let rate): try fields.encode(rate, forKey: .rate)
        case .crossfade(let seconds): try fields.encode(seconds, forKey: .seconds)
        case .normalise(let mode): try fields.encode(mode, forKey: .mode)
        case .audio(let choice), .subtitle(let choice): try fields.encode(choice.description, forKey: .choice)
        case .chapter(let target): try fields.encode(target.description, forKey: .choice)
        case .add(let inputs, let place), .insert(let inputs, let place):
            try fields.encode(inputs, forKey: .inputs)
            try fields.encodeIfPresent(place, forKey: .order)
        case .remove(let entries): try fields.encode(entries)
        case .move(.index(let from), let to): try fields.encode([from, to], forKey: .entries)
        case .move(let entry, let to):
            try fields.encode([entry])
            try fields.encode([to], forKey: .entries)
        case .replace(let entry, let input):
            try fields.encode([entry])
            try fields.encode([input], forKey: .inputs)
        case .jump(let entry): try fields.encode([entry])
        case .shuffle(let isOn), .consume(let isOn), .night(let isOn):
            try fields.encode(isOn ? "on" : "off", forKey: .mode)
        case .repeat(let mode): try fields.encode(mode, forKey: .mode)
        }
    }
}

extension RequestWriter {
    /// Indices as `entries`, ids as `ids`; of a mixture, which no request can be read to, the ids are left out.
    fileprivate mutating func encode(_ places: [QueuePlace]) throws {
        let ids = places.compactMap { if case .id(let id) = $0 { id } else { nil } }
        if !ids.isEmpty, ids.count == places.count { return try encode(ids, forKey: .ids) }
        try encode(places.compactMap { if case .index(let index) = $0 { index } else { nil } }, forKey: .entries)
    }
}

extension RequestFields {
    /// Entries by their ids; nil where none are named.
    fileprivate func ids(_ fault: String, count: Int? = nil) throws -> [QueuePlace]? {
        guard let ids = try decodeIfPresent([UInt64].self, forKey: .ids) else { return nil }
        guard count.map({ ids.count == $0 }) ?? !ids.isEmpty else { throw RequestFault(fault) }
        return ids.map { .id($0) }
    }

    /// Entries by their ids, or else by their indices.
    fileprivate func places(_ fault: String, count: Int? = nil) throws -> [QueuePlace] {
        try ids(fault, count: count) ?? entries(fault, count: count).map { .index($0) }
    }

    fileprivate func text(_ key: Key) throws -> String? { try decodeIfPresent(String.self, forKey: key) }

    fileprivate var place: PlayOrder? { get throws { try decodeIfPresent(PlayOrder.self, forKey: .order) } }

    fileprivate var inputs: [ControlInput] {
        get throws {
            let inputs = try decodeIfPresent([ControlInput].self, forKey: .inputs) ?? []
            guard !inputs.isEmpty else { throw RequestFault("the inputs are missing") }
            return inputs
        }
    }

    fileprivate func choice(of kind: TrackChoice.Kind) throws -> TrackChoice {
        let text = try text(.choice) ?? ""
        do throws(TrackChoiceError) {
            return try TrackChoice(parsing: text, of: kind)
        } catch {
            throw RequestFault(error.description)
        }
    }

    fileprivate var isOn: Bool {
        get throws {
            switch try text(.mode) {
            case "on": return true
            case "off": return false
            default: throw RequestFault("the mode is on or off")
            }
        }
    }
}
