public import TuttiCore
package import TuttiRooms
import TuttiSender

extension QueuePlayer {
    /// Where a player plays: a room somewhere, a card of this host, or a screen of the application.
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

        /// Something of this program's that shows the pictures, as one more room of the player: in step with the sound
        /// of the others. Add it, or remove it, as any other output.
        ///
        /// The sink is told about 60 ms before what is to be seen from which instant of `PlaybackClock.system` on: of
        /// films their pictures, of music its cover, or black without one. When the output is removed, or the player
        /// ends, nothing is seen. The player keeps the sink as long as it is there itself.
        ///
        /// The times of the frames are those of the player's timeline, on which the items lie end to end, and not of an
        /// item.
        ///
        /// - Parameters:
        ///   - sink: shows the pictures.
        ///   - name: how the room is called.
        ///   - depth: how much is held ahead, 1 s … 1 h; others count as the nearest of these. Coded pictures take 256 MB
        ///     at most.
        public static func screen(
            _ sink: any VideoSink, name: String = "screen", depth: Duration = .seconds(30)
        ) -> Output {
            local(LocalRoom(device: "null", name: name, depth: depth / .seconds(1), sink: sink))
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
