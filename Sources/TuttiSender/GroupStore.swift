import TuttiHost

/// The named groups of rooms, in a small file of the state directory.
package struct GroupStore: Sendable {
    private struct Content: Codable {
        var groups: [String: [RoomAddress]] = [:]
    }

    private let path: String

    /// The groups kept in `directory`.
    package init(directory: String) { path = directory + "/groups.json" }

    /// All groups, by name.
    ///
    /// - Throws: `SenderError.system` when the file cannot be read or understood.
    package func load() throws(SenderError) -> [String: [RoomAddress]] {
        let bytes: [UInt8]?
        do { bytes = try AtomicFile.read(path) } catch { throw .system(error.description) }
        guard let bytes else { return [:] }
        guard let content: Content = JSONLine.decode(bytes) else {
            throw .system("\(path) cannot be understood; mend or remove it")
        }
        return content.groups
    }

    /// Replaces all groups.
    ///
    /// - Throws: `SenderError.system` when the file cannot be written.
    package func save(_ groups: [String: [RoomAddress]]) throws(SenderError) {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do {
            try StatePaths.prepare(directory)
            try AtomicFile.write(JSONLine.encode(Content(groups: groups)) + [UInt8(ascii: "\n")], to: path)
        } catch {
            throw .system(error.description)
        }
    }

    /// Makes a group of these rooms, or replaces it.
    package func set(_ name: String, to rooms: [RoomAddress]) throws(SenderError) {
        try change { $0[name] = rooms }
    }

    /// Adds rooms to a group, made if need be; a room that is in it gets its new address.
    package func add(_ rooms: [RoomAddress], to name: String) throws(SenderError) {
        try change { groups in
            let kept = (groups[name] ?? []).filter { old in !rooms.contains { $0.label == old.label } }
            groups[name] = kept + rooms
        }
    }

    /// Takes rooms out of a group.
    ///
    /// - Throws: `.noSuchGroup`, `.noSuchRoom` for one that is not in it.
    package func remove(_ rooms: [String], from name: String) throws(SenderError) {
        guard var members = try load()[name] else { throw .noSuchGroup(name) }
        for room in rooms {
            guard let index = members.firstIndex(where: { $0.label == room || $0.description == room }) else {
                throw .notNow("\(room): not in the group \(name)")
            }
            members.remove(at: index)
        }
        try change { $0[name] = members }
    }

    /// Deletes a group.
    ///
    /// - Throws: `.noSuchGroup`.
    package func delete(_ name: String) throws(SenderError) {
        guard try load()[name] != nil else { throw .noSuchGroup(name) }
        try change { $0[name] = nil }
    }

    private func change(_ edit: (inout [String: [RoomAddress]]) -> Void) throws(SenderError) {
        var groups = try load()
        edit(&groups)
        try save(groups)
    }
}
