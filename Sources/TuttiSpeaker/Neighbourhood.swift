import Logging
import NIOCore
import Synchronization
import TuttiCore
import TuttiDiscovery
import TuttiWire

/// The speaker among those on the network, by mDNS: makes it known, and tells its controller of the others.
final class Neighbourhood: Sendable {
    private let publisher: SpeakerPublisher
    private let browsing: Task<Void, Never>

    /// How long a daemon that is not there is left alone.
    private static let pause: Duration = .seconds(15)

    /// Publishes `record`, and browses.
    ///
    /// - Throws: `DiscoveryError` when it cannot be published at all.
    init(
        _ record: SpeakerRecord, announcesName: Bool, controller: NIOLoopBound<SpeakerController>, logger: Logger
    ) throws(DiscoveryError) {
        let publisher = try SpeakerPublisher(record) { state in
            switch state {
            case .waiting(let error):
                logger.notice("not announced by mDNS yet; trying again", metadata: ["reason": "\(error)"])
            case .published(let name): logger.info("announced by mDNS", metadata: ["name": "\(name)"])
            case .registering, .stopped: break
            }
        }
        self.publisher = publisher
        let latest = Mutex(record)
        controller.eventLoop.execute {
            // The record was good when it was published first, and what changes has nothing that could be wrong.
            controller.value.onClockChange = { clock in
                try? publisher.update(latest.changed { $0.clock = clock })
            }
            if announcesName {
                controller.value.onNameChange = { name in
                    try? publisher.update(latest.changed { $0.name = name })
                }
            }
            controller.value.onClaim = { isClaimed in
                try? publisher.update(latest.changed { $0.isClaimed = isClaimed })
            }
            controller.value.announcePart()
        }
        let twins = Mutex(SpeakerTwins(id: record.id, port: record.port))
        browsing = Task {
            while !Task.isCancelled {
                // Where there is no daemon the publisher has said so.
                if let events = try? SpeakerBrowser.browse() {
                    await Self.watch(events, for: controller) { seen in
                        let places = twins.withLock { $0.news(among: seen, own: Self.ownAddresses) }
                        for place in places { Self.warn(of: place, logger) }
                    }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Withdraws the speaker, and looks no more.
    func stop() {
        browsing.cancel()
        publisher.stop()
    }

    /// This host's addresses, as they are now.
    private static var ownAddresses: Set<String> {
        let devices = (try? System.enumerateDevices()) ?? []
        return Set(devices.compactMap { $0.address?.ipAddress.map { String($0.prefix { $0 != "%" }) } })
    }

    private static func warn(of place: String, _ logger: Logger) {
        logger.warning(
            """
            another speaker has this one's key: one has a copy of the other's state folder; remove node-key.pem and \
            claim.json from the copy's, and restart it
            """,
            metadata: ["other": "\(place)"])
    }

    /// - Parameter onChange: told of those that are seen, whenever they are others.
    private static func watch(
        _ events: AsyncStream<DiscoveryEvent>, for controller: NIOLoopBound<SpeakerController>,
        onChange: @Sendable ([DiscoveredSpeaker]) -> Void
    ) async {
        var seen: [String: DiscoveredSpeaker] = [:]
        var hasSettled = false
        for await event in events {
            switch event {
            case .found(let speaker): seen[speaker.name] = speaker
            case .lost(let speaker): seen[speaker.name] = nil
            case .settled: hasSettled = true
            case .failed: continue
            }
            let (speakers, isComplete) = (Array(seen.values), hasSettled)
            onChange(speakers)
            controller.eventLoop.execute { controller.value.noteNeighbours(speakers, isComplete: isComplete) }
        }
    }
}

extension Mutex where Value: Sendable & Copyable {
    /// The value after a change.
    fileprivate borrowing func changed(_ body: (inout Value) -> Void) -> Value {
        withLock { value in
            body(&value)
            return value
        }
    }
}
