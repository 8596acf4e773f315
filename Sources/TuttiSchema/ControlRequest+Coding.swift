import FoundationEssentials
import TuttiChain
import TuttiCore

extension ControlRequest {
    /// Reads a line of the control socket.
    ///
    /// - Throws: what is wrong with it.
    package init(line: some Sequence<UInt8>) throws(RequestFault) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(line))
        } catch let fault as RequestFault {
            throw fault
        } catch {
            throw RequestFault("this is not a request")
        }
    }

    enum Key: String, CodingKey, CaseIterable {
        case command, position, room, volume, balance, muted, rate, seconds, outputDelayMs, inputs, entries, ids, mode
        case group, order, rooms, when, all, detach, name, edit, setting, file, choice, uri
        case words, offset, limit, what, by, id, year, paths, index, to, value
    }
}

extension ControlRequest: Codable {
    /// Reads the fields that belong to the command; all others are left alone.
    ///
    /// - Throws: `RequestFault` where the command lacks something, `DecodingError` for what is no request at all.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let word = try fields.decode(Word.self, forKey: .command)
        let group = try fields.decodeIfPresent(String.self, forKey: .group)
        if let command = try PlayerCommand(word, fields) {
            self.init(command, group: group)
        } else {
            self.init(try Command(word, fields, group: group), group: word.namesItsGroup ? nil : group)
        }
        if word.isForAll, try fields.decodeIfPresent(Bool.self, forKey: .all) == true { target = .all }
    }

    /// Writes the fields of the command, as `docs/json.md` lists them.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(word, forKey: .command)
        switch target {
        case .usual: break
        case .group(let name): try fields.encode(name, forKey: .group)
        case .all: try fields.encode(true, forKey: .all)
        }
        try command.encode(to: &fields)
    }
}

extension ControlRequest.Word {
    /// Whether `group` is no group that plays, but what a group is or will be called.
    fileprivate var namesItsGroup: Bool {
        switch self {
        case .play, .say, .at, .group: true
        default: false
        }
    }
}

typealias RequestFields = KeyedDecodingContainer<ControlRequest.Key>
typealias RequestWriter = KeyedEncodingContainer<ControlRequest.Key>

extension ControlRequest.Command {
    /// - Parameter word: one that is not for a player.
    fileprivate init(_ word: ControlRequest.Word, _ fields: RequestFields, group: String?) throws {
        switch word {
        case .status: self = .status
        case .queue: self = .queue
        case .watch: self = .watch
        case .volume: self = .levels(room: try fields.decodeIfPresent(String.self, forKey: .room))
        case .play:
            self = .play(try fields.order("the order is missing"), name: group, detach: try fields.detaches)
        case .say: self = .say(try fields.order("the order is missing"), detach: try fields.detaches)
        case .at:
            let fault = "when or the order is missing"
            self = .at(when: try fields.required(.when, fault), try fields.order(fault), name: group)
        case .schedules: self = .schedules
        case .cancel: self = .cancel(try fields.entries("the entries are missing"))
        case .sleep: self = .sleep(seconds: try fields.decodeIfPresent(Double.self, forKey: .seconds))
        case .group: self = .group(try ControlRequest.GroupCommand(fields, name: group))
        case .station: self = .station(try ControlRequest.StationCommand(fields))
        case .library: self = .library(try ControlRequest.LibraryCommand(fields))
        case .playlist: self = .playlist(try ControlRequest.PlaylistCommand(fields))
        case .effects:
            let room: String = try fields.required(.room, "the room is missing")
            if let path = try fields.decodeIfPresent(String.self, forKey: .file) {
                self = .effectsFile(room: room, path: path)
            } else {
                self = .effects(room: room, try EffectEdit(optional: fields))
            }
        case .stereo:
            let fault = "the rooms are missing: first the left one, then the right one"
            let rooms: [String] = try fields.required(.rooms, fault)
            guard rooms.count == 2 else { throw RequestFault(fault) }
            let mode = try fields.decodeIfPresent(String.self, forKey: .mode) ?? "on"
            guard ["on", "off"].contains(mode) else { throw RequestFault("the mode of a stereo pair is on or off") }
            self = .stereo(left: rooms[0], right: rooms[1], isPair: mode == "on")
        default: throw RequestFault("this is not a request")
        }
    }

    fileprivate func encode(to fields: inout RequestWriter) throws {
        switch self {
        case .player(let command): try command.encode(to: &fields)
        case .status, .queue, .watch, .schedules: break
        case .levels(let room): try fields.encodeIfPresent(room, forKey: .room)
        case .play(let order, let name, let detach):
            try fields.encode(order, forKey: .order)
            try fields.encodeIfPresent(name, forKey: .group)
            try fields.encode(detach, forKey: .detach)
        case .say(let order, let detach):
            try fields.encode(order, forKey: .order)
            try fields.encode(detach, forKey: .detach)
        case .at(let when, let order, let name):
            try fields.encode(when, forKey: .when)
            try fields.encode(order, forKey: .order)
            try fields.encodeIfPresent(name, forKey: .group)
        case .cancel(let numbers): try fields.encode(numbers, forKey: .entries)
        case .sleep(let seconds): try fields.encodeIfPresent(seconds, forKey: .seconds)
        case .group(let command): try command.encode(to: &fields)
        case .station(let command): try command.encode(to: &fields)
        case .library(let command): try command.encode(to: &fields)
        case .playlist(let command): try command.encode(to: &fields)
        case .effects(let room, let edit):
            try fields.encode(room, forKey: .room)
            try fields.encodeIfPresent(edit?.kind.rawValue, forKey: .edit)
            try fields.encodeIfPresent(edit?.text, forKey: .setting)
        case .effectsFile(let room, let path):
            try fields.encode(room, forKey: .room)
            try fields.encode(path, forKey: .file)
        case .stereo(let left, let right, let isPair):
            try fields.encode([left, right], forKey: .rooms)
            try fields.encode(isPair ? "on" : "off", forKey: .mode)
        }
    }
}

extension EffectEdit {
    /// The edit of a request; nil where there is none.
    fileprivate init?(optional fields: RequestFields) throws {
        guard let word = try fields.decodeIfPresent(String.self, forKey: .edit) else { return nil }
        guard let kind = Kind(rawValue: word) else {
            throw RequestFault("what is edited is \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let text: String = try fields.required(.setting, "the setting is missing")
        do throws(ChainError) {
            try self.init(kind, parsing: text)
        } catch {
            throw RequestFault("\(error)")
        }
    }
}

extension ControlRequest.GroupCommand {
    fileprivate init(_ fields: RequestFields, name: String?) throws {
        let mode = try fields.decodeIfPresent(String.self, forKey: .mode) ?? "list"
        if mode == "list" {
            self = .list
            return
        }
        guard let name, !name.isEmpty else { throw RequestFault("the group's name is missing") }
        let rooms = try fields.decodeIfPresent([String].self, forKey: .rooms) ?? []
        switch mode {
        case "set": self = .set(name, rooms: rooms)
        case "add": self = .add(name, rooms: rooms)
        case "remove": self = .remove(name, rooms: rooms)
        case "delete": self = .delete(name)
        default: throw RequestFault("the mode of a group is set, add, remove or delete")
        }
    }

    fileprivate func encode(to fields: inout RequestWriter) throws {
        func write(_ mode: String, _ name: String?, _ rooms: [String]?) throws {
            try fields.encode(mode, forKey: .mode)
            try fields.encodeIfPresent(name, forKey: .group)
            try fields.encodeIfPresent(rooms, forKey: .rooms)
        }
        switch self {
        case .list: try write("list", nil, nil)
        case .set(let name, let rooms): try write("set", name, rooms)
        case .add(let name, let rooms): try write("add", name, rooms)
        case .remove(let name, let rooms): try write("remove", name, rooms)
        case .delete(let name): try write("delete", name, nil)
        }
    }
}

extension RequestFields {
    /// A field that must be there.
    func required<Value: Decodable>(_ key: Key, _ fault: String) throws -> Value {
        guard let value = try decodeIfPresent(Value.self, forKey: key) else { throw RequestFault(fault) }
        return value
    }

    /// Numbers, of which there must be one.
    func entries(_ fault: String, count: Int? = nil) throws -> [Int] {
        let entries: [Int] = try required(.entries, fault)
        guard count.map({ entries.count == $0 }) ?? !entries.isEmpty else { throw RequestFault(fault) }
        return entries
    }

    fileprivate func order(_ fault: String) throws -> PlayOrder { try required(.order, fault) }

    fileprivate var detaches: Bool { get throws { try decodeIfPresent(Bool.self, forKey: .detach) ?? false } }
}
