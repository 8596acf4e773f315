import Logging
import Synchronization
import TuttiHost
import TuttiSender
import TuttiSpeaker

/// The speakers of a player's own rooms: in this process, reached over the loopback interface, and known to nobody else. So they
/// and the rooms on other hosts have everything in common.
final class LocalRooms: Sendable {
    /// Where they listen.
    let addresses: [RoomAddress]
    private let services: Mutex<[SpeakerService]>

    /// Starts a speaker for each local output.
    ///
    /// - Throws: `output` when a device cannot be opened, `invalid` for two rooms of one name, `system`.
    init(_ outputs: [QueuePlayer.Output], _ configuration: QueuePlayer.Configuration) async throws(QueuePlayerError) {
        let rooms = outputs.compactMap(\.localRoom)
        guard Set(rooms.map(\.name)).count == rooms.count else { throw .invalid("two local outputs have one name") }
        var services: [SpeakerService] = []
        var addresses: [RoomAddress] = []
        for room in rooms {
            do {
                let service = try await Self.start(room, configuration)
                services.append(service)
                addresses.append(RoomAddress(name: room.name, host: "127.0.0.1", port: service.port))
            } catch {
                for service in services { await service.shutdown() }
                throw QueuePlayerError(error)
            }
        }
        self.addresses = addresses
        self.services = Mutex(services)
    }

    /// Fades out and ends them.
    func shutdown() async {
        let services = services.withLock { services in
            defer { services = [] }
            return services
        }
        for service in services { await service.shutdown() }
    }

    private static func start(
        _ room: LocalRoom, _ configuration: QueuePlayer.Configuration
    ) async throws(SpeakerError) -> SpeakerService {
        var speaker = SpeakerConfiguration(
            name: room.name, device: room.device, port: 0, bindAddress: "127.0.0.1",
            stateDirectory: configuration.folder + "/" + room.folder, bufferSeconds: room.depth, announces: false,
            correctsDrift: room.correctsDrift)
        speaker.isPrivate = true
        // Programs play as loud as the card's own settings say, unless they are told otherwise.
        speaker.firstVolume = 100
        var logger = Logger(label: "tutti.output")
        logger.logLevel = .error
        return try await SpeakerService(configuration: speaker, clock: configuration.clock, logger: logger)
    }
}
