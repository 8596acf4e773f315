import TuttiCore
package import TuttiRemote
package import TuttiSchema

/// What a call asks of the service.
package enum PlayerAction: Sendable, Equatable {
    /// One command.
    case command(PlayerCommand)
    /// The loudest room is to have this volume, 0 … 1, and the others keep their distance to it.
    case volume(Double)
    /// Plays this now.
    case open(ControlInput)

    /// Asks the service for something and waits for the answer.
    package typealias Asking = (ControlRequest) throws(ServiceClient.Failure) -> ControlResponse

    /// Has the service do it, which takes its time.
    ///
    /// - Returns: its last answer.
    /// - Throws: why it is not done.
    package func carryOut(
        in group: HouseView.Group, asking ask: Asking
    ) throws(ServiceClient.Failure) -> ControlResponse {
        let name = group.name.isEmpty ? nil : group.name
        switch self {
        case .command(let command): return try ask(ControlRequest(command, group: name))
        case .volume(let volume): return try Self.setVolume(volume * 100, of: name, asking: ask)
        case .open(let input):
            guard let status = group.status, status.state != .stopped else {
                return try ask(ControlRequest(.play(Self.order(for: input, in: group), name: name, detach: true)))
            }
            return try Self.playNow(input, inGroup: name, asking: ask)
        }
    }

    /// - Parameter volume: 0 … 100.
    private static func setVolume(
        _ volume: Double, of group: String?, asking ask: Asking
    ) throws(ServiceClient.Failure) -> ControlResponse {
        let rooms = try ask(ControlRequest(.levels(room: nil), group: group)).status?.rooms ?? []
        guard rooms.contains(where: { $0.volume != nil }) else {
            throw .refused("no room of this group answers", exitCode: 3)
        }
        // A player on the bus cannot be muted: it is silent then, and whoever makes it louder wants to hear it.
        if volume > 0, rooms.allSatisfy({ $0.muted == true }) {
            _ = try ask(ControlRequest(.mute(false, room: nil), group: group))
        }
        return try ask(ControlRequest(.volume(.balanced(volume), room: nil), group: group))
    }

    /// Puts a track after the current one, and goes there.
    private static func playNow(
        _ input: ControlInput, inGroup group: String?, asking ask: Asking
    ) throws(ServiceClient.Failure) -> ControlResponse {
        _ = try ask(ControlRequest(.insert([input]), group: group))
        let entries = try ask(ControlRequest(.queue, group: group)).queue?.entries ?? []
        // The latest entry has the greatest number.
        guard let entry = entries.max(by: { $0.id < $1.id }) else {
            throw .refused("it is not in the queue", exitCode: 1)
        }
        _ = try ask(ControlRequest(.jump(.id(entry.id)), group: group))
        return try ask(ControlRequest(.resume(), group: group))
    }

    /// An order for the rooms of a group in which nothing plays.
    private static func order(for input: ControlInput, in group: HouseView.Group) -> PlayOrder {
        var order = PlayOrder(inputs: [input])
        if group.isNamed {
            order.groups = [group.name]
        } else {
            let rooms = group.status?.rooms ?? []
            order.rooms = rooms.map { $0.address.isEmpty ? $0.name : "\($0.name)@\($0.address)" }
        }
        return order
    }
}

// MARK: Addresses

extension PlayerAction {
    /// Schemes of addresses that can be opened.
    package static let schemes = ["file", "http", "https"]
    /// Types of files that can be opened.
    package static let types = [
        "audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/opus", "audio/vorbis", "audio/wav",
        "audio/x-aiff", "audio/x-flac", "audio/x-m4a", "audio/x-mp3", "audio/x-mpegurl", "audio/x-scpls",
        "audio/x-vorbis+ogg", "audio/x-wav", "audio/x-wavpack",
    ]
    /// Bytes of the longest address.
    static let longestURI = 8192

    /// What an address names.
    ///
    /// - Throws: `notSupported` for other schemes; `invalidArguments` for what is no address.
    package static func input(ofURI uri: String) throws(BusFault) -> ControlInput {
        guard uri.utf8.count <= longestURI else { throw .invalidArguments("the address is too long") }
        guard let colon = uri.firstIndex(of: ":"), !uri.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw .invalidArguments("an address is file://, http:// or https://")
        }
        switch uri[..<colon].lowercased() {
        case "file":
            guard let path = FileURI.path(of: uri) else {
                throw .invalidArguments("a file's address is file:///PATH, of this host")
            }
            return ControlInput(uri: path)
        case "http", "https":
            guard uri[colon...].hasPrefix("://"), uri[colon...].count > 3 else {
                throw .invalidArguments("an address is file://, http:// or https://")
            }
            return ControlInput(uri: uri)
        default: throw .notSupported("only file://, http:// and https:// can be opened")
        }
    }
}
