public import TuttiPlayback
import TuttiRooms
import TuttiSender

/// A room to play in: its name, and where its speaker listens if that is known.
public struct RoomEndpoint: Sendable, Hashable {
    /// The room's name; empty when whatever answers at `host` will do.
    public var name: String
    /// A name or numeric address; nil to look the room up on the network.
    public var host: String?
    /// The speaker's TCP port.
    public var port: UInt16

    /// A room.
    public init(name: String, host: String? = nil, port: UInt16 = 7_700) {
        self.name = name
        self.host = host
        self.port = port
    }

    /// Reads `NAME`, `NAME@HOST`, `NAME@HOST:PORT` or `NAME@[IPV6]:PORT`; an empty name takes whatever answers.
    ///
    /// - Throws: `PlaybackError.output` for anything else.
    public init(parsing text: String) throws(PlaybackError) {
        do {
            let address = try RoomAddress(parsing: text)
            self.init(name: address.name, host: address.host, port: address.port)
        } catch {
            throw .output(error.description)
        }
    }

    var address: RoomAddress { RoomAddress(name: name, host: host, port: port) }
    var label: String { address.label }
}

extension RoomEndpoint: CustomStringConvertible {
    /// As `init(parsing:)` reads it.
    public var description: String { address.description }
}
