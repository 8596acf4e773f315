import Logging
import Synchronization
import TuttiHost
import TuttiRooms
import TuttiSender
import TuttiSpeaker

/// The speakers of a player's own rooms: in this process, reached over the loopback interface, and known to nobody
/// else. So they and the rooms on other hosts have everything in common.
final class LocalRooms: Sendable {
    private let configuration: QueuePlayer.Configuration
    /// By their names.
    private let services: Mutex<[String: SpeakerService]>

    /// Starts a speaker for each local output.
    ///
    /// - Throws: `output` when a device cannot be opened, `invalid` for two rooms of one name, `system`.
    init(_ outputs: [QueuePlayer.Output], _ configuration: QueuePlayer.Configuration) async throws(QueuePlayerError) {
        let rooms = outputs.compactMap(\.localRoom)
        guard Set(rooms.map(\.name)).count == rooms.count else {
            throw .invalid("two local outputs have the same name")
        }
        var services: [String: SpeakerService] = [:]
        for room in rooms {
            do {
                services[room.name] = try await Self.start(room, configuration)
            } catch {
                for service in services.values { await service.shutdown() }
                throw QueuePlayerError(error)
            }
        }
        self.configuration = configuration
        self.services = Mutex(services)
    }

    /// Where they listen.
    var addresses: [RoomAddress] {
        services.withLock { services in
            services.sorted { $0.key < $1.key }.map { Self.address(of: $0.value, named: $0.key) }
        }
    }

    /// Starts another one; where it listens.
    ///
    /// - Throws: `output` when its device cannot be opened, `invalid` for the name of another one, `system`.
    func add(_ room: LocalRoom) async throws(QueuePlayerError) -> RoomAddress {
        guard services.withLock({ $0[room.name] == nil }) else {
            throw .invalid("two local outputs have the same name")
        }
        let service: SpeakerService
        do {
            service = try await Self.start(room, configuration)
        } catch {
            throw QueuePlayerError(error)
        }
        let isNew = services.withLock { services in
            guard services[room.name] == nil else { return false }
            services[room.name] = service
            return true
        }
        guard isNew else {
            await service.shutdown()
            throw .invalid("two local outputs have the same name")
        }
        return Self.address(of: service, named: room.name)
    }

    /// Fades out and ends one.
    func remove(_ name: String) async {
        await services.withLock { $0.removeValue(forKey: name) }?.shutdown()
    }

    /// Fades out and ends all of them.
    func shutdown() async {
        let services = services.withLock { services in
            defer { services = [:] }
            return services
        }
        for service in services.values { await service.shutdown() }
    }

    private static func address(of service: SpeakerService, named name: String) -> RoomAddress {
        RoomAddress(name: name, host: "127.0.0.1", port: service.port)
    }

    private static func start(
        _ room: LocalRoom, _ configuration: QueuePlayer.Configuration
    ) async throws(SpeakerError) -> SpeakerService {
        var speaker = SpeakerConfiguration(
            name: room.name, device: room.device, port: 0, bindAddress: "127.0.0.1",
            stateDirectory: configuration.folder + "/" + room.folder, bufferSeconds: room.depth, announces: false,
            correctsDrift: room.correctsDrift)
        speaker.isPrivate = true
        // It listens to this host alone.
        speaker.claim = .open
        // Programs play as loud as the card's own settings say, unless they are told otherwise.
        speaker.firstVolume = 100
        return try await SpeakerService(
            configuration: speaker, clock: configuration.clock, logger: configuration.logger ?? .silent)
    }
}
