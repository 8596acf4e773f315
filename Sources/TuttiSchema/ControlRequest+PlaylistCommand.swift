extension ControlRequest {
    /// What is asked of the playlists that are kept by name. Places are counted from 0.
    package enum PlaylistCommand: Sendable, Equatable {
        /// All of them, without their tracks.
        case list
        /// One with its tracks.
        case show(String)
        /// Keeps the queue of the request's group under a name, in place of what was there.
        case save(String)
        /// Keeps tracks under a name, in place of what was there.
        case set(String, [ControlInput])
        /// Adds tracks, at the end or before a place; a playlist that is not there is made.
        case add(String, [ControlInput], at: Int?)
        /// Takes the tracks of some places out.
        case delete(String, entries: [Int])
        /// Moves the track of a place to another one.
        case move(String, from: Int, to: Int)
        /// Gives it another name.
        case rename(String, to: String)
        /// Forgets it.
        case remove(String)
    }
}

extension ControlRequest.PlaylistCommand {
    /// Whether it only looks.
    package var isReading: Bool {
        switch self {
        case .list, .show: true
        default: false
        }
    }

    init(_ fields: RequestFields) throws {
        let mode = try fields.decodeIfPresent(String.self, forKey: .mode) ?? "list"
        guard mode != "list" else {
            self = .list
            return
        }
        let name: String = try fields.required(.name, "the playlist's name is missing")
        let inputs = { try fields.decodeIfPresent([ControlInput].self, forKey: .inputs) ?? [] }
        switch mode {
        case "show": self = .show(name)
        case "save": self = .save(name)
        case "set": self = .set(name, try inputs())
        case "add": self = .add(name, try inputs(), at: try fields.decodeIfPresent(Int.self, forKey: .index))
        case "delete": self = .delete(name, entries: try fields.entries("the entries are missing"))
        case "move":
            let entries = try fields.entries("two entries are needed: from and to", count: 2)
            self = .move(name, from: entries[0], to: entries[1])
        case "rename": self = .rename(name, to: try fields.required(.to, "the new name is missing"))
        case "remove": self = .remove(name)
        default:
            throw RequestFault(
                "the mode of a playlist is list, show, save, set, add, delete, move, rename or remove")
        }
    }

    func encode(to fields: inout RequestWriter) throws {
        func write(_ mode: String, _ name: String) throws {
            try fields.encode(mode, forKey: .mode)
            try fields.encode(name, forKey: .name)
        }
        switch self {
        case .list: try fields.encode("list", forKey: .mode)
        case .show(let name): try write("show", name)
        case .save(let name): try write("save", name)
        case .set(let name, let inputs):
            try write("set", name)
            try fields.encode(inputs, forKey: .inputs)
        case .add(let name, let inputs, let index):
            try write("add", name)
            try fields.encode(inputs, forKey: .inputs)
            try fields.encodeIfPresent(index, forKey: .index)
        case .delete(let name, let entries):
            try write("delete", name)
            try fields.encode(entries, forKey: .entries)
        case .move(let name, let from, let to):
            try write("move", name)
            try fields.encode([from, to], forKey: .entries)
        case .rename(let name, let to):
            try write("rename", name)
            try fields.encode(to, forKey: .to)
        case .remove(let name): try write("remove", name)
        }
    }
}
