package import TuttiRooms
import TuttiSender

extension QueuePlayer {
    /// Where a player plays: a room somewhere, or a card of this host.
    public struct Output: Sendable, Hashable {
        enum Place: Hashable {
            case room(RoomAddress)
            case local(LocalRoom)
        }

        let place: Place

        /// A room, by the name of its speaker and, if that is known, where it listens; without, it is looked up on the
        /// network.
        public static func room(_ name: String, host: String? = nil, port: UInt16 = 7_700) -> Output {
            room(RoomEndpoint(name: name, host: host, port: port))
        }

        /// A room.
        public static func room(_ endpoint: RoomEndpoint) -> Output { room(endpoint.address) }

        package static func room(_ address: RoomAddress) -> Output { Output(place: .room(address)) }

        /// A card of this host, as one more room of the player: in step with the others, drift corrected.
        ///
        /// - Parameters:
        ///   - device: an ALSA PCM, `file:PATH.wav` or `null`.
        ///   - name: how the room is called.
        ///   - depth: how much is held ahead, 1 s … 1 h; others count as the nearest of these.
        ///   - correctsDrift: whether the card is kept in step. Off, what has its sample rate passes bit for bit at
        ///     full volume.
        public static func local(
            device: String = "default", name: String = "here", depth: Duration = .seconds(30),
            correctsDrift: Bool = true
        ) -> Output {
            local(LocalRoom(device: device, name: name, depth: depth / .seconds(1), correctsDrift: correctsDrift))
        }

        package static func local(_ room: LocalRoom) -> Output { Output(place: .local(room)) }

        /// Where the room is, if it is one that is there already.
        var address: RoomAddress? {
            if case .room(let address) = place { address } else { nil }
        }

        /// What the room is called, or where it is.
        var label: String {
            switch place {
            case .room(let address): address.name.isEmpty ? address.endpoint : address.name
            case .local(let room): room.name
            }
        }

        /// The room to make on this host.
        var localRoom: LocalRoom? {
            if case .local(let room) = place { room } else { nil }
        }
    }
}
