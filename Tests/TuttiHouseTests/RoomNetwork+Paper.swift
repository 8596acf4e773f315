import TuttiAssets
import TuttiCore
import TuttiHouse
import TuttiRooms
import TuttiSender
import TuttiWire

extension RoomNetwork {
    /// A network on paper: these rooms answer, by name and at `10.0.0.7`, and these files can be played.
    static func paper(rooms: [String], files: [String]) -> RoomNetwork {
        let look = { @Sendable (address: RoomAddress) async -> Result<RoomLook, SenderError> in
            guard ["10.0.0.7", "127.0.0.1"].contains(address.host),
                let room = rooms.first(where: { Names.areSame($0, address.name) })
            else { return .failure(.roomUnreachable(address.label, reason: "nobody answers")) }
            let welcome = Welcome(
                id: room, name: room, bufferSeconds: 300, bufferBytes: 1 << 20, codecs: [], device: "null",
                deviceFormat: "")
            return .success(RoomLook(welcome: welcome, status: SpeakerStatus(state: .idle)))
        }
        return RoomNetwork(
            find: { names in
                Dictionary(
                    uniqueKeysWithValues: names.map { name in
                        guard let room = rooms.first(where: { Names.areSame($0, name) }) else {
                            return (name, .failure(.roomNotFound(name, reason: "no such speaker on the network")))
                        }
                        return (name, .success(RoomAddress(name: room, host: "10.0.0.7")))
                    })
            },
            look: look, share: { address, _ in await look(address) },
            open: { input, _, _ in files.contains(input.uri) ? .success(nil) : .failure(.notAudio(input.uri)) })
    }
}
