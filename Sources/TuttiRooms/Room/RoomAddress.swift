import TuttiCore

/// A room to play in: its name, and where its speaker listens if that is known.
package struct RoomAddress: Sendable, Hashable, Codable {
    /// The port that speakers listen on unless told otherwise.
    package static let defaultPort: UInt16 = 7700

    /// The room's name; empty when whatever answers at `host` will do.
    package var name: String
    /// A name or numeric address; nil to look the room up on the network.
    package var host: String?
    /// The speaker's TCP port.
    package var port: UInt16

    /// A room.
    package init(name: String, host: String? = nil, port: UInt16 = Self.defaultPort) {
        self.name = name
        self.host = host
        self.port = port
    }

    /// Reads `NAME`, `NAME@HOST`, `NAME@HOST:PORT` or `NAME@[IPV6]:PORT`; an empty name takes whatever answers.
    ///
    /// - Throws: `SenderError.badRoom`.
    package init(parsing text: String) throws(SenderError) {
        guard let at = text.lastIndex(of: "@") else {
            guard !text.isEmpty else { throw .badRoom(text) }
            self.init(name: text)
            return
        }
        let name = String(text[..<at])
        var rest = text[text.index(after: at)...]
        var host: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else if rest.count(where: { $0 == ":" }) > 1 {
            (host, rest) = (rest, "")
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty else { throw .badRoom(text) }
        if rest.isEmpty {
            self.init(name: name, host: String(host))
            return
        }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { throw .badRoom(text) }
        self.init(name: name, host: String(host), port: port)
    }

    /// How messages call the room.
    package var label: String { name.isEmpty ? endpoint : name }

    /// `HOST:PORT`, or nothing when it is not known.
    package var endpoint: String {
        guard let host else { return "" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Whether the room goes by this name, or by its address.
    package func isCalled(_ name: String) -> Bool { Names.areSame(label, name) }

    /// Whether a room that is called so, and is there, is this one.
    package func isMeant(by name: String, _ endpoint: String) -> Bool {
        if !self.name.isEmpty, Names.areSame(self.name, name) { return true }
        return host != nil && self.endpoint == endpoint
    }
}

extension RoomAddress: CustomStringConvertible {
    /// As `init(parsing:)` reads it.
    package var description: String { host == nil ? name : "\(name)@\(endpoint)" }
}
