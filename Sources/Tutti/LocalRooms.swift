import Logging
import Synchronization
import TuttiCore
import TuttiHost
import TuttiPlayback
import TuttiRooms
import TuttiSender
import TuttiSpeaker

/// The speakers of a player's own rooms: in this process, reached over the loopback interface, and known to nobody
/// else. So they and the rooms on other hosts have everything in common.
final class LocalRooms: Sendable {
    private struct Speaker {
        let service: SpeakerService
        /// Nil for one that shows none.
        let pictures: StreamPictures?
    }

    private let configuration: QueuePlayer.Configuration
    /// By their names.
    private let speakers: Mutex<[String: Speaker]>

    /// Starts a speaker for each local output.
    ///
    /// - Throws: `output` when a device cannot be opened, `invalid` for two rooms of one name, `system`.
    init(_ outputs: [QueuePlayer.Output], _ configuration: QueuePlayer.Configuration) async throws(QueuePlayerError) {
        let rooms = outputs.compactMap(\.localRoom)
        guard Set(rooms.map(\.name)).count == rooms.count else {
            throw .invalid("two local outputs have the same name")
        }
        var speakers: [String: Speaker] = [:]
        for room in rooms {
            do {
                speakers[room.name] = try await Self.start(room, configuration)
            } catch {
                for speaker in speakers.values { await speaker.service.shutdown() }
                throw error
            }
        }
        self.configuration = configuration
        self.speakers = Mutex(speakers)
    }

    /// Where they listen.
    var addresses: [RoomAddress] {
        speakers.withLock { speakers in
            speakers.sorted { $0.key < $1.key }.map { Self.address(of: $0.value.service, named: $0.key) }
        }
    }

    /// How well the pictures of one are shown; nil for one that shows none.
    func videoPerformance(of name: String) -> VideoPerformance? {
        speakers.withLock { $0[name]?.pictures?.renderer.performance }
    }

    /// Starts another one; where it listens.
    ///
    /// - Throws: `output` when its device cannot be opened, `invalid` for the name of another one, `system`.
    func add(_ room: LocalRoom) async throws(QueuePlayerError) -> RoomAddress {
        guard speakers.withLock({ $0[room.name] == nil }) else {
            throw .invalid("two local outputs have the same name")
        }
        let speaker = try await Self.start(room, configuration)
        let isNew = speakers.withLock { speakers in
            guard speakers[room.name] == nil else { return false }
            speakers[room.name] = speaker
            return true
        }
        guard isNew else {
            await speaker.service.shutdown()
            throw .invalid("two local outputs have the same name")
        }
        return Self.address(of: speaker.service, named: room.name)
    }

    /// Fades out and ends one.
    func remove(_ name: String) async {
        await speakers.withLock { $0.removeValue(forKey: name) }?.service.shutdown()
    }

    /// Fades out and ends all of them.
    func shutdown() async {
        let speakers = speakers.withLock { speakers in
            defer { speakers = [:] }
            return speakers
        }
        for speaker in speakers.values { await speaker.service.shutdown() }
    }

    private static func address(of service: SpeakerService, named name: String) -> RoomAddress {
        RoomAddress(name: name, host: "127.0.0.1", port: service.port)
    }

    private static func start(
        _ room: LocalRoom, _ configuration: QueuePlayer.Configuration
    ) async throws(QueuePlayerError) -> Speaker {
        var speaker = SpeakerConfiguration(
            name: room.name, device: room.device, port: 0, bindAddress: "127.0.0.1",
            stateDirectory: configuration.folder + "/" + room.folder, bufferSeconds: room.depth, announces: false,
            correctsDrift: room.correctsDrift)
        speaker.isPrivate = true
        // It listens to this host alone.
        speaker.claim = .open
        // Programs play as loud as the card's own settings say, unless they are told otherwise.
        speaker.firstVolume = 100
        let pictures = try room.sink.map { reference throws(QueuePlayerError) in try show(on: reference.sink) }
        speaker.pictures = pictures
        do {
            let service = try await SpeakerService(
                configuration: speaker, clock: configuration.clock, logger: configuration.logger ?? .silent)
            return Speaker(service: service, pictures: pictures)
        } catch {
            throw QueuePlayerError(error)
        }
    }

    private static func show(on sink: any VideoSink) throws(QueuePlayerError) -> StreamPictures {
        do {
            return try StreamPictures(sink: sink)
        } catch {
            throw .system(error.description)
        }
    }
}
